#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the layout of the C contract with sdk/layout.golden, and checks the rules that its structs obey.

    contract_layout.py INCLUDE GOLDEN COMPILER [--update]

INCLUDE holds tenure/provider_*.h. The members come from the headers' text, their places from COMPILER; a
member that the text reader missed would show as a gap between its neighbours, and gaps are violations.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HEADLESS = {
    "tenure_head": "is the head",
    "tenure_string": "is a value, passed and stored by value",
    "tenure_dtype": "is DLPack's",
    "tenure_scalar": "is a value inside attributes",
    "tenure_place": "is a part of tenure_copy_desc",
    "tenure_program_node": "is an element of an array",
    "tenure_pool_block": "is an element of an array, whose snapshot says how large it is",
    "tenure_pool_event": "is an element of an array, whose snapshot says how large it is",
    "tenure_note": "is read from the file, by its own rules",
}
VALUE_TYPES = {"uint8_t", "uint16_t", "uint32_t", "uint64_t", "int32_t", "int64_t", "float", "double"}

STRUCT = re.compile(r"typedef struct (\w+) \{\n(.*?)\n\} \1;", re.DOTALL)
ENUMERATOR = re.compile(r"^\s*(TENURE_\w+) = ", re.MULTILINE)
NUMBER = re.compile(r"^#define (TENURE_\w+) (?:(?:0x)?[0-9a-fA-F]+u?|UINT64_MAX)\b(?! \\)", re.MULTILINE)
TEXT = re.compile(r'^#define (TENURE_\w+) "([^"]*)"', re.MULTILINE)
FUNCTION = re.compile(r"^.*\(\*(\w+)\)\(.*\)\s*(?:TENURE_NOEXCEPT)?$", re.DOTALL)
MEMBER = re.compile(r"^(.*?[\s*])(\w+)(\[\w+\])?$")


class Violation(Exception):
    pass


def read_headers(include):
    """The contract as one text without comments."""
    headers = sorted((include / "tenure").glob("provider_*.h"))
    text = "".join(header.read_text() for header in headers)
    return [header.name for header in headers], re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def read_members(struct, body):
    """(name, type) of each member; a function pointer's type is its declaration, an array's `T[N]`."""
    for declaration in body.split(";"):
        declaration = " ".join(declaration.split())
        if not declaration:
            continue
        function = FUNCTION.match(declaration)
        member = MEMBER.match(declaration)
        if function:
            yield function.group(1), declaration.removesuffix("TENURE_NOEXCEPT").strip()
        elif member:
            yield member.group(2), member.group(1).strip() + (member.group(3) or "")
        else:
            raise Violation(f"{struct}: cannot read the member '{declaration}'")


def read_structs(text):
    structs = {name: list(read_members(name, body)) for name, body in STRUCT.findall(text)}
    unread = set(re.findall(r"struct (\w+)\s*\{", text)) - structs.keys()
    if unread:
        raise Violation(f"not of the form 'typedef struct NAME {{ ... }} NAME;': {', '.join(sorted(unread))}")
    return structs


def check_types(structs):
    for struct, members in structs.items():
        if struct not in HEADLESS and members[0] != ("head", "tenure_head"):
            raise Violation(f"{struct}: the first member must be 'tenure_head head'")
        for name, kind in members:
            element = re.sub(r"\[\w+\]$", "", kind)
            is_text = element == "char" and kind != element
            if not ("(*" in kind or kind.endswith("*") or is_text or element in VALUE_TYPES | structs.keys()):
                raise Violation(f"{struct}.{name}: the type '{kind}' is not one that the contract allows")


def read_texts(text):
    """{macro: string}: names that one side writes and the other looks for, which versions are not."""
    return {name: value for name, value in TEXT.findall(text) if not name.endswith(("_HERE", "_VERSION"))}


def measure(compiler, include, headers, structs, constants):
    """What the compiler says: {struct: (bytes, {member: (offset, bytes, type)})} and {constant: value}."""
    lines = ["#include <stdio.h>"] + [f'#include "tenure/{header}"' for header in headers] + ["int main(void) {"]
    for struct, members in structs.items():
        lines.append(f'printf("struct {struct} %zu\\n", sizeof({struct}));')
        for name, _ in members:
            lines.append(
                f'printf("member {name} %zu %zu\\n", offsetof({struct}, {name}), sizeof((({struct}*)0)->{name}));'
            )
    lines += [f'printf("constant {name} %llu\\n", (unsigned long long){name});' for name in constants]
    lines += ["return 0;", "}"]
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
        source.write_text("\n".join(lines) + "\n")
        subprocess.run([compiler, "-std=c11", f"-I{include}", source, "-o", program], check=True)
        output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    layout, values = {}, {}
    for kind, name, *numbers in map(str.split, output.splitlines()):
        if kind == "struct":
            layout[name] = (int(numbers[0]), members := {})
            types = dict(structs[name])
        elif kind == "member":
            members[name] = (int(numbers[0]), int(numbers[1]), types[name])
        else:
            values[name] = int(numbers[0])
    return layout, values


