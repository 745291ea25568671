// SPDX-License-Identifier: Apache-2.0
#include "linalg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "batch_work.hpp"
#include "lapack.hpp"
#include "matrix_batch.hpp"
#include "tenure/abi/operation_table.hpp"
#include "tenure/sdk/error.hpp"

namespace tenure::cpu {
namespace {

// LAPACK counts in int; its workspace for eigenvalues and singular values has about five times the square.
constexpr std::int64_t dimension_max = std::numeric_limits<int>::max();
constexpr std::int64_t decomposed_dimension_max = 20000;

// Multiply-adds that take as long as one element of a memory-bound loop.
constexpr std::int64_t products_per_cost = 8;

// What an extent of an operand is; batch axes follow.
enum class Extent : std::uint8_t {
  none,  // a vector has no second axis
  m,
  n,
  k,  // the smaller of the two
  right_columns
};
struct OperandForm {
  Extent first;
  Extent second;
};
struct FunctionForm {
  std::uint32_t function;
  std::string_view name;
  std::uint32_t flags;  // that it takes
  bool is_square;
  std::array<OperandForm, 4> operands;  // inputs, then outputs
  std::size_t operand_count;
  std::size_t index_operand;  // that is i64; 0: none
  std::size_t real_operand;   // that is of the real type; 0: none
};

using enum Extent;
constexpr std::array<FunctionForm, 7> function_forms{{
    {TENURE_LINALG_CHOLESKY, "cholesky", 0, true, {{{n, n}, {n, n}}}, 2, 0, 0},
    {TENURE_LINALG_LU, "lu", 0, false, {{{m, n}, {m, n}, {m, none}}}, 3, 2, 0},
    {TENURE_LINALG_QR, "qr", 0, false, {{{m, n}, {m, k}, {k, n}}}, 3, 0, 0},
    {TENURE_LINALG_TRIANGULAR_SOLVE,
     "triangular_solve",
     TENURE_LINALG_UPPER | TENURE_LINALG_UNIT_DIAGONAL,
     true,
     {{{n, n}, {n, right_columns}, {n, right_columns}}},
     3,
     0,
     0},
    {TENURE_LINALG_SOLVE, "solve", 0, true, {{{n, n}, {n, right_columns}, {n, right_columns}}}, 3, 0, 0},
    {TENURE_LINALG_EIGH, "eigh", 0, true, {{{n, n}, {n, none}, {n, n}}}, 3, 0, 1},
    {TENURE_LINALG_SVD, "svd", 0, false, {{{m, n}, {m, k}, {k, none}, {k, n}}}, 4, 0, 2},
}};

const FunctionForm* find_form(std::uint32_t function) noexcept {
  const auto* const found = std::ranges::find(function_forms, function, &FunctionForm::function);
  return found == function_forms.end() ? nullptr : found;
}

bool has_lapack(tenure_dtype dtype) noexcept {
  return abi::is_complex(dtype) || (dtype.code == TENURE_DTYPE_FLOAT && dtype.bits >= 32);
}

tenure_dtype dtype_of(const FunctionForm& form, std::size_t operand, tenure_dtype matrix) noexcept {
  if (operand == 0) return matrix;
  if (operand == form.index_operand) return abi::result_dtype(abi::ResultRule::index, matrix);
  if (operand == form.real_operand) return abi::result_dtype(abi::ResultRule::real_part, matrix);
  return matrix;
}

std::size_t axes_of(const OperandForm& form) noexcept { return form.second == none ? 1 : 2; }

void require_shape(const FunctionForm& form, std::span<const Operand> operands) {
  std::array<std::int64_t, 5> extents{};
  const auto& a = operands[0].extents;
  bool is_right = a.size() >= 2 && operands.size() == form.operand_count;
  if (is_right) {
    extents[static_cast<std::size_t>(m)] = a[0];
    extents[static_cast<std::size_t>(n)] = a[1];
    extents[static_cast<std::size_t>(k)] = std::min(a[0], a[1]);
    extents[static_cast<std::size_t>(right_columns)] =
        operands[1].extents.size() >= 2 ? operands[1].extents[1] : 0;
    is_right = !form.is_square || a[0] == a[1];
  }
  for (std::size_t i = 0; is_right && i < operands.size(); ++i) {
    const std::size_t axes = axes_of(form.operands[i]);
    const auto& own = operands[i].extents;
    is_right = own.size() + 2 == a.size() + axes &&
               own[0] == extents[static_cast<std::size_t>(form.operands[i].first)] &&
               (axes == 1 || own[1] == extents[static_cast<std::size_t>(form.operands[i].second)]) &&
               std::ranges::equal(own.subspan(axes), a.subspan(2));
  }
  if (!is_right) {
    throw sdk::Error(TENURE_INVALID_ARGUMENT,
                     std::string(form.name) + ": the extents of the operands do not go together");
  }
  const bool is_iterative = form.real_operand != 0;
  const std::int64_t most = is_iterative ? decomposed_dimension_max : dimension_max;
  const std::int64_t found = std::max({a[0], a[1], extents[static_cast<std::size_t>(right_columns)]});
  if (found > most) {
    throw sdk::Error(TENURE_UNIMPLEMENTED,
                     std::string(form.name) + ": the CPU engine takes matrices of at most " +
                         std::to_string(most) + " rows and columns, found " + std::to_string(found));
  }
}

// The first matrix of a batch that failed.
class FirstFailure {
 public:
  explicit FirstFailure(const FunctionForm& form) noexcept : form_(form) {}

