#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what element access costs with what a pointer costs, in the machine code of a release build.

    check_loops.py OBJDUMP OBJECT [--planted]

The loops over the elements in sum_by_tensor and scale_by_tensor have as many instructions as those of the same
functions by pointer, and host_data() is two loads. With --planted the loop that is
known to cost more is compared instead of the sum.
"""
import re
import subprocess
import sys

JUMP = re.compile(r"^(j[a-z]+)\s+([0-9a-f]+)")
COMPUTES = re.compile(r"^v?(add|mul)[sp]d\b")


def functions(objdump, file):
    """Name -> [(address, instruction)], without padding."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", file], check=True, capture_output=True, text=True).stdout
    found, name = {}, None
    for line in text.splitlines():
        start = re.match(r"^[0-9a-f]+ <([^>]+)>:$", line)
        if start:
            name = start.group(1)
            found[name] = []
        step = re.match(r"^\s*([0-9a-f]+):\s+(.*\S)", line)
        if step and name and not re.match(r"(nop|data16|xchg\s+%ax,%ax|cs nop)", step.group(2)):
            found[name].append((int(step.group(1), 16), step.group(2)))
    return found


def element_loops(code):
    """How many instructions each loop has that computes and holds no other loop, the longest first."""
    loops = []
    for address, instruction in code:
        jump = JUMP.match(instruction)
        if jump and code[0][0] <= int(jump.group(2), 16) <= address:
            loops.append((int(jump.group(2), 16), address))
    inner = [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    bodies = [[instruction for at, instruction in code if first <= at <= last] for first, last in inner]
    return sorted((len(body) for body in bodies if any(COMPUTES.match(step) for step in body)), reverse=True)


def loads(instruction):
    """Whether it reads memory other than the stack."""
    name, _, operands = instruction.partition(" ")
    if name.startswith(("lea", "push", "pop")) or "(" not in operands or "%rsp" in operands:
        return False
    return name.startswith(("cmp", "test")) or not operands.endswith(")")


def fewest_loads(code):
    """On the cheapest way to a return, which calls nothing. None when there is no such way."""
    at = {address: position for position, (address, _) in enumerate(code)}

    def follow(position, seen):
        if position >= len(code) or position in seen:
            return None
        instruction = code[position][1]
        if instruction.startswith("ret"):
            return 0
        if instruction.startswith("call"):
            return None
        ways = []
        jump = JUMP.match(instruction)
        if jump and int(jump.group(2), 16) in at:
            ways.append(follow(at[int(jump.group(2), 16)], seen | {position}))
        if not instruction.startswith("jmp"):
            ways.append(follow(position + 1, seen | {position}))
        ways = [way for way in ways if way is not None]
        return min(ways) + loads(instruction) if ways else None

    return follow(0, frozenset())


def main(objdump, file, planted):
    found = functions(objdump, file)
    problems = []
    for verb in ("sum", "scale"):
        tensor = "planted_sum_by_tensor" if planted and verb == "sum" else f"{verb}_by_tensor"
        by_tensor, by_pointer = element_loops(found[tensor]), element_loops(found[f"{verb}_by_pointer"])
        print(f"{tensor}: {by_tensor} instructions, by pointer {by_pointer}")
        if by_tensor != by_pointer or not by_pointer:
            problems.append(f"{tensor} has loops of {by_tensor} instructions, the same by pointer of {by_pointer}")
    count = fewest_loads(found["host_data_of_tensor"])
    print(f"host_data_of_tensor: {count} loads")
    if count != 2:
        problems.append(f"host_data() loads {count} times")
    print("\n".join(problems))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--planted" in sys.argv[3:]))
