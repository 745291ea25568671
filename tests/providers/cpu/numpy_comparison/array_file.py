# SPDX-License-Identifier: Apache-2.0
"""Arrays as case_file.hpp describes them, and what is known of their element types."""
import numpy
from numpy.lib.stride_tricks import as_strided

# bf16 has no type in NumPy: its bits are read as u16, its values kept as f32.
STORED = {
    "bool": numpy.bool_, "i8": numpy.int8, "i16": numpy.int16, "i32": numpy.int32, "i64": numpy.int64,
    "u8": numpy.uint8, "u16": numpy.uint16, "u32": numpy.uint32, "u64": numpy.uint64, "f16": numpy.float16,
    "bf16": numpy.uint16, "f32": numpy.float32, "f64": numpy.float64, "complex64": numpy.complex64,
    "complex128": numpy.complex128,
}
FLOATING = {"f16", "bf16", "f32", "f64"}
COMPLEX = {"complex64", "complex128"}
REAL_PART = {"complex64": "f32", "complex128": "f64"}
# The distance from 1 to the next number, and the smallest positive number.
EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52,
           "complex64": 2.0**-23, "complex128": 2.0**-52}
SMALLEST = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": numpy.longdouble(2) ** -1074,
            "complex64": 2.0**-149, "complex128": numpy.longdouble(2) ** -1074}


class Array:
    """`values` in the type that the element type is computed in: f32 for f16 and bf16, else its own."""

    def __init__(self, values, dtype):
        self.values, self.dtype = values, dtype


def read(data, description):
    dtype = description["dtype"]
    stored = numpy.dtype(STORED[dtype])
    count = description["bytes"] // stored.itemsize
    owner = numpy.frombuffer(data, stored, count, description["first_byte"])
    if 0 in description["extents"]:
        values = numpy.empty(description["extents"], stored)
    else:
        strides = [stride * stored.itemsize for stride in description["strides"]]
        values = as_strided(owner[description["offset"]:], description["extents"], strides)
    return Array(computable(values.flatten(), dtype).reshape(values.shape), dtype)


def computable(values, dtype):
    """`values` has one axis here and in the two functions below: NumPy treats arrays without any in its own way."""
    if dtype == "bf16":
        return (values.astype(numpy.uint32) << 16).view(numpy.float32)
    return values.astype(numpy.float32) if dtype == "f16" else values


def wide(values):
    """The same numbers in long double, of which every element type is a part."""
    return values.astype(numpy.clongdouble if numpy.iscomplexobj(values) else numpy.longdouble)


def rounded(values, dtype):
    """Floating values of any precision, rounded once, in the type that `dtype` is computed in."""
    shape = numpy.shape(values)
    return rounded_line(numpy.ravel(values), dtype).reshape(shape)


def rounded_line(values, dtype):
    if dtype in ("f64", "f32", *COMPLEX):
        return values.astype(STORED[dtype])
    single = values.astype(numpy.float32)
    if values.dtype != numpy.float32:
        single = odd(single, values)
    if dtype == "f16":
        return single.astype(numpy.float16).astype(numpy.float32)
    bits = single.view(numpy.uint32).astype(numpy.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return numpy.where(numpy.isnan(single), single, bits.astype(numpy.uint32).view(numpy.float32))


def odd(single, exact):
    """Cut instead of rounded, with the last bit set where something was lost: a second rounding is right then."""
    with numpy.errstate(invalid="ignore"):
        is_away = numpy.abs(wide(single)) > numpy.abs(wide(exact))
        cut = numpy.where(is_away, numpy.nextafter(single, numpy.float32(0)), single)
        lost = wide(cut) != wide(exact)
    bits = numpy.ascontiguousarray(cut).view(numpy.uint32)
    return numpy.where(lost & numpy.isfinite(single), bits | 1, bits).view(numpy.float32)
