# SPDX-License-Identifier: Apache-2.0
"""How far a computed array may lie from what NumPy says."""
import numpy
from array_file import EPSILON, SMALLEST, rounded, wide


class Disagreement(Exception):
    pass


def require_shape(found, extents):
    if tuple(found.values.shape) != tuple(extents):
        raise Disagreement(f"extents {found.values.shape}, NumPy says {tuple(extents)}")


def require(is_good, found, expected):
    """`is_good` for each element; names the first that is not."""
    if numpy.all(is_good):
        return
    index = tuple(int(place) for place in numpy.argwhere(~is_good)[0])
    raise Disagreement(f"{numpy.count_nonzero(~is_good)} of {is_good.size} elements, first at {index}: "
                       f"{found[index]!r}, NumPy says {expected[index]!r}")


def is_same(found, expected):
    """Equal, or both NaN (in each part). Zeros of either sign are equal."""
    if numpy.iscomplexobj(expected) or numpy.iscomplexobj(found):
        return is_same(found.real, expected.real) & is_same(found.imag, expected.imag)
    with numpy.errstate(invalid="ignore"):
        return (found == expected) | ((found != found) & (expected != expected))


def require_equal(found, expected):
    require_shape(found, expected.shape)
    require(is_same(found.values, expected), found.values, expected)


def require_close(found, expected, allowed):
    """Within `allowed`, an array or a number, of a finite `expected`; the same where it is not finite."""
    require_shape(found, expected.shape)
    with numpy.errstate(invalid="ignore", over="ignore"):
        distance = numpy.abs(wide(found.values) - wide(expected))
        is_near = numpy.isfinite(expected) & (distance <= allowed)
        is_equal = is_same(found.values, rounded(expected, found.dtype))
        require(is_near | is_equal, found.values, expected)


def units(expected, dtype):
    """A unit of the last place of each expected value: of a complex number, of its magnitude."""
    with numpy.errstate(invalid="ignore", over="ignore"):
        return numpy.maximum(EPSILON[dtype] * numpy.abs(wide(expected)), numpy.longdouble(SMALLEST[dtype]))