  void note(std::int64_t matrix, int info) {
    const std::lock_guard lock(mutex_);
    if (matrix_ >= 0 && matrix_ < matrix) return;
    matrix_ = matrix;
    info_ = info;
  }
  void throw_if_any() const {
    if (matrix_ < 0) return;
    const std::string place = " of matrix " + std::to_string(matrix_) + " of the batch";
    if (info_ < 0) {
      throw sdk::Error(TENURE_INTERNAL, std::string(form_.name) + ": LAPACK refused argument " +
                                            std::to_string(-info_) + place);
    }
    const std::string pivot = "pivot " + std::to_string(info_ - 1) + place;
    if (form_.function == TENURE_LINALG_CHOLESKY) {
      fail(pivot + " is not positive: the matrix is not positive definite", TENURE_LINALG_NOT_POSITIVE);
    }
    if (form_.real_operand == 0) fail(pivot + " is 0: the matrix is singular", TENURE_LINALG_SINGULAR);
    fail("the values" + place + " did not converge", TENURE_LINALG_NO_CONVERGENCE);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const char* kind) const {
    throw sdk::Error(TENURE_FAILED_PRECONDITION, std::string(form_.name) + ": " + what,
                     {.native_code = info_, .native_domain = kind, .flags = 0});
  }

  const FunctionForm& form_;
  std::mutex mutex_;
  std::int64_t matrix_ = -1;
  int info_ = 0;
};

template <class T>
bool is_finite(const T& value) noexcept {
  return std::isfinite(std::real(value)) && std::isfinite(std::imag(value));
}

// One function over a batch. Every compute_ function returns LAPACK's info for one matrix.
template <class T>
class BatchRun {
  using Real = typename Lapack<T>::Real;
  using Scratch = ScratchVector<T>;

 public:
  BatchRun(const Executor& executor, const FunctionForm& form, std::uint32_t flags,
           std::span<const Operand> operands)
      : executor_(executor), form_(form), flags_(flags) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      batches_.emplace_back(executor, operands[i], axes_of(form.operands[i]));
    m_ = batches_[0].rows();
    n_ = batches_[0].columns();
    k_ = std::min(m_, n_);
  }

