// SPDX-License-Identifier: Apache-2.0
// libtorch: its operators without autograd. Its last axis is the fastest, so a tensor here has the axes of
// ours in reverse order and the same memory.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/api/include/torch/version.h>

#include <algorithm>

#include "../peer.hpp"

namespace tenure::bench {

namespace {

at::TensorOptions options_of(Element element) {
  return at::TensorOptions(element == Element::f32 ? at::kFloat : at::kDouble);
}

at::Tensor tensor_of(const Array& array) {
  const std::vector<std::int64_t> sizes(array.extents.rbegin(), array.extents.rend());
  if (array.strides.empty()) return at::from_blob(array.data, sizes, options_of(array.element));
  const std::vector<std::int64_t> strides(array.strides.rbegin(), array.strides.rend());
  return at::from_blob(array.data, sizes, strides, options_of(array.element));
}

// Without autograd for the time of the work.
template <class F>
Work inference(F operation) {
  return [operation = std::move(operation)](std::uint64_t repetitions) mutable {
    const c10::InferenceMode guard;
    for (; repetitions > 0; --repetitions) operation();
  };
}

using Unary = at::Tensor (*)(const at::Tensor&);
using UnaryOut = at::Tensor& (*)(at::Tensor&, const at::Tensor&);

template <Unary New, UnaryOut Out>
Work unary(const ElementwiseJob& job) {
  const at::Tensor a = tensor_of(job.inputs[0]);
  if (job.is_allocating) return inference([a] { do_not_optimize(New(a)); });
  return inference([a, out = tensor_of(job.out)]() mutable { Out(out, a); });
}

template <UnaryOut First>
Work with_exp_multiplied(const ElementwiseJob& job) {
  const at::Tensor a = tensor_of(job.inputs[0]);
  at::Tensor out = tensor_of(job.out);
  at::Tensor other = at::empty_like(out);
  return inference([=]() mutable {
    First(out, a);
    at::exp_out(other, a);
    out.mul_(other);
  });
}

Work elementwise_of(const ElementwiseJob& job) {
  const at::Tensor a = tensor_of(job.inputs[0]);
  switch (job.operation) {
    case Operation::copy:
      if (job.is_allocating) return inference([a] { do_not_optimize(a.clone()); });
      return inference([a, out = tensor_of(job.out)]() mutable { out.copy_(a); });
    case Operation::add: {
      const at::Tensor b = tensor_of(job.inputs[1]);
      if (job.is_allocating) return inference([a, b] { do_not_optimize(at::add(a, b)); });
      return inference([a, b, out = tensor_of(job.out)]() mutable { at::add_out(out, a, b); });
    }
    case Operation::multiply: {
      const at::Tensor b = tensor_of(job.inputs[1]);
      if (job.is_allocating) return inference([a, b] { do_not_optimize(at::mul(a, b)); });
      return inference([a, b, out = tensor_of(job.out)]() mutable { at::mul_out(out, a, b); });
    }
    case Operation::sqrt:
      return unary<at::sqrt, at::sqrt_out>(job);
    case Operation::exp:
      return unary<at::exp, at::exp_out>(job);
    case Operation::log:
      return unary<at::log, at::log_out>(job);
    case Operation::sin:
      return unary<at::sin, at::sin_out>(job);
    case Operation::tanh:
      return unary<at::tanh, at::tanh_out>(job);
    case Operation::sqrt_exp_multiply:
      return with_exp_multiplied<at::sqrt_out>(job);
    case Operation::log1p_exp_multiply:
      return with_exp_multiplied<at::log1p_out>(job);
    default:
      return {};
  }
}

Work reduce_of(const ReduceJob& job) {
  const at::Tensor a = tensor_of(job.input);
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < a.dim(); ++axis) {
    if (job.axis < 0 || axis == a.dim() - 1 - job.axis) axes.push_back(axis);
  }
  const bool is_sum = job.operation == Operation::sum;
  return inference([a, axes, is_sum, out = tensor_of(job.out)]() mutable {
    if (is_sum) {
      at::sum_out(out, a, at::IntArrayRef(axes));
    } else {
      at::amax_out(out, a, axes);
    }
  });
}

// The transpose of a product is the product of the transposes in reverse order.
Work matmul_of(const MatmulJob& job) {
  at::Tensor a = tensor_of(job.a);
  const at::Tensor b = tensor_of(job.b);
  if (job.is_left_transposed) a = a.transpose(-1, -2);
  const bool is_batch = job.out.extents.size() > 2;
  if (job.is_allocating) {
    return inference([=] { do_not_optimize(is_batch ? at::bmm(b, a) : at::mm(b, a)); });
  }
  return inference([=, out = tensor_of(job.out)]() mutable {
    if (is_batch) {
      at::bmm_out(out, b, a);
    } else {
      at::mm_out(out, b, a);
    }
  });
}

// The matrix itself: rows first, and the first axis the fastest one in memory, as LAPACK takes it.
at::Tensor matrix_of(const Array& array) {
  const at::Tensor tensor = tensor_of(array);
  return tensor.dim() == 2 ? tensor.t() : tensor;
}

Work new_linalg(LinalgOperation operation, const at::Tensor& a, const at::Tensor& b) {
  switch (operation) {
    case LinalgOperation::cholesky:
      return inference([a] { do_not_optimize(at::linalg_cholesky(a)); });
    case LinalgOperation::lu:
      return inference([a] { do_not_optimize(at::linalg_lu_factor(a)); });
    case LinalgOperation::qr:
      return inference([a] { do_not_optimize(at::linalg_qr(a)); });
    case LinalgOperation::solve:
      return inference([a, b] { do_not_optimize(at::linalg_solve(a, b)); });
    case LinalgOperation::triangular_solve:
      return inference([a, b] { do_not_optimize(at::linalg_solve_triangular(a, b, false)); });
    case LinalgOperation::eigh:
      return inference([a] { do_not_optimize(at::linalg_eigh(a)); });
    case LinalgOperation::svd:
      return inference([a] { do_not_optimize(at::linalg_svd(a, false)); });
  }
  return {};
}

Work linalg_of(const LinalgJob& job) {
  const at::Tensor a = matrix_of(job.a);
  const at::Tensor b = job.b.data == nullptr ? at::Tensor() : matrix_of(job.b);
  if (job.is_allocating) return new_linalg(job.operation, a, b);
  std::vector<at::Tensor> out;
  for (const Array& array : job.outputs) out.push_back(matrix_of(array));
  switch (job.operation) {
    case LinalgOperation::cholesky:
      return inference([a, out]() mutable { at::linalg_cholesky_out(out[0], a); });
    case LinalgOperation::lu:
      return inference([a, out, rows = at::empty({a.size(0)}, at::kInt)]() mutable {
        at::linalg_lu_factor_out(out[0], rows, a);
      });
    case LinalgOperation::qr:
      return inference([a, out]() mutable { at::linalg_qr_out(out[0], out[1], a); });
    case LinalgOperation::solve:
      return inference([a, b, out]() mutable { at::linalg_solve_out(out[0], a, b); });
    case LinalgOperation::triangular_solve:
      return inference([a, b, out]() mutable { at::linalg_solve_triangular_out(out[0], a, b, false); });
    case LinalgOperation::eigh:
      return inference([a, out]() mutable { at::linalg_eigh_out(out[0], out[1], a); });
    case LinalgOperation::svd:
      return inference([a, out]() mutable { at::linalg_svd_out(out[0], out[1], out[2], a, false); });
  }
  return {};
}

Work view_of(const ViewJob& job) {
  const at::Tensor a = tensor_of(job.array);
  switch (job.kind) {
    case ViewKind::transpose:
      return inference([a] { do_not_optimize(a.transpose(0, -1)); });
    case ViewKind::permute: {
      std::vector<std::int64_t> axes(static_cast<std::size_t>(a.dim()));
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        axes[axis] = static_cast<std::int64_t>((axis + 1) % axes.size());
      }
      return inference([a, axes] { do_not_optimize(a.permute(axes)); });
    }
    case ViewKind::slice:
      return inference([a] { do_not_optimize(a.slice(-1, 1, 7, 2)); });
    case ViewKind::reshape:
      return inference([a] { do_not_optimize(a.view({-1})); });
    case ViewKind::strided: {
      const std::vector<std::int64_t> sizes(a.sizes().vec()), strides(a.strides().vec());
      return inference([a, sizes, strides] { do_not_optimize(a.as_strided(sizes, strides)); });
    }
    case ViewKind::empty:
      return inference(
          [sizes = a.sizes().vec(), options = a.options()] { do_not_optimize(at::empty(sizes, options)); });
    case ViewKind::adopt:
      return inference([data = job.array.data, sizes = a.sizes().vec(), options = a.options()] {
        do_not_optimize(at::from_blob(data, sizes, options));
      });
    case ViewKind::data:
      return inference([a] { do_not_optimize(a.data_ptr<double>()); });
  }
  return {};
}

