# SPDX-License-Identifier: Apache-2.0
"""Reductions by NumPy.

Integers, extrema and places are equal. Floating sums, means and norms are computed in long double and differ by at most
(16 + log2 n) epsilon times the sum of the magnitudes, since they are blocked and pairwise; products by n epsilon of
the value. f16 and bf16 are computed in f32 and rounded once more, which is half a unit of theirs.
"""
import numpy
from array_file import COMPLEX, EPSILON, FLOATING, STORED, wide
from bounds import require_close, require_equal, units


def with_axes_last(values, axes):
    """The kept axes, and last one axis of all reduced ones with the first of them fastest."""
    kept = [axis for axis in range(values.ndim) if axis not in axes]
    moved = values.transpose(kept + list(reversed(axes)))
    count = int(numpy.prod([values.shape[axis] for axis in axes], dtype=int))
    return moved.reshape([values.shape[axis] for axis in kept] + [count])


def place(function):
    return lambda lines: function(lines, axis=-1).astype(numpy.int64)


EXACT = {
    "max": lambda lines: lines.max(axis=-1), "min": lambda lines: lines.min(axis=-1),
    "all": lambda lines: lines.all(axis=-1), "any": lambda lines: lines.any(axis=-1),
    "argmax": place(numpy.argmax), "argmin": place(numpy.argmin),
    "sum": lambda lines: lines.sum(axis=-1, dtype=lines.dtype),
    "prod": lambda lines: lines.prod(axis=-1, dtype=lines.dtype),
}
CLOSE = {
    "sum": lambda lines: lines.sum(axis=-1), "prod": lambda lines: lines.prod(axis=-1),
    "mean": lambda lines: lines.sum(axis=-1) / numpy.longdouble(lines.shape[-1]),
    "norm2": lambda lines: numpy.sqrt((numpy.abs(lines) ** 2).sum(axis=-1)),
}
NAMES = set(EXACT) | set(CLOSE)


def allowed_error(name, lines, expected, dtype):
    computed_in = "f32" if dtype in ("f16", "bf16") else dtype
    count = max(lines.shape[-1], 1)
    if name == "prod":
        size, factor = numpy.abs(expected), 4 * count
    elif name == "norm2":
        size, factor = numpy.abs(expected), 16 + numpy.log2(count)
    else:
        size, factor = numpy.abs(lines).sum(axis=-1), 16 + numpy.log2(count)
        if name == "mean":
            size = size / count
    allowed = factor * EPSILON[computed_in] * size + units(expected, computed_in)
    return allowed + (0.5 * units(expected, dtype) if dtype != computed_in else 0)


def check(name, array, attributes, found):
    rank = array.values.ndim
    axes = attributes["axes"]
    axes = list(range(rank)) if axes is None else sorted(axis % rank for axis in axes)
    lines = with_axes_last(array.values, axes)
    extents = [1 if axis in axes else extent for axis, extent in enumerate(array.values.shape)
               if attributes["keep_axes"] or axis not in axes]
    with numpy.errstate(all="ignore"):
        if name in CLOSE and array.dtype in FLOATING | COMPLEX:
            lines = wide(lines)
            expected = CLOSE[name](lines)
            allowed = allowed_error(name, lines, expected, array.dtype)
            require_close(found, expected.reshape(extents), allowed.reshape(extents))
        else:
            require_equal(found, EXACT[name](lines).astype(values_type(found.dtype)).reshape(extents))


def values_type(dtype):
    return numpy.float32 if dtype in ("f16", "bf16") else STORED[dtype]