def check_gaps(layout):
    for struct, (struct_bytes, members) in layout.items():
        end = 0
        for name, (offset, member_bytes, _) in members.items():
            if offset != end:
                raise Violation(f"{struct}: {offset - end} bytes before '{name}' have no name")
            end = offset + member_bytes
        if end != struct_bytes:
            raise Violation(f"{struct}: {struct_bytes - end} bytes at the end have no name")


def render(layout, values):
    lines = ["# Offsets and sizes in bytes, and the numbers, of the provider contract on 64-bit machines.",
             "# tests/abi/contract_layout.py writes and compares this file; a change needs an entry in CHANGELOG.md."]  # fmt: skip
    for struct, (struct_bytes, members) in layout.items():
        lines.append(f"struct {struct} {struct_bytes}")
        lines += [f"  {offset} {size} {name} {kind}" for name, (offset, size, kind) in members.items()]
    lines += [f"{'text' if isinstance(value, str) else 'constant'} {name} {value}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def parse(golden):
    layout, values = {}, {}
    for line in golden.splitlines():
        words = line.split(maxsplit=3)
        if words[0] == "struct":
            layout[words[1]] = (int(words[2]), members := {})
        elif words[0] == "constant":
            values[words[1]] = int(words[2])
        elif words[0] == "text":
            values[words[1]] = words[2]
        elif words[0] != "#":
            members[words[2]] = (int(words[0]), int(words[1]), words[3])
    return layout, values


def differences(wanted, found):
    """One sentence for each difference between two results of `measure`."""
    (wanted_layout, wanted_values), (found_layout, found_values) = wanted, found
    for struct in wanted_layout.keys() | found_layout.keys():
        if struct not in found_layout or struct not in wanted_layout:
            yield f"{struct} is {'new' if struct in found_layout else 'gone'}"
            continue
        (wanted_bytes, wanted_members), (found_bytes, found_members) = wanted_layout[struct], found_layout[struct]
        for name in list(wanted_members) + [name for name in found_members if name not in wanted_members]:
            if name not in found_members:
                yield f"{struct}.{name} is gone; it was at offset {wanted_members[name][0]}"
            elif name not in wanted_members:
                yield f"{struct}.{name} is new, at offset {found_members[name][0]}"
            elif wanted_members[name][:2] != found_members[name][:2]:
                yield (
                    f"{struct}.{name} moved from offset {wanted_members[name][0]} ({wanted_members[name][1]} bytes) "
                    f"to offset {found_members[name][0]} ({found_members[name][1]} bytes)"
                )
            elif wanted_members[name] != found_members[name]:
                yield f"{struct}.{name} was '{wanted_members[name][2]}' and is '{found_members[name][2]}'"
        if wanted_bytes != found_bytes:
            yield f"{struct} had {wanted_bytes} bytes and has {found_bytes}"
    for name in wanted_values.keys() | found_values.keys():
        if wanted_values.get(name) != found_values.get(name):
            yield f"{name} was {wanted_values.get(name, 'not there')} and is {found_values.get(name, 'not there')}"


def check(include, golden, compiler, update=False):
    headers, text = read_headers(include)
    structs = read_structs(text)
    check_types(structs)
    constants = [name for name in ENUMERATOR.findall(text) + NUMBER.findall(text) if not name.endswith("_HERE")]
    found = measure(compiler, include, headers, structs, constants)
    check_gaps(found[0])
    found[1].update(read_texts(text))
    if update:
        golden.write_text(render(*found))
        return
    changed = sorted(differences(parse(golden.read_text()), found))
    if changed:
        raise Violation(
            "\n".join(changed) + f"\nIf this is meant: enter it in {golden.parent / 'CHANGELOG.md'}, then run\n"
            f"  {sys.argv[0]} {include} {golden} {compiler} --update"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("golden", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    try:
        check(options.include, options.golden, options.compiler, options.update)
    except Violation as violation:
        sys.exit(str(violation))


if __name__ == "__main__":
    main()
