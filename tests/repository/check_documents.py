#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a document that names a file, a preset or a symbol that does not exist.

    check_documents.py ROOT

Looks at every .md file: links to files, words in backticks that are paths of this repository, commands of
`console` blocks that start with a file, words such as `tenure_add_provider` or `TypedTensor` that must occur in
the code, and the names of tests in tables whose last column is headed `test`.
"""
import pathlib
import re
import sys

TOP = {"core", "providers", "sdk", "tests", "tools", "docs", "examples", "cmake", "bench"}
LINK = re.compile(r"\]\(([^)#]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"^[\w./-]+/[\w./-]*$")
SYMBOL = re.compile(r"^(?:tenure::)*((?:[A-Z]\w*[a-z]\w*)|(?:(?:tenure|TENURE)_\w+))(?:\(\))?$")
SOURCES = {".h", ".hpp", ".c", ".cpp", ".cu", ".py", ".cmake", ".txt", ".in", ".json"}


def words_of_code(root):
    words = set()
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        if parts[0] in ("build", ".git") or path.suffix not in SOURCES or not path.is_file():
            continue
        words.update(re.findall(r"\w+", path.read_text(errors="replace")))
    return words


def path_problem(root, document, text):
    """A sentence when `text` looks like a path of this repository and nothing is there."""
    first = text.split("/")[0]
    if not PATH.match(text) or first not in TOP:
        return None
    return None if (root / text).exists() else f"{document}: `{text}` does not exist"


def names_of_tests(root):
    names = set()
    for path in (root / "tests").rglob("*.cpp"):
        names.update(re.findall(r'TEST_CASE(?:_FIXTURE)?\((?:\w+, )?"([^"]*)"', path.read_text(errors="replace")))
    return names


def test_cells(text):
    """The last cell of each row of the tables whose last column is headed `test`."""
    in_table = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if not cells:
            in_table = False
        elif in_table:
            yield cells[-1].rstrip("|").strip()
        elif cells[-1] == "test":
            in_table = True


def check(root):
    words = words_of_code(root)
    tests = names_of_tests(root)
    problems = []
    for path in sorted(root.rglob("*.md")):
        if path.relative_to(root).parts[0] in ("build", ".git"):
            continue
        document = path.relative_to(root)
        text = path.read_text()
        prose = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
        for link in LINK.findall(prose):
            if "://" not in link and not (path.parent / link).exists():
                problems.append(f"{document}: the link to {link} leads nowhere")
        for code in CODE.findall(prose):
            problem = path_problem(root, document, code)
            symbol = SYMBOL.match(code)
            if symbol and symbol.group(1) not in words:
                problem = f"{document}: `{code}` occurs nowhere in the code"
            if problem:
                problems.append(problem)
        for cell in test_cells(prose):
            problems.extend(f"{document}: there is no test `{name}`" for name in CODE.findall(cell) if name not in tests)
        for block in re.findall(r"^```console\n(.*?)^```", text, flags=re.S | re.M):
            for line in block.splitlines():
                command = line.removeprefix("$ ").split(" ")[0]
                problem = path_problem(root, document, command)
                if problem:
                    problems.append(problem)
    return problems


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "every name in the documents exists")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
