#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that a provider class with something missing or misspelt gets one error with one sentence.

    check_messages.py COMPILER INCLUDE MINIMAL_CPP

Changes the minimal example in one place at a time and reads what the compiler says.
"""
import concurrent.futures
import os
import re
import subprocess
import sys

# Each case: what is replaced by what, and a part of the sentence.
CASES = [
    ({"Minimal(const sdk::Host&, sdk::OpenOptions&)": "explicit Minimal(int)"}, "needs a public constructor"),
    ({"domains() const": "domains_() const"}, "needs a public member domains() const"),
    ({"Storage create(std::uint64_t": "Storage make(std::uint64_t"}, "needs a public member create("),
    ({"void release(Storage& storage) noexcept": "void release(Storage& storage)"}, "needs a public member release("),
    ({"map(Storage& storage, std::uint32_t": "map(Storage& storage, void*"}, "needs a public member map("),
    (
        {"Storage create(": "Storage* create(", "return {address, alignment}": "return new Storage{address, alignment}"},
        "needs a public static member facts(",
    ),
    ({"void* map(": "void unmap(Storage&) noexcept {}\n  void* map("}, "unmap takes"),
    ({"void* map(": "void trim(std::uint64_t) noexcept {}\n  void* map("}, "trim takes"),
    ({"void* map(": "int devices() const { return 0; }\n  void* map("}, "devices() const returns"),
    ({"void* map(": "void* copy(int) { return nullptr; }\n  void* map("}, "copy takes"),
    ({'"org.tenure.example.minimal-cpp"': '"Minimal"'}, "a provider id is reverse DNS"),
    ({'"0.1.0"': '"1.0"'}, "a provider version is SemVer"),
]


def errors_of(compiler, include, source):
    command = [compiler, "-std=c++20", f"-I{include}", "-fsyntax-only", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return re.findall(r"^.*\berror: (.*)$", result.stderr, re.MULTILINE)


def main():
    compiler, include, example = sys.argv[1:]
    with open(example) as file:
        text = file.read()
    if errors_of(compiler, include, text):
        sys.exit("the example itself does not compile")
    variants = []
    for replacements, _ in CASES:
        variant = text
        for old, new in replacements.items():
            if text.count(old) != 1:
                sys.exit(f"the example does not hold '{old}' once")
            variant = variant.replace(old, new)
        variants.append(variant)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        answers = list(threads.map(lambda variant: errors_of(compiler, include, variant), variants))
    failed = False
    for (replacements, sentence), errors in zip(CASES, answers):
        if len(errors) != 1 or sentence not in errors[0]:
            failed = True
            print(f"{replacements}: expected one error with '{sentence}', found {errors}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