NetworkResult contract(const NetworkJob& job) {
  const c10::InferenceMode guard;
  std::vector<at::Tensor> tensors;
  for (const Array& array : job.tensors) {
    tensors.push_back(at::from_blob(array.data, array.extents, options_of(array.element)));
  }
  for (const NetworkJob::Step& step : job.steps) {
    at::Tensor result = at::einsum(step.equation, {tensors[step.left], tensors[step.right]});
    const std::size_t later = std::max(step.left, step.right), earlier = std::min(step.left, step.right);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(later));
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(earlier));
    tensors.push_back(std::move(result));
  }
  return [last = at::einsum(job.output, {tensors.back()})] {
    const at::Tensor compact = last.contiguous();
    const double* const elements = compact.data_ptr<double>();
    return std::vector<double>(elements, elements + compact.numel());
  };
}

// "CPU capability usage: AVX2", as the library says it in a longer text.
std::string capability() {
  const std::string text = at::show_config();
  const std::size_t begin = text.find("CPU capability");
  return begin == std::string::npos ? "unknown CPU capability"
                                    : text.substr(begin, text.find('\n', begin) - begin);
}

class LibtorchPeer final : public Peer {
 public:
  std::string name() const override { return "libtorch"; }
  std::string description() const override { return std::string(TORCH_VERSION) + ", " + capability(); }
  void set_threads(unsigned threads) override { at::set_num_threads(static_cast<int>(threads)); }

  Work elementwise(const ElementwiseJob& job) const override { return elementwise_of(job); }
  Work reduce(const ReduceJob& job) const override { return reduce_of(job); }
  Work matmul(const MatmulJob& job) const override { return matmul_of(job); }
  Work linalg(const LinalgJob& job) const override { return at::hasLAPACK() ? linalg_of(job) : Work(); }
  Work permute(const PermuteJob& job) const override {
    return inference(
        [source = tensor_of(job.source), out = tensor_of(job.out)]() mutable { out.copy_(source); });
  }
  Work view(const ViewJob& job) const override { return view_of(job); }
  NetworkRun network(const NetworkJob& job) const override {
    return [job] { return contract(job); };
  }
};

}  // namespace

std::unique_ptr<Peer> make_libtorch_peer() { return std::make_unique<LibtorchPeer>(); }

}  // namespace tenure::bench
