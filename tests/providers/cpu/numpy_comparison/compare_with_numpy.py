#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares every operation of an engine with NumPy.

    compare_with_numpy.py PROGRAM PROVIDER [--seed N] [--forget OPERATION] [--spoil OPERATION]

PROGRAM is operation_cases, which computes seeded cases with the engines of PROVIDER and writes inputs and outputs as
case_file.hpp says. Each is computed again here; how far results may differ is said in elementwise.py, reductions.py,
structure.py, contraction.py and linear_algebra.py. Fails also when an operation has no case: a function or reduction
of the operation table, or anything that the headers of Engine declare with an `_into` form. Skipped, with a reason,
where Python has no NumPy. --forget leaves the cases of an operation out and --spoil changes its results, to show that
both are found.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[4]
HEADERS = [ROOT / "core/include/tenure/execution" / name for name in ("engine.hpp", "linear_algebra.hpp")]
SEED = 20240615


def declared_methods():
    """Public operations of Engine that write into a destination, without _into; those of its macros apart."""
    methods, of_macros = set(), set()
    for header in HEADERS:
        public = header.read_text().split("\n private:\n")[0]
        methods.update(re.findall(r"\bvoid (\w+)_into\(", public))
        of_macros.update(re.findall(r"^  TENURE_(?:UNARY|BINARY|REDUCTION)\((\w+)\)", public, re.MULTILINE))
    return methods, of_macros - {"name"}


def missing(index, references):
    """A sentence for each operation that no case or no reference covers."""
    cases = index["cases"]
    methods, of_macros = declared_methods()
    into = {case["method"] for case in cases if "into" in case["results"]}
    operations = {case["operation"] for case in cases}
    for kind, known in (("function", references["apply"]), ("reduction", references["reduce"])):
        for name in index[kind + "s"]:
            if name not in known:
                yield f"the {kind} {name} has no NumPy expression"
            if name not in operations:
                yield f"the {kind} {name} has no case"
    for name in sorted(of_macros - set(index["functions"]) - set(index["reductions"])):
        yield f"Engine::{name} is in no operation table"
    for name in sorted(methods - into):
        yield f"Engine::{name}_into has no case"


def check(case, inputs, found):
    import contraction
    import elementwise
    import linear_algebra
    import reductions
    import structure

    method, operation, attributes = case["method"], case["operation"], case["attributes"]
    if method == "run":
        elementwise.check_program(inputs, attributes, found)
    elif method == "clamp":
        elementwise.check_clamp(inputs, found[0])
    elif method in ("apply", "where"):
        elementwise.check(operation, inputs, found[0])
    elif method == "reduce":
        reductions.check(operation, inputs[0], attributes, found[0])
    elif method in ("contract", "matmul"):
        contraction.check(inputs, attributes, found[0])
    elif method == "fill":
        structure.check_fill(inputs, found[0])
    elif method in linear_algebra.CHECKS:
        linear_algebra.check(method, inputs, attributes, found)
    else:
        structure.check(method, inputs, attributes, found[0])


def describe(case, form):
    inputs = ", ".join(f"{a['dtype']}{a['extents']} strides {a['strides']}" for a in case["inputs"])
    return f"{case['operation']} ({form}) of {inputs} {json.dumps(case['attributes'])}"


def spoil(array):
    """The first element of a result becomes another one."""
    if array.values.size > 0:
        first = (0,) * array.values.ndim
        value = array.values[first]
        array.values[first] = not value if array.dtype == "bool" else 3 if value == value and value != 3 else 5


def compare(folder, references, forgotten, spoiled):
    """Sentences about what is missing or differs, and how many cases there are."""
    from array_file import read
    from bounds import Disagreement

    index = json.loads((folder / "index.json").read_text())
    data = (folder / "data").read_bytes()
    index["cases"] = [case for case in index["cases"] if case["operation"] != forgotten]
    problems = list(missing(index, references))
    for number, case in enumerate(index["cases"]):
        inputs = [read(data, array) for array in case["inputs"]]
        for form, arrays in case["results"].items():
            found = [read(data, array) for array in arrays]
            if case["operation"] == spoiled:
                spoil(found[0])
            try:
                check(case, inputs, found)
            except Disagreement as difference:
                problems.append(f"case {number}, {describe(case, form)}: {difference}")
    return problems, collections.Counter(case["operation"] for case in index["cases"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("provider")
    parser.add_argument("--seed", default=SEED, type=int)
    parser.add_argument("--forget")
    parser.add_argument("--spoil")
    arguments = parser.parse_args()
    try:
        import numpy
    except ImportError:
        print("skipped: this Python has no NumPy to compare with")
        sys.exit(77)
    import elementwise
    import reductions

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments.program, arguments.provider, str(arguments.seed), folder], check=True)
        references = {"apply": elementwise.NAMES, "reduce": reductions.NAMES}
        problems, counts = compare(pathlib.Path(folder), references, arguments.forget, arguments.spoil)
    for problem in problems[:50]:
        print(problem)
    if problems:
        sys.exit(f"{len(problems)} problems; seed {arguments.seed}, NumPy {numpy.__version__}")
    print(f"{sum(counts.values())} cases of {len(counts)} operations, all as NumPy {numpy.__version__} says")


if __name__ == "__main__":
    main()
