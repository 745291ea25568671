# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions by NumPy.

Functions of EXACT have one right value: computed in the element type (f32 for f16 and bf16) and rounded once.
Those of CLOSE are computed in long double; beside each stands the bound of providers/cpu/README.md for f32 and f64,
in units of the last place. A unit here is epsilon times the value, which is one to two of them, so the bounds hold
within a factor of two; complex functions get 16 and a complex power, whose logarithm is amplified, 256.
"""
import numpy
from array_file import COMPLEX, FLOATING, STORED, rounded, wide
from bounds import require_close, require_equal, units


def truncated_quotient(a, b):
    quotient = numpy.floor_divide(a, b)
    remainder = a - quotient * b
    return quotient + ((remainder != 0) & ((a < 0) != (b < 0))).astype(a.dtype)


def divide(a, b):
    return truncated_quotient(a, b) if a.dtype.kind in "iu" else a / b



EXACT = {
    "neg": numpy.negative, "abs": numpy.abs, "sqrt": numpy.sqrt, "conj": numpy.conj, "sign": numpy.sign,
    "reciprocal": lambda a: a.dtype.type(1) / a,
    "floor": lambda a: numpy.floor(a) if a.dtype.kind == "f" else a,
    "ceil": lambda a: numpy.ceil(a) if a.dtype.kind == "f" else a,
    "round": lambda a: numpy.rint(a) if a.dtype.kind == "f" else a,
    "logical_not": numpy.logical_not, "add": numpy.add, "subtract": numpy.subtract, "multiply": numpy.multiply,
    "divide": divide, "maximum": numpy.maximum, "minimum": numpy.minimum, "remainder": numpy.fmod,
    "pow": numpy.power, "equal": numpy.equal, "not_equal": numpy.not_equal, "less": numpy.less,
    "less_equal": numpy.less_equal, "greater": numpy.greater, "greater_equal": numpy.greater_equal,
    "logical_and": numpy.logical_and, "logical_or": numpy.logical_or, "logical_xor": numpy.logical_xor,
    "where": numpy.where,
}
CLOSE = {
    "exp": (numpy.exp, 0.95), "log": (numpy.log, 1), "sin": (numpy.sin, 0.95), "cos": (numpy.cos, 0.95),
    "tan": (numpy.tan, 1), "tanh": (numpy.tanh, 1), "expm1": (numpy.expm1, 1), "log1p": (numpy.log1p, 1),
    "sigmoid": (lambda a: 1 / (1 + numpy.exp(-a)), 0.8), "rsqrt": (lambda a: 1 / numpy.sqrt(a), 1.5),
    "pow": (numpy.power, 1), "atan2": (numpy.arctan2, 1),
}
CLOSE_COMPLEX = {
    "abs": (numpy.abs, 2), "sqrt": (numpy.sqrt, 16), "reciprocal": (lambda a: 1 / a, 16),
    "rsqrt": (lambda a: 1 / numpy.sqrt(a), 16), "multiply": (numpy.multiply, 16), "divide": (numpy.divide, 16),
    "pow": (lambda a, b: numpy.exp(b * numpy.log(a)), 256),
    **{name: (CLOSE[name][0], 16) for name in ("exp", "log", "sin", "cos", "tan", "tanh")},
}
NAMES = set(EXACT) | set(CLOSE)


def dtype_of_operands(inputs):
    return inputs[-1].dtype  # the condition of `where` is the first one


def check(name, inputs, found):
    dtype = dtype_of_operands(inputs)
    values = [array.values for array in inputs]
    close = CLOSE_COMPLEX if dtype in COMPLEX else CLOSE if dtype in FLOATING else {}
    with numpy.errstate(all="ignore"):
        if name in close:
            function, ulps = close[name]
            expected = function(*map(wide, values))
            # f16 and bf16 are rounded once more.
            more = 0.5 if dtype in ("f16", "bf16") else 0
            require_close(found, expected, (ulps + more) * units(expected, found.dtype))
        else:
            require_equal(found, result_of(EXACT[name](*values), found.dtype))


def result_of(computed, dtype):
    return rounded(computed, dtype) if dtype in FLOATING else computed.astype(STORED[dtype])


def check_clamp(inputs, found):
    a, low, high = (array.values for array in inputs)
    require_equal(found, result_of(numpy.minimum(numpy.maximum(a, low), high), found.dtype))


def check_program(inputs, attributes, founds):
    values = [array.values for array in inputs]
    with numpy.errstate(all="ignore"):
        for node in attributes["nodes"]:
            values.append(EXACT[node["function"]](*(values[number] for number in node["arguments"])))
    for number, found in zip(attributes["outputs"], founds, strict=True):
        require_equal(found, values[number])
