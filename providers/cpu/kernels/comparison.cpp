// SPDX-License-Identifier: Apache-2.0
#include "item.hpp"
#include "node_row.hpp"

namespace tenure::cpu {
namespace {

struct Equal {
  static constexpr std::uint32_t number = TENURE_FN_EQUAL;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return (a.re == b.re) & (a.im == b.im);
    } else {
      return a == b;
    }
  }
};

struct NotEqual {
  static constexpr std::uint32_t number = TENURE_FN_NOT_EQUAL;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    if constexpr (is_complex_element<T>) {
      return (a.re != b.re) | (a.im != b.im);
    } else {
      return a != b;
    }
  }
};

struct Less {
  static constexpr std::uint32_t number = TENURE_FN_LESS;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    return a < b;
  }
};

struct LessEqual {
  static constexpr std::uint32_t number = TENURE_FN_LESS_EQUAL;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    return a <= b;
  }
};

struct Greater {
  static constexpr std::uint32_t number = TENURE_FN_GREATER;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    return a > b;
  }
};

struct GreaterEqual {
  static constexpr std::uint32_t number = TENURE_FN_GREATER_EQUAL;
  template <class T>
  static std::uint8_t apply(T a, T b) noexcept {
    return a >= b;
  }
};

struct LogicalAnd {
  static constexpr std::uint32_t number = TENURE_FN_LOGICAL_AND;
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a & b; }
};

struct LogicalOr {
  static constexpr std::uint32_t number = TENURE_FN_LOGICAL_OR;
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a | b; }
};

struct LogicalXor {
  static constexpr std::uint32_t number = TENURE_FN_LOGICAL_XOR;
  static std::uint8_t apply(std::uint8_t a, std::uint8_t b) noexcept { return a ^ b; }
};

struct LogicalNot {
  static constexpr std::uint32_t number = TENURE_FN_LOGICAL_NOT;
  static std::uint8_t apply(std::uint8_t a) noexcept { return a ^ 1u; }
};

template <class Item>
void copy_chosen(const Item* chosen, bool is_scalar, Item* out, std::int64_t count) {
  const Item first = *chosen;
  if (is_scalar) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = first;
  } else {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) out[i] = chosen[i];
  }
}

// `where` moves items and computes nothing, so it needs one kernel for each item size.
template <class Item>
void where_kernel(const void* const* arguments, unsigned scalar_mask, void* out, std::int64_t count) {
  const std::uint8_t* const condition = static_cast<const std::uint8_t*>(arguments[0]);
  const Item* const a = static_cast<const Item*>(arguments[1]);
  const Item* const b = static_cast<const Item*>(arguments[2]);
  Item* const result = static_cast<Item*>(out);
  if ((scalar_mask & 1u) != 0) {
    const bool is_first = *condition != 0;
    copy_chosen(is_first ? a : b, (scalar_mask & (is_first ? 2u : 4u)) != 0, result, count);
  } else if (scalar_mask == 0) {
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = condition[i] != 0 ? a[i] : b[i];
  } else if (scalar_mask == 2) {
    const Item first = *a;
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = condition[i] != 0 ? first : b[i];
  } else if (scalar_mask == 4) {
    const Item second = *b;
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = condition[i] != 0 ? a[i] : second;
  } else {
    const Item first = *a;
    const Item second = *b;
    TENURE_CPU_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) result[i] = condition[i] != 0 ? first : second;
  }
}

template <std::size_t Dtype>
constexpr NodeKernel where_of() {
  return where_kernel<ItemOfSize<abi::dtype_table[Dtype].bytes>>;
}

constexpr NodeRow where_row() {
  return []<std::size_t... Dtype>(std::index_sequence<Dtype...>) { return NodeRow{where_of<Dtype>()...}; }
  (std::make_index_sequence<dtype_count>{});
}

}  // namespace

constinit const ComparisonTable TENURE_CPU_ISA::comparison_table{
    node_row<Equal>(),
    node_row<NotEqual>(),
    node_row<Less>(),
    node_row<LessEqual>(),
    node_row<Greater>(),
    node_row<GreaterEqual>(),
    where_row(),
    node_row<LogicalAnd>(),
    node_row<LogicalOr>(),
    node_row<LogicalXor>(),
    node_row<LogicalNot>(),
};

}  // namespace tenure::cpu
