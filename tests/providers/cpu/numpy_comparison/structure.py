# SPDX-License-Identifier: Apache-2.0
"""Copies, casts and operations that move elements, by NumPy. All are exact."""
import numpy
from array_file import COMPLEX, FLOATING, STORED, rounded, wide
from bounds import require_equal


def cast(values, dtype):
    """Real to integer is cut towards zero and held in range, NaN gives 0. Integers wrap. Of complex the real part."""
    if dtype == "bool":
        return values != 0
    if dtype in COMPLEX:
        return values.astype(STORED[dtype])
    if numpy.iscomplexobj(values):
        values = values.real
    if dtype in FLOATING:
        return rounded(wide(values), dtype)
    if values.dtype.kind == "f":
        limits = numpy.iinfo(STORED[dtype])
        # Long double holds both limits of 64 bits; the cast of the upper one of u64 does not.
        held = numpy.clip(numpy.trunc(numpy.nan_to_num(wide(values), nan=0, posinf=2.0**70, neginf=-(2.0**70))),
                          numpy.longdouble(limits.min), numpy.longdouble(limits.max))
        whole = [int(value) for value in held.ravel()]
        return numpy.array(whole, STORED[dtype]).reshape(values.shape)
    return values.astype(STORED[dtype])


def pad(inputs, attributes):
    a, value = (array.values for array in inputs)
    extents = [before + extent + after for extent, (before, after) in zip(a.shape, attributes["widths"], strict=True)]
    out = numpy.full(extents, value, a.dtype)
    out[tuple(slice(before, before + extent) for extent, (before, _) in zip(a.shape, attributes["widths"]))] = a
    return out


def of_matrices(function):
    def run(inputs, attributes):
        a = numpy.moveaxis(inputs[0].values, (0, 1), (-2, -1))
        return numpy.moveaxis(function(a, attributes["diagonal"]), (-2, -1), (0, 1))
    return run


def embed_diagonal(inputs, attributes):
    a, offset = inputs[0].values, attributes["offset"]
    axis, other_axis = attributes["axis"], attributes["other_axis"]
    place = axis - (other_axis < axis)
    lines = numpy.moveaxis(a, place, -1)
    count = lines.shape[-1]
    out = numpy.zeros(lines.shape[:-1] + (count + abs(offset),) * 2, a.dtype)
    along = numpy.arange(count)
    out[..., along + max(-offset, 0), along + max(offset, 0)] = lines
    return numpy.moveaxis(out, (-2, -1), (axis, other_axis))


def gather(inputs, attributes):
    a, indices = (array.values for array in inputs)
    return numpy.take_along_axis(a, indices, attributes["axis"])


def scatter(inputs, attributes):
    a, indices, updates = (array.values for array in inputs)
    axis = attributes["axis"] % a.ndim
    common = list(a.shape)
    common[axis] = numpy.broadcast_shapes(indices.shape, updates.shape)[axis]
    indices, updates = numpy.broadcast_to(indices, common), numpy.broadcast_to(updates, common)
    out = a.copy()
    for place in range(common[axis]):  # the last one along the axis stays
        part = numpy.s_[place : place + 1]
        at = (slice(None),) * axis + (part,)
        numpy.put_along_axis(out, indices[at], updates[at], axis)
    return out


EXPECTED = {
    "copy": lambda inputs, attributes: inputs[0].values,
    "cast": lambda inputs, attributes: cast(inputs[0].values, attributes["dtype"]),
    "concatenate": lambda inputs, attributes: numpy.concatenate([a.values for a in inputs], attributes["axis"]),
    "pad": pad,
    "reverse": lambda inputs, attributes: numpy.flip(inputs[0].values, tuple(attributes["axes"])),
    "tril": of_matrices(numpy.tril), "triu": of_matrices(numpy.triu),
    "embed_diagonal": embed_diagonal, "gather": gather, "scatter": scatter,
}


def check(name, inputs, attributes, found):
    with numpy.errstate(all="ignore"):
        require_equal(found, EXPECTED[name](inputs, attributes))


def check_fill(inputs, found):
    require_equal(found, numpy.broadcast_to(inputs[0].values, found.values.shape))
