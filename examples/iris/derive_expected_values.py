#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derives the figures that the iris example must reach, by exact arithmetic on tenths of a centimetre.

    derive_expected_values.py            prints expected_values.hpp
    derive_expected_values.py --check    exits 1 when the committed header differs from that
"""
import csv
import pathlib
import sys
from fractions import Fraction
from math import isqrt

HERE = pathlib.Path(__file__).resolve().parent
COLUMNS = 4

# What R 4 prints for colMeans(iris[, 1:4]), cov(iris[, 1:4]) and cor(iris[, 1:4]), to its digits.
PUBLISHED_MEAN = ["5.843333", "3.057333", "3.758000", "1.199333"]
PUBLISHED_COVARIANCE = [
    ["0.6856935", "-0.0424340", "1.2743154", "0.5162707"],
    ["-0.0424340", "0.1899794", "-0.3296564", "-0.1216394"],
    ["1.2743154", "-0.3296564", "3.1162779", "1.2956094"],
    ["0.5162707", "-0.1216394", "1.2956094", "0.5810063"],
]
PUBLISHED_CORRELATION = [
    ["1.0000000", "-0.1175698", "0.8717538", "0.8179411"],
    ["-0.1175698", "1.0000000", "-0.4284401", "-0.3661259"],
    ["0.8717538", "-0.4284401", "1.0000000", "0.9628654"],
    ["0.8179411", "-0.3661259", "0.9628654", "1.0000000"],
]


def read_tenths():
    with open(HERE / "data" / "iris.csv", newline="") as file:
        rows = list(csv.reader(file))[1:]
    tenths = [[int(text.replace(".", "")) for text in row[:COLUMNS]] for row in rows]
    if len(tenths) != 150:
        raise SystemExit(f"data/iris.csv: wanted 150 rows, found {len(tenths)}")
    return tenths


def square_root(value):
    """The square root of a fraction, correct to more than 40 digits."""
    scale = 10**50
    return Fraction(isqrt(value.numerator * scale * scale // value.denominator), scale)


def derive(tenths):
    count = len(tenths)
    sums = [sum(row[i] for row in tenths) for i in range(COLUMNS)]
    # n * sum(x y) - sum(x) * sum(y) is n times the sum of products of deviations, in integers.
    scatter = [
        [count * sum(row[i] * row[j] for row in tenths) - sums[i] * sums[j] for j in range(COLUMNS)]
        for i in range(COLUMNS)
    ]
    mean = [Fraction(total, 10 * count) for total in sums]
    covariance = [[Fraction(s, 100 * count * (count - 1)) for s in row] for row in scatter]
    correlation = [
        [
            Fraction(1) if i == j else scatter[i][j] / square_root(Fraction(scatter[i][i] * scatter[j][j]))
            for j in range(COLUMNS)
        ]
        for i in range(COLUMNS)
    ]
    return mean, covariance, correlation


def require_published(name, values, texts):
    for value, text in zip(values, texts):
        digits = len(text.split(".")[1])
        found = f"{float(value):.{digits}f}"
        if found != text:
            raise SystemExit(f"{name}: R prints {text}, exact arithmetic gives {found}")


def array(name, values):
    body = ",\n    ".join(repr(float(value)) for value in values)
    return f"inline constexpr std::array<double, {len(values)}> {name}{{\n    {body}}};\n"


def header(mean, covariance, correlation):
    flat = lambda matrix: [value for row in matrix for value in row]
    return "\n".join(
        [
            "// SPDX-License-Identifier: Apache-2.0",
            "// expected_values: what the iris measurements must give. Written by derive_expected_values.py.",
            "#pragma once",
            "// clang-format off\n",
            "#include <array>\n",
            "namespace iris {\n",
            "// In centimetres.",
            array("expected_mean", mean),
            "// In square centimetres, column by column; symmetric.",
            array("expected_covariance", flat(covariance)),
            "// Pearson's, column by column; symmetric.",
            array("expected_correlation", flat(correlation)),
            "}  // namespace iris\n",
        ]
    )


def main():
    mean, covariance, correlation = derive(read_tenths())
    require_published("mean", mean, PUBLISHED_MEAN)
    for i in range(COLUMNS):
        require_published(f"covariance row {i}", covariance[i], PUBLISHED_COVARIANCE[i])
        require_published(f"correlation row {i}", correlation[i], PUBLISHED_CORRELATION[i])
    text = header(mean, covariance, correlation)
    if sys.argv[1:] == ["--check"]:
        committed = (HERE / "expected_values.hpp").read_text()
        if committed != text:
            raise SystemExit("expected_values.hpp is not what derive_expected_values.py writes; write it again")
    elif sys.argv[1:]:
        raise SystemExit(__doc__)
    else:
        print(text, end="")


main()
