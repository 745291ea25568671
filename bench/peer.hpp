// SPDX-License-Identifier: Apache-2.0
// peer: a library or a loop that Tenure is measured against.
//
// Each peer is one source file that includes nothing of Tenure, so that neither its headers nor its compiler
// flags reach further. C++17, because that is what some of them are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tenure::bench {

// Does the same operation this many times.
using Work = std::function<void(std::uint64_t repetitions)>;

enum class Element {
  f32,
  f64
};

inline std::size_t element_bytes(Element element) { return element == Element::f32 ? 4 : 8; }

// Elements that somebody else owns. Without strides they are compact, the first axis fastest.
struct Array {
  void* data = nullptr;
  Element element = Element::f64;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;

  std::int64_t count() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
  }
};

enum class Operation {
  copy,
  add,
  multiply,
  sqrt,
  exp,
  log,
  sin,
  tanh,
  sqrt_exp_multiply,   // sqrt(a) * exp(a)
  log1p_exp_multiply,  // log1p(a) * exp(a)
  sum,
  max
};

// `out` is written, or with `is_allocating` a new result is made and dropped each time. Compact operands.
struct ElementwiseJob {
  Operation operation;
  std::vector<Array> inputs;
  Array out;
  bool is_allocating = false;
};

// Over one axis, or over all of them when `axis` is negative.
struct ReduceJob {
  Operation operation;
  Array input;
  std::int64_t axis = -1;
  Array out;
};

// out = a b for matrices with the first axis fastest, and for a third axis that counts products. With
// `is_left_transposed` the array `a` holds the transpose of the left matrix.
struct MatmulJob {
  Array a;
  Array b;
  Array out;
  bool is_left_transposed = false;
  bool is_allocating = false;
};

enum class LinalgOperation {
  cholesky,
  lu,
  qr,
  solve,
  triangular_solve,
  eigh,
  svd
};

// Of a square matrix with the first axis fastest. Each writes what Engine's operation of that name does, but
// no list of exchanged rows; signs of eigenvectors and singular vectors are free. `b` is for the two solves.
struct LinalgJob {
  LinalgOperation operation;
  Array a;
  Array b;
  std::vector<Array> outputs;
  bool is_allocating = false;
};

// out[i, j, ...] = source[i, j, ...]: a copy of an array of any strides.
struct PermuteJob {
  Array source;
  Array out;
};

enum class ViewKind {
  transpose,
  permute,
  slice,
  reshape,
  strided,
  empty,
  adopt,
  data
};

// One view of an array with these extents, made and dropped.
struct ViewJob {
  ViewKind kind;
  Array array;
};

// A network that is contracted pair by pair. Axes are letters, one for each axis, the last one fastest.
struct NetworkJob {
  std::vector<Array> tensors;
  struct Step {
    std::size_t left;
    std::size_t right;
    std::string equation;  // "ab,bc->ac", at most 52 letters
  };
  std::vector<Step> steps;  // operands are taken out of the list, later one first; the result goes to its end
  std::string output;       // permutes the last result, "ab->ba"
};

// Contracts once; what it returns gives the elements of the result, the last axis fastest.
using NetworkResult = std::function<std::vector<double>()>;
using NetworkRun = std::function<NetworkResult()>;

struct Allocator {
  void* (*allocate)(std::size_t bytes) = nullptr;
  void (*free)(void* address) = nullptr;
};

// What a peer does not have is an empty Work.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual std::string name() const = 0;
  // Version, core type and threading, for a person.
  virtual std::string description() const = 0;
  virtual void set_threads(unsigned) {}

  virtual Work elementwise(const ElementwiseJob&) const { return {}; }
  virtual Work reduce(const ReduceJob&) const { return {}; }
  virtual Work matmul(const MatmulJob&) const { return {}; }
  virtual Work linalg(const LinalgJob&) const { return {}; }
  virtual Work permute(const PermuteJob&) const { return {}; }
  virtual Work view(const ViewJob&) const { return {}; }
  virtual NetworkRun network(const NetworkJob&) const { return {}; }
  virtual Allocator allocator() const { return {}; }
};

// One function for each peer; those whose packages were not found are not compiled.
std::unique_ptr<Peer> make_cblas_peer();
std::unique_ptr<Peer> make_eigen_peer();
std::unique_ptr<Peer> make_glibc_peer();
std::unique_ptr<Peer> make_lapack_peer();
std::unique_ptr<Peer> make_libtorch_peer();
std::unique_ptr<Peer> make_loop_peer();
std::unique_ptr<Peer> make_memcpy_peer();
std::unique_ptr<Peer> make_mimalloc_peer();
std::unique_ptr<Peer> make_streaming_loop_peer();
std::unique_ptr<Peer> make_tbb_peer();
std::unique_ptr<Peer> make_xtensor_peer();

// Keeps the compiler from removing the computation of a value, and from keeping memory in registers.
template <class T>
inline void do_not_optimize(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

// A Work of a function that does one operation.
template <class F>
Work repeat(F operation) {
  return [operation = std::move(operation)](std::uint64_t repetitions) mutable {
    for (; repetitions > 0; --repetitions) operation();
  };
}

}  // namespace tenure::bench
