# SPDX-License-Identifier: Apache-2.0
"""Decompositions and solves by what must hold for them, and by NumPy where the result is unique.

A residual is at most 32 (n + 8) epsilon times the size of what is subtracted, with n the larger extent: of a solution
the size is |a| |x| + |b|, of a decomposition the largest element of the matrix times n.
"""
import numpy
from array_file import EPSILON
from bounds import Disagreement, require_shape


def batch_first(values, matrix_axes=2):
    return numpy.moveaxis(values, tuple(range(matrix_axes)), tuple(range(-matrix_axes, 0)))


def adjoint(matrices):
    return numpy.swapaxes(matrices, -1, -2).conj()


class Case:
    """The operands and results with the batch in front, in double precision, and how large a residual may be."""

    def __init__(self, inputs, found, vectors=()):
        self.a = batch_first(inputs[0].values)
        self.epsilon = EPSILON[inputs[0].dtype]
        n = max(self.a.shape[-2:])
        self.factor = 32 * (n + 8) * self.epsilon
        largest = numpy.abs(self.a).max(initial=0)
        self.size = largest * max(n, 1)
        self.b = batch_first(inputs[1].values) if len(inputs) > 1 else None
        self.found = [batch_first(array.values, 1 if number in vectors else 2) for number, array in enumerate(found)]
        kind = numpy.complex128 if numpy.iscomplexobj(self.a) else numpy.float64
        self.a = self.a.astype(kind)

    def require_zero(self, what, residual, size=None):
        size = self.size if size is None else size
        found, allowed = numpy.abs(residual), self.factor * size
        if not numpy.all(found <= allowed):
            raise Disagreement(f"{what}: a residual of {found.max()}, allowed {numpy.max(allowed)}")

    def require_orthonormal(self, what, q):
        self.require_zero(f"the columns of {what}", adjoint(q) @ q - numpy.eye(q.shape[-1]), 1)

    def require(self, what, is_good):
        if not is_good:
            raise Disagreement(what)


def double(matrices):
    return matrices.astype(numpy.complex128 if numpy.iscomplexobj(matrices) else numpy.float64)


def hermitian(a):
    """What the lower triangle says."""
    lower = numpy.tril(a, -1)
    diagonal = numpy.real(numpy.diagonal(a, axis1=-2, axis2=-1))
    return lower + adjoint(lower) + numpy.eye(a.shape[-1]) * diagonal[..., None, :]


def cholesky(inputs, attributes, found):
    case = Case(inputs, found)
    l, a = double(case.found[0]), hermitian(case.a)
    case.require("the factor is not lower", numpy.array_equal(l, numpy.tril(l)))
    case.require_zero("l l^H", l @ adjoint(l) - a)
    case.require_zero("beside numpy.linalg.cholesky", l - numpy.linalg.cholesky(a))


def lu(inputs, attributes, found):
    case = Case(inputs, found, vectors=(1,))
    factors, rows = double(case.found[0]), case.found[1]
    m, n = case.a.shape[-2:]
    k = min(m, n)
    l = numpy.tril(factors[..., :, :k], -1) + numpy.eye(m, k)
    u = numpy.triu(factors[..., :k, :])
    case.require("rows are no permutation", numpy.array_equal(numpy.sort(rows, axis=-1), numpy.broadcast_to(
        numpy.arange(m), rows.shape)))
    pivot = numpy.abs(l.real).max(initial=0) if not numpy.iscomplexobj(l) else numpy.abs(l).max(initial=0) / 2**0.5
    case.require(f"an element of L is {pivot}", pivot <= 1 + 8 * case.epsilon)
    case.require_zero("L U", l @ u - numpy.take_along_axis(case.a, rows[..., :, None], -2),
                      (numpy.abs(l) @ numpy.abs(u)).max(initial=0))


def qr(inputs, attributes, found):
    case = Case(inputs, found)
    q, r = map(double, case.found)
    case.require_orthonormal("q", q)
    case.require("r is not upper", numpy.array_equal(r, numpy.triu(r)))
    case.require_zero("q r", q @ r - case.a)
    case.require_zero("magnitudes beside numpy.linalg.qr",
                      numpy.abs(numpy.diagonal(r, axis1=-2, axis2=-1))[..., :1]
                      - numpy.abs(numpy.diagonal(numpy.linalg.qr(case.a)[1], axis1=-2, axis2=-1))[..., :1])


def solve(inputs, attributes, found):
    case = Case(inputs, found)
    require_solution(case, case.a, double(case.found[0]))


def triangular_solve(inputs, attributes, found):
    case = Case(inputs, found)
    a = numpy.triu(case.a) if attributes["is_upper"] else numpy.tril(case.a)
    if attributes["has_unit_diagonal"]:
        a = a - a * numpy.eye(a.shape[-1]) + numpy.eye(a.shape[-1])
    require_solution(case, a, double(case.found[0]))


def require_solution(case, a, x):
    size = (numpy.abs(a) @ numpy.abs(x) + numpy.abs(case.b)).max(axis=-2, keepdims=True, initial=0)
    case.require_zero("a x - b", a @ x - case.b, size)


def eigh(inputs, attributes, found):
    case = Case(inputs, found, vectors=(0,))
    values, vectors, a = double(case.found[0]), double(case.found[1]), hermitian(case.a)
    case.require_zero("values beside numpy.linalg.eigvalsh", values - numpy.linalg.eigvalsh(a))
    case.require_orthonormal("vectors", vectors)
    case.require_zero("a v - v w", a @ vectors - vectors * values[..., None, :])


def svd(inputs, attributes, found):
    case = Case(inputs, found, vectors=(1,))
    u, s, vh = map(double, case.found)
    case.require_zero("values beside numpy.linalg.svd", s - numpy.linalg.svd(case.a, compute_uv=False))
    case.require_orthonormal("u", u)
    case.require_orthonormal("vh^H", adjoint(vh))
    case.require_zero("u s vh", (u * s[..., None, :]) @ vh - case.a)


CHECKS = {"cholesky": cholesky, "lu": lu, "qr": qr, "solve": solve, "triangular_solve": triangular_solve,
          "eigh": eigh, "svd": svd}


def check(name, inputs, attributes, found):
    if 0 in inputs[0].values.shape[:2]:
        for array in found:
            require_shape(array, array.values.shape)
        return
    CHECKS[name](inputs, attributes, found)
