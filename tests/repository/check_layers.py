#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads every #include and fails on one that its layer may not have. docs/architecture.md has the picture.

    check_layers.py ROOT
"""
import pathlib
import re
import sys

CORE_ORDER = ["base", "layout", "loader", "memory", "tensor", "execution", "shared"]
SOURCES = {".h", ".hpp", ".c", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CONTRACT = re.compile(r"^tenure/provider_\w+\.h$")
OUTSIDE_CORE = re.compile(r"^(tbb|oneapi|cblas|lapacke|cuda|cublas|cusolver|hwy)\b|^cuda_")


def core_folder(include):
    """The core folder that an include names, or None when it names none."""
    parts = include.removeprefix("tenure/").split("/")
    return parts[0] if len(parts) > 1 and parts[0] in CORE_ORDER else None


def is_core(include):
    return include in ("tenure/config.h", "tenure/tenure.hpp") or (
        include.startswith("tenure/") and core_folder(include) is not None
    )


def contract(include):
    if not CONTRACT.match(include) and include not in ("stdint.h", "stddef.h"):
        return "the contract includes <stdint.h>, <stddef.h> and itself only"
    return None


def abi(include):
    if is_core(include) or include.startswith("tenure/sdk"):
        return "tenure/abi includes the contract, tenure/abi and the standard library only"
    return None


def sdk(include):
    return "tenure/sdk may not include core" if is_core(include) else None


def provider(include):
    if is_core(include):
        return "a provider may not include core"
    return None


def core(folder):
    def rule(include):
        if include.startswith("tenure/sdk"):
            return "core may not include tenure/sdk"
        if OUTSIDE_CORE.match(include):
            return "core knows no TBB, BLAS or CUDA"
        if include.startswith("boost/dll") and folder != "loader":
            return "only core's loader includes Boost.DLL"
        other = core_folder(include)
        if folder and other and CORE_ORDER.index(other) > CORE_ORDER.index(folder):
            return f"core/{folder} may not include core/{other}, which is to its right"
        return None

    return rule


def user(include):
    return "outside core and providers, tenure/sdk is for provider authors" if include.startswith("tenure/sdk") else None


def rule_of(path):
    """The rule of a file, by its path from the root; None for files that may include anything."""
    parts = path.parts
    text = path.as_posix()
    if text.startswith("sdk/include/tenure/provider_"):
        return contract
    if text.startswith("sdk/include/tenure/abi/"):
        return abi
    if parts[0] == "sdk":
        return sdk
    if parts[0] == "providers" or text.startswith("examples/providers/"):
        return provider
    if text.startswith("core/src/"):
        return core(parts[2])
    if text.startswith("core/include/tenure/"):
        return core(parts[3] if parts[3] in CORE_ORDER else None)
    if parts[0] in ("tools", "examples", "bench", "python"):
        return user
    return None


def check(root):
    problems = []
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        if path.suffix not in SOURCES or relative.parts[0] in ("build", ".git"):
            continue
        rule = rule_of(relative)
        if rule is None:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            reason = rule(match.group(1)) if match else None
            if reason:
                problems.append(f"{relative}:{number}: <{match.group(1)}>: {reason}")
    return problems


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "every include is allowed")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
