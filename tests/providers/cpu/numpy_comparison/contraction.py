# SPDX-License-Identifier: Apache-2.0
"""matmul and contract by numpy.matmul in long double, with the axes of each operand brought together.

An element of k products differs by at most (k + 8) epsilon times the sum of the magnitudes that it is made of.
Integers are multiplied in their own type, in which NumPy wraps.
"""
import numpy
from array_file import EPSILON, wide
from bounds import require_close, require_equal


class Contraction:
    """What an equation such as "abc,cbd->adb" says of labels: axes of batch, contracted and of one side only."""

    def __init__(self, equation):
        sides, self.out = equation.split("->")
        self.left, self.right = sides.split(",")
        common = [label for label in self.left if label in self.right]
        self.batch = [label for label in common if label in self.out]
        self.contracted = [label for label in common if label not in self.out]
        self.of_left = [label for label in self.left if label not in common]
        self.of_right = [label for label in self.right if label not in common]

    def terms(self, extents):
        return product(extents[label] for label in self.contracted)

    def run(self, a, b, extents):
        rows = together(a, self.left, [self.batch, self.of_left, self.contracted], extents)
        columns = together(b, self.right, [self.batch, self.contracted, self.of_right], extents)
        order = self.batch + self.of_left + self.of_right
        result = numpy.matmul(rows, columns).reshape([extents[label] for label in order])
        return result.transpose([order.index(label) for label in self.out])


def product(numbers):
    return int(numpy.prod(list(numbers), dtype=int))


def together(values, labels, groups, extents):
    """With one axis for each group of labels."""
    order = [labels.index(label) for group in groups for label in group]
    return values.transpose(order).reshape([product(extents[label] for label in group) for group in groups])


def check(inputs, attributes, found):
    is_exact = found.dtype not in EPSILON
    a, b, *accumulation = (array.values if is_exact else wide(array.values) for array in inputs)
    contraction = Contraction(attributes["equation"])
    extents = dict(zip(contraction.left, a.shape)) | dict(zip(contraction.right, b.shape))

    def accumulated(product_of_both, magnitude):
        if not accumulation:
            return product_of_both
        before, alpha, beta = (magnitude(each) for each in accumulation)
        return alpha * product_of_both + beta * before

    expected = accumulated(contraction.run(a.conj() if attributes["conjugate_left"] else a,
                                           b.conj() if attributes["conjugate_right"] else b, extents),
                           numpy.asarray)
    if is_exact:
        return require_equal(found, expected)
    size = accumulated(contraction.run(numpy.abs(a), numpy.abs(b), extents), numpy.abs)
    require_close(found, expected, (contraction.terms(extents) + 8) * EPSILON[found.dtype] * size)