  void run() const {
    FirstFailure failure(form_);
    const std::int64_t products =
        std::max<std::int64_t>(1, m_) * std::max<std::int64_t>(1, k_) * std::max<std::int64_t>(1, n_);
    const BatchWork work{.items = batches_[0].count(),
                         .tiles = 1,
                         .tile_cost = std::max<std::int64_t>(1, products / products_per_cost)};
    require_batch_policy(executor_, work, form_.name);
    for_each_batch_task(executor_, work, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t matrix = begin; matrix < end; ++matrix) {
        const int info = compute(matrix);
        if (info != 0) failure.note(matrix, info);
      }
    });
    failure.throw_if_any();
  }

 private:
  int compute(std::int64_t matrix) const {
    Scratch a = scratch(m_, n_);
    batches_[0].load(matrix, a.data(), m_);
    switch (form_.function) {
      case TENURE_LINALG_CHOLESKY:
        return cholesky(matrix, a);
      case TENURE_LINALG_LU:
        return lu(matrix, a);
      case TENURE_LINALG_QR:
        return qr(matrix, a);
      case TENURE_LINALG_TRIANGULAR_SOLVE:
      case TENURE_LINALG_SOLVE:
        return solve(matrix, a);
      case TENURE_LINALG_EIGH:
        return eigen(matrix, a);
      default:
        return svd(matrix, a);
    }
  }

  int cholesky(std::int64_t matrix, Scratch& a) const {
    int info = Lapack<T>::cholesky(as_int(n_), a.data());
    for (std::int64_t j = 0; j < n_; ++j) {
      // A pivot that is NaN passes LAPACK's own check.
      if (info == 0 && !(std::real(a[at(j, j, n_)]) > 0)) info = as_int(j + 1);
      for (std::int64_t i = 0; i < j; ++i) a[at(i, j, n_)] = T();
    }
    if (info == 0) batches_[1].store(matrix, a.data(), n_);
    return info;
  }

  int lu(std::int64_t matrix, Scratch& a) const {
    std::vector<int> pivots(static_cast<std::size_t>(k_));
    const int info = Lapack<T>::lu(as_int(m_), as_int(n_), a.data(), pivots.data());
    batches_[1].store(matrix, a.data(), m_);
    std::vector<std::int64_t> rows(static_cast<std::size_t>(m_));
    std::iota(rows.begin(), rows.end(), std::int64_t{0});
    for (std::size_t i = 0; i < pivots.size(); ++i)
      std::swap(rows[i], rows[static_cast<std::size_t>(pivots[i]) - 1]);
    batches_[2].store(matrix, rows.data(), m_);
    // A matrix with a pivot of 0 has these factors too.
    return std::min(info, 0);
  }

  int qr(std::int64_t matrix, Scratch& a) const {
    Scratch tau(static_cast<std::size_t>(k_));
    int info = Lapack<T>::qr(as_int(m_), as_int(n_), a.data(), tau.data());
    Scratch r = scratch(k_, n_);
    for (std::int64_t j = 0; j < n_; ++j) {
      for (std::int64_t i = 0; i < std::min(k_, j + 1); ++i) r[at(i, j, k_)] = a[at(i, j, m_)];
    }
    if (info == 0) info = Lapack<T>::orthogonal(as_int(m_), as_int(k_), a.data(), tau.data());
    batches_[1].store(matrix, a.data(), m_);
    batches_[2].store(matrix, r.data(), k_);
    return info;
  }

  int solve(std::int64_t matrix, Scratch& a) const {
    const std::int64_t columns = batches_[1].columns();
    Scratch x = scratch(n_, columns);
    batches_[1].load(matrix, x.data(), n_);
    int info = 0;
    if (form_.function == TENURE_LINALG_SOLVE) {
      std::vector<int> pivots(static_cast<std::size_t>(n_));
      info = Lapack<T>::lu(as_int(n_), as_int(n_), a.data(), pivots.data());
      if (info == 0) {
        info = Lapack<T>::lu_solve(as_int(n_), as_int(columns), a.data(), pivots.data(), x.data());
      }
    } else {
      info = Lapack<T>::triangular_solve((flags_ & TENURE_LINALG_UPPER) != 0,
                                         (flags_ & TENURE_LINALG_UNIT_DIAGONAL) != 0, as_int(n_),
                                         as_int(columns), a.data(), x.data());
    }
    if (info == 0) batches_[2].store(matrix, x.data(), n_);
    return info;
  }

  int eigen(std::int64_t matrix, Scratch& a) const {
    for (std::int64_t j = 0; j < n_; ++j) {
      for (std::int64_t i = j; i < n_; ++i) {
        if (!is_finite(a[at(i, j, n_)])) return 1;
      }
    }
    ScratchVector<Real> values(static_cast<std::size_t>(n_));
    const int info = Lapack<T>::eigen(as_int(n_), a.data(), values.data());
    if (info == 0) {
      batches_[1].store(matrix, values.data(), n_);
      batches_[2].store(matrix, a.data(), n_);
    }
    return info;
  }

  int svd(std::int64_t matrix, Scratch& a) const {
    if (!std::ranges::all_of(a, is_finite<T>)) return 1;
    Scratch u = scratch(m_, k_);
    Scratch vh = scratch(k_, n_);
    ScratchVector<Real> s(static_cast<std::size_t>(k_));
    const int info = Lapack<T>::svd(as_int(m_), as_int(n_), a.data(), u.data(), s.data(), vh.data());
    if (info == 0) {
      batches_[1].store(matrix, u.data(), m_);
      batches_[2].store(matrix, s.data(), k_);
      batches_[3].store(matrix, vh.data(), k_);
    }
    return info;
  }

  static int as_int(std::int64_t value) noexcept { return static_cast<int>(value); }
  static std::size_t at(std::int64_t row, std::int64_t column, std::int64_t rows) noexcept {
    return static_cast<std::size_t>(row + column * rows);
  }
  // Zeros.
  static Scratch scratch(std::int64_t rows, std::int64_t columns) {
    return Scratch(static_cast<std::size_t>(rows * columns));
  }

  const Executor& executor_;
  const FunctionForm& form_;
  std::uint32_t flags_;
  std::vector<MatrixBatch> batches_;
  std::int64_t m_;
  std::int64_t n_;
  std::int64_t k_;
};

}  // namespace

