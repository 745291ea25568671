#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a doctest source of a document: each `cpp` block is the body of a test named by its heading.

    make_document_test.py DOCUMENT OUTPUT
"""
import pathlib
import re
import sys

PREAMBLE = """// Made from {name}.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tenure/tenure.hpp"

namespace tenure {{
namespace {{
const std::string cpu_file = TENURE_TEST_PROVIDERS "/libtenure_cpu.so";
const std::string fake_file = TENURE_TEST_PROVIDERS "/libtenure_fake_shared.so";
"""


def blocks(text):
    """(heading, number within it, line, code) of each cpp block."""
    heading, number, code = "", 0, None
    for line_number, line in enumerate(text.splitlines(), start=1):
        if code is not None:
            if line == "```":
                yield heading, number, first, "\n".join(code)
                code = None
            else:
                code.append(line)
        elif line == "```cpp":
            number, first, code = number + 1, line_number + 1, []
        elif match := re.match(r"#+ (.*)", line):
            heading, number = match[1].replace(";", ","), 0


def main(document, output):
    source = [PREAMBLE.format(name=document.name)]
    for heading, number, line, code in blocks(document.read_text()):
        source.append(f'\nTEST_CASE("{document.name}: {heading}, snippet {number}") {{\n'
                      f'#line {line} "{document}"\n{code}\n}}\n')
    source.append("}  // namespace\n}  // namespace tenure\n")
    output.write_text("".join(source))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
