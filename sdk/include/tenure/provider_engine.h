/* SPDX-License-Identifier: Apache-2.0
 *
 * provider_engine: the extension "tenure.ext.engine/1", an executor of tensor operations.
 *
 * An engine only ever writes into destinations that the core made. The core has validated everything
 * that shapes and dtypes can say: rule of the dtypes, extents of the result, broadcasting (as stride
 * 0), axes, overlap, mapping. A provider checks what needs the values, before it writes anything.
 */
#ifndef TENURE_PROVIDER_ENGINE_H
#define TENURE_PROVIDER_ENGINE_H

#include "tenure/provider_abi.h"

#define TENURE_EXT_ENGINE "tenure.ext.engine/1"

#define TENURE_RANK_MAX 64u

typedef struct tenure_engine tenure_engine;

/* DLPack's code, bits and lanes; the numbers are DLPack's. Complex bits count both parts. */
typedef struct tenure_dtype {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes; /* 1 */
} tenure_dtype;

enum {
  TENURE_DTYPE_INT = 0,
  TENURE_DTYPE_UINT = 1,
  TENURE_DTYPE_FLOAT = 2,
  TENURE_DTYPE_BFLOAT = 4,
  TENURE_DTYPE_COMPLEX = 5,
  TENURE_DTYPE_BOOL = 6
};

/* One value: the object representation of its dtype in the first bytes, zero after it. */
typedef struct tenure_scalar {
  tenure_dtype dtype;
  uint32_t zero;
  uint8_t value[16];
} tenure_scalar;

enum {
  TENURE_OPERAND_READ = 1,
  TENURE_OPERAND_WRITE = 2
};

/* A typed strided box. Index (i, j, ...) lies at address + sizeof(dtype) * (i * strides[0] + ...). The
 * address is a multiple of the dtype's alignment; more is not promised. An operand without elements has
 * neither an address nor a storage. Different indices of an output are different elements. An output
 * shares no byte with any other operand, except in TENURE_OP_PROGRAM. */
typedef struct tenure_operand {
  tenure_head head;
  void* address;           /* host address of index (0, 0, ...); null: device memory, see storage */
  tenure_storage* storage; /* memory of this engine's instance, or null */
  uint64_t offset_bytes;   /* of index (0, 0, ...) within storage when address is null */
  const int64_t* extents;
  const int64_t* strides; /* in elements */
  tenure_dtype dtype;
  uint32_t rank;
  uint32_t access; /* TENURE_OPERAND_* */
  uint32_t zero;
} tenure_operand;

/* Operation families. Operands are the inputs in order, then the outputs.
 *
 * In every family integers wrap, and f16 and bf16 are computed in f32.
 *
 * TENURE_OP_CAST: from floating to integer the fraction is dropped, what is out of range becomes the
 * nearest end of the range, and NaN becomes 0; from integer to integer the value wraps; from complex to
 * real the imaginary part is dropped; to bool anything but 0 is true, NaN included; true is 1. All other
 * casts round once, to nearest, ties to even. */
enum {
  TENURE_OP_COPY = 1,     /* in, out; equal extents and dtype; no attributes */
  TENURE_OP_CAST = 2,     /* in, out; equal extents; no attributes */
  TENURE_OP_FILL = 3,     /* out; tenure_fill_attributes */
  TENURE_OP_PROGRAM = 4,  /* any number in and out, equal extents; tenure_program_attributes */
  TENURE_OP_REDUCE = 5,   /* in, out of equal rank, reduced extents 1; tenure_reduce_attributes */
  TENURE_OP_CONTRACT = 6, /* left, right, out; tenure_contract_attributes */
  TENURE_OP_TRIANGLE = 7, /* in, out; equal extents and dtype, rank 2 or more; tenure_triangle_attributes */
  TENURE_OP_GATHER = 8,   /* in, i64 indices, out; tenure_axis_attributes */
  TENURE_OP_SCATTER = 9,  /* i64 indices, updates, out; tenure_axis_attributes */
  TENURE_OP_LINALG = 10   /* see TENURE_LINALG_*; tenure_linalg_attributes */
};

/* How the items of a batch, products of a contraction or matrices of linear algebra, share the threads of
 * the engine; without batch axes there is one item. The other families have no items and ignore it. The
 * result has the same bits whatever is chosen. Where work for several threads cannot be made in the way
 * that outer or inner want, the answer is UNIMPLEMENTED and says why. */