bool supports_linalg(std::uint32_t function, std::span<const tenure_dtype> dtypes) noexcept {
  const FunctionForm* const form = find_form(function);
  if (form == nullptr || dtypes.size() != form->operand_count || !has_lapack(dtypes[0])) return false;
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    if (!abi::same_dtype(dtypes[i], dtype_of(*form, i, dtypes[0]))) return false;
  }
  return true;
}

void run_linalg(const Executor& executor, const tenure_linalg_attributes& attributes,
                std::span<const Operand> operands) {
  const FunctionForm* const form = find_form(attributes.function);
  if (form == nullptr || (attributes.flags & ~form->flags) != 0) {
    throw sdk::Error(TENURE_UNIMPLEMENTED, "the CPU engine knows no linalg function " +
                                               std::to_string(attributes.function) + " with flags " +
                                               std::to_string(attributes.flags));
  }
  std::array<tenure_dtype, 4> dtypes{};
  if (operands.size() > dtypes.size()) refuse_dtypes(form->name, operands);
  std::ranges::transform(operands, dtypes.begin(), &Operand::abi_dtype);
  if (!supports_linalg(form->function, std::span(dtypes).first(operands.size()))) {
    refuse_dtypes(form->name, operands);
  }
  require_shape(*form, operands);
  // The index vector of no columns is an output too, so the last operand alone does not say it.
  if (std::ranges::all_of(operands.subspan(1),
                          [](const Operand& operand) { return element_count(operand.extents) == 0; })) {
    return;
  }
  const tenure_dtype dtype = operands[0].abi_dtype();
  const bool is_single = dtype.bits == (abi::is_complex(dtype) ? 64 : 32);
  const auto run = [&]<class T>(std::type_identity<T>) {
    BatchRun<T>(executor, *form, attributes.flags, operands).run();
  };
  if (!abi::is_complex(dtype)) {
    is_single ? run(std::type_identity<float>()) : run(std::type_identity<double>());
  } else {
    is_single ? run(std::type_identity<std::complex<float>>())
              : run(std::type_identity<std::complex<double>>());
  }
}

}  // namespace tenure::cpu
