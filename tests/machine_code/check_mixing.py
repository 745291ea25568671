#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a program of a checked build does not link with libtenure of a release build, nor the reverse.

    check_mixing.py COMPILER LIBRARY CONFIG_FOLDER INCLUDE_FOLDER...

CONFIG_FOLDER has the library's own tenure/config.h. The program links with it, and with the other build's it
does not, for symbols of that build's namespace.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = """
#include "tenure/tensor/tensor.hpp"
int main() { return tenure::Tensor::zeros(tenure::f64, {2}).empty(); }
"""


def link(compiler, library, folder, config_folder, includes):
    source = folder / "program.cpp"
    source.write_text(PROGRAM)
    flags = [f"-I{include}" for include in (config_folder, *includes)]
    command = [compiler, "-std=c++20", *flags, str(source), library, "-o", str(folder / "program")]
    return subprocess.run(command, capture_output=True, text=True)


def main(compiler, library, config_folder, *includes):
    config = (pathlib.Path(config_folder) / "tenure/config.h").read_text()
    is_checked = int(re.search(r"#define TENURE_CHECKED ([01])", config).group(1))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        own = link(compiler, library, folder, config_folder, includes)
        if own.returncode != 0:
            print(f"the library's own build should link, but:\n{own.stderr}")
            return 1
        (folder / "tenure").mkdir()
        (folder / "tenure/config.h").write_text(
            config.replace(f"TENURE_CHECKED {is_checked}", f"TENURE_CHECKED {1 - is_checked}"))
        mixed = link(compiler, library, folder, folder, includes)
    namespace = "tenure::release_build::" if is_checked else "tenure::checked_build::"
    if mixed.returncode == 0 or not re.search(rf"undefined reference to `{namespace}", mixed.stderr):
        print(f"a mixed program should not link for want of {namespace} symbols, but:\n{mixed.stderr or 'it links'}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