enum {
  TENURE_BATCH_AUTO = 0,       /* as the engine thinks best */
  TENURE_BATCH_SEQUENTIAL = 1, /* one item after the other, on the calling thread */
  TENURE_BATCH_OUTER = 2,      /* several items at once, each on one thread */
  TENURE_BATCH_INNER = 3       /* one item after the other, each on several threads */
};

typedef struct tenure_op {
  tenure_head head;
  uint32_t code; /* TENURE_OP_* */
  uint32_t operand_count;
  const tenure_operand* operands;
  uint64_t operand_stride_bytes; /* from one operand to the next in the array */
  const void* attributes;        /* the family's headed struct, or null */
  uint32_t batch_policy;         /* TENURE_BATCH_* */
  uint32_t zero;
} tenure_op;

typedef struct tenure_fill_attributes {
  tenure_head head;
  tenure_scalar value;
} tenure_fill_attributes;

/* Elementwise functions. Comparisons and logical ones give bool; abs of complex gives the real type.
 *
 * Integers: divide drops the fraction and remainder is what it leaves, with the sign of the dividend; the
 * smallest number divided by -1, its neg and its abs are that number again, and the remainder is 0. At any
 * index a divisor of 0 and a negative exponent are INVALID_ARGUMENT. conj of a real number, and floor, ceil
 * and round of an integer, are that number.
 *
 * Floating: remainder is exact, with the sign of the dividend, as C's fmod. round goes to the nearest
 * integer, ties to even. sign of NaN is NaN, of a zero that zero. maximum and minimum are NaN where an
 * operand is NaN, and which zero they give of two is unspecified. At infinities, zeros and outside their
 * domains the others are what C's functions of these names are; sigmoid(x) is 1 / (1 + exp(-x)).
 *
 * Complex: log, sqrt, rsqrt and pow have their principal values; pow(0, 0) is 1. */
enum {
  TENURE_FN_NEG = 1,
  TENURE_FN_ABS = 2,
  TENURE_FN_SQRT = 3,
  TENURE_FN_EXP = 4,
  TENURE_FN_CONJ = 5,
  TENURE_FN_SIGN = 6,
  TENURE_FN_RSQRT = 7,
  TENURE_FN_RECIPROCAL = 8,
  TENURE_FN_FLOOR = 9,
  TENURE_FN_CEIL = 10,
  TENURE_FN_ROUND = 11,
  TENURE_FN_EXPM1 = 12,
  TENURE_FN_LOG = 13,
  TENURE_FN_LOG1P = 14,
  TENURE_FN_SIN = 15,
  TENURE_FN_COS = 16,
  TENURE_FN_TAN = 17,
  TENURE_FN_TANH = 18,
  TENURE_FN_SIGMOID = 19,
  TENURE_FN_LOGICAL_NOT = 20,
  TENURE_FN_ADD = 32,
  TENURE_FN_SUBTRACT = 33,
  TENURE_FN_MULTIPLY = 34,
  TENURE_FN_DIVIDE = 35,
  TENURE_FN_MAXIMUM = 36,
  TENURE_FN_MINIMUM = 37,
  TENURE_FN_REMAINDER = 38,
  TENURE_FN_POW = 39,
  TENURE_FN_ATAN2 = 40, /* of y and x, in this order */
  TENURE_FN_EQUAL = 64,
  TENURE_FN_NOT_EQUAL = 65,
  TENURE_FN_LESS = 66,
  TENURE_FN_LESS_EQUAL = 67,
  TENURE_FN_GREATER = 68,
  TENURE_FN_GREATER_EQUAL = 69,
  TENURE_FN_LOGICAL_AND = 70,
  TENURE_FN_LOGICAL_OR = 71,
  TENURE_FN_LOGICAL_XOR = 72,
  TENURE_FN_WHERE = 96 /* bool condition, then, else */
};

/* One node of a program. Values are numbered: the inputs, the constants, the nodes, in order; a node
 * uses only smaller numbers. A value of f16 or bf16 is rounded once at each node. */
typedef struct tenure_program_node {
  uint32_t function;  /* TENURE_FN_* */
  tenure_dtype dtype; /* of the result */
  uint32_t arguments[3];
  uint32_t zero;
} tenure_program_node;

/* An output may share bytes with an input, index by index: at different indices the two share none, and
 * every read of an index comes before every write of it. Outputs share no byte with each other. */
typedef struct tenure_program_attributes {
  tenure_head head;
  uint32_t input_count;
  uint32_t constant_count;
  uint32_t node_count;
  uint32_t output_count;
  const tenure_scalar* constants;
  const tenure_program_node* nodes;
  const uint32_t* outputs; /* value numbers, one for each output operand */
} tenure_program_attributes;

/* Of no elements the sum and the norm are 0, the product is 1, the mean NaN, all is true and any false; max,
 * min, argmax and argmin are INVALID_ARGUMENT there, unless there is no result either. Max and min are NaN
 * where an element is. argmax and argmin give, as i64, the first place of such a NaN or else of the extremum;
 * places count the reduced axes, the first one fastest. The norm is the square root of the sum of the squared
 * magnitudes, which neither overflows nor loses small elements on the way. f16 and bf16 are rounded once, at
 * the end. Equal elements in equal shapes give equal bits on every engine of one instance, whatever the
 * strides. */
enum {
  TENURE_REDUCE_SUM = 1,
  TENURE_REDUCE_MEAN = 2,
  TENURE_REDUCE_MAX = 3,
  TENURE_REDUCE_MIN = 4,
  TENURE_REDUCE_PROD = 5,
  TENURE_REDUCE_ALL = 6, /* bool */
  TENURE_REDUCE_ANY = 7, /* bool */
  TENURE_REDUCE_ARGMAX = 8,
  TENURE_REDUCE_ARGMIN = 9,
  TENURE_REDUCE_NORM2 = 10 /* of complex elements the real type */
};

typedef struct tenure_reduce_attributes {
  tenure_head head;
  uint32_t function; /* TENURE_REDUCE_* */
  uint32_t zero;
  uint64_t axis_mask; /* bit i: axis i is reduced */
} tenure_reduce_attributes;

#define TENURE_CONTRACT_CONJUGATE_LEFT 1u
#define TENURE_CONTRACT_CONJUGATE_RIGHT 2u

/* out = alpha * sum over the contracted axes of left * right + beta * out. With beta 0, out need not be
 * read and what it held has no effect, NaN included; with alpha 0 the same holds for left and right. The
 * axes of out: free axes of left, free axes of right, batch axes, each in the order of its operand (batch:
 * in the order listed). */
typedef struct tenure_contract_attributes {
  tenure_head head;
  uint32_t contracted_count;
  uint32_t batch_count;
  const uint32_t* left_contracted;
  const uint32_t* right_contracted;
  const uint32_t* left_batch;
  const uint32_t* right_batch;
  tenure_scalar alpha;
  tenure_scalar beta;
  uint32_t flags; /* TENURE_CONTRACT_* */
  uint32_t zero;
} tenure_contract_attributes;

enum {
  TENURE_TRIANGLE_LOWER = 1,
  TENURE_TRIANGLE_UPPER = 2
};

/* Axes 0 and 1 are the rows and columns of matrices. An element of row i and column j is copied where j - i
 * is at most `diagonal` (lower), or at least (upper), and 0 elsewhere. */
typedef struct tenure_triangle_attributes {
  tenure_head head;
  uint32_t part; /* TENURE_TRIANGLE_* */
  uint32_t zero;
  int64_t diagonal;
} tenure_triangle_attributes;

/* GATHER: out(.., p, ..) = in(.., indices(.., p, ..), ..), where p and the index stand on `axis`. indices has
 * the extents of out, and so has in on every other axis.
 * SCATTER: out(.., indices(.., p, ..), ..) = updates(.., p, ..). indices and updates have equal extents, and
 * so has out on every other axis. What no index names keeps its value; of several updates of one element the
 * one with the highest p stays.
 * An index that is negative or not below the extent of in, or of the scattered out, is INVALID_ARGUMENT. */
typedef struct tenure_axis_attributes {
  tenure_head head;
  uint32_t axis;
  uint32_t zero;
} tenure_axis_attributes;

/* Axes 0 and 1 of every operand with matrices are rows and columns, axis 0 of one with vectors is theirs; the
 * axes after them are a batch, of equal extents in all operands. m x n is the matrix a, k the smaller of m
 * and n. All operands have one dtype but for the index vectors, which are i64, and for values, which are of
 * the real type of a complex dtype. A square a has m = n; hermitian is symmetric where the dtype is real.
 *
 * Where a matrix does not have what its function wants the answer is FAILED_PRECONDITION, the contents of the
 * outputs are unspecified, native_domain is one of the texts below and native_code counts from 1 the pivot
 * that it names, in the first such matrix of the batch. An element that is not finite is no convergence where
 * eigenvalues or singular values are wanted; a pivot that is NaN is not positive; elsewhere they spread. */
enum {
  TENURE_LINALG_CHOLESKY = 1,         /* a square, l: a = l l^H, l lower; of a the lower triangle is read */
  TENURE_LINALG_LU = 2,               /* a, factors m x n, rows m: row i of L U is row rows[i] of a */
  TENURE_LINALG_QR = 3,               /* a, q m x k, r k x n: a = q r, r upper */
  TENURE_LINALG_TRIANGULAR_SOLVE = 4, /* a square, b, x: a x = b; of a one triangle is read, see the flags */
  TENURE_LINALG_SOLVE = 5,            /* a square, b, x: a x = b */
  TENURE_LINALG_EIGH = 6, /* a hermitian, values n ascending, vectors n x n: a v = v diag(values) */
  TENURE_LINALG_SVD = 7   /* a, u m x k, s values k descending, vh k x n: a = u diag(s) vh */
};

#define TENURE_LINALG_UPPER 1u         /* triangular solve: the upper triangle, not the lower one */
#define TENURE_LINALG_UNIT_DIAGONAL 2u /* triangular solve: the diagonal is 1 and not read */

#define TENURE_LINALG_NOT_POSITIVE "not-positive" /* the pivot of a Cholesky decomposition */
#define TENURE_LINALG_SINGULAR "singular"         /* the pivot is 0 */
#define TENURE_LINALG_NO_CONVERGENCE "no-convergence"

/* factors hold U in the upper triangle, and below it L, whose diagonal of ones is not stored. */
typedef struct tenure_linalg_attributes {
  tenure_head head;
  uint32_t function; /* TENURE_LINALG_* */
  uint32_t flags;    /* TENURE_LINALG_UPPER ... */
} tenure_linalg_attributes;

enum {
  TENURE_ENGINE_SERIAL = 0,
  TENURE_ENGINE_PARALLEL = 1
};

typedef struct tenure_engine_options {
  tenure_head head;
  uint32_t mode;    /* TENURE_ENGINE_* */
  uint32_t threads; /* of a parallel engine; 0: as many as the process may use, or as threads_of has */
  /* A living parallel engine of the same instance whose threads the new one, parallel too, uses as well:
   * both run on no more together; threads is then 0 or the number that it has. Null: threads of its own. */
  tenure_engine* threads_of;
} tenure_engine_options;

/* All functions are ANY: one engine may execute from many threads at once. An engine is released before
 * its instance is closed, and after every other call on it has returned. */
typedef struct tenure_engine_api {
  tenure_head head;
  int32_t (*engine_create)(tenure_instance*, const tenure_engine_options*, tenure_engine** out,
                           tenure_status*) TENURE_NOEXCEPT;
  void (*engine_release)(tenure_engine*) TENURE_NOEXCEPT;
  /* 1 when the engine computes this family with these operand dtypes, inputs then outputs; it does so as long
   * as it lives. `function` is the TENURE_FN_*, TENURE_REDUCE_* or TENURE_LINALG_* number, or else 0. */
  int32_t (*supports)(tenure_engine*, uint32_t code, uint32_t function, const tenure_dtype* dtypes,
                      uint64_t dtype_count) TENURE_NOEXCEPT;
  /* Runs one operation; complete on return when `stream` is null. On failure the outputs' contents
   * are unspecified, except that a refusal (INVALID_ARGUMENT, UNIMPLEMENTED) has written nothing. */
  int32_t (*execute)(tenure_engine*, const tenure_op*, tenure_stream* stream, tenure_status*) TENURE_NOEXCEPT;
} tenure_engine_api;

#endif /* TENURE_PROVIDER_ENGINE_H */
