// SPDX-License-Identifier: Apache-2.0
#include "execution/alike_operands.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tenure/tensor/host_tensor.hpp"

using tenure::AlikeOperands;
using tenure::DType;
using tenure::Layout;
using tenure::StateAccess;
using tenure::TensorRead;
using tenure::ViewState;

namespace {

// A memory that readings of any layout lie in.
class Memory {
 public:
  ViewState reading(const Layout& layout, DType dtype) {
    return {reinterpret_cast<std::byte*>(numbers_.data()) + numbers_.size() * 4, nullptr, Layout(layout),
            dtype};
  }

 private:
  std::vector<double> numbers_ = std::vector<double>(4096);
};

// Calls body(index) for each index of the extents.
template <class Body>
void for_each_index(std::span<const std::int64_t> extents, const Body& body) {
  std::vector<std::int64_t> index(extents.size(), 0);
  for (std::size_t axis = 0; axis < extents.size();) {
    if (axis == 0) body(index);
    if (++index[axis] < extents[axis]) {
      axis = 0;
    } else {
      index[axis++] = 0;
    }
  }
}

// Whether elements of different indices share bytes, or of one index only some of them.
bool crosses(const ViewState& a, const ViewState& b) {
  bool found = false;
  const auto first_byte = [](const ViewState& state, const std::vector<std::int64_t>& index) {
    return state.layout().element_at(index) * static_cast<std::int64_t>(state.dtype().bytes());
  };
  for_each_index(a.layout().extents(), [&](const std::vector<std::int64_t>& at_a) {
    for_each_index(b.layout().extents(), [&](const std::vector<std::int64_t>& at_b) {
      const std::int64_t byte_a = first_byte(a, at_a);
      const std::int64_t byte_b = first_byte(b, at_b);
      const bool meet = byte_a < byte_b + static_cast<std::int64_t>(b.dtype().bytes()) &&
                        byte_b < byte_a + static_cast<std::int64_t>(a.dtype().bytes());
      found |= meet && !(at_a == at_b && byte_a == byte_b && a.dtype().bytes() == b.dtype().bytes());
    });
  });
  return found;
}

bool are_alike(const ViewState& input, const ViewState& output) {
  const auto view = StateAccess::make<tenure::TensorView>(ViewState(input));
  const TensorRead read(view);
  const TensorRead* const inputs[] = {&read};
  return AlikeOperands().describe(inputs, output);
}

}  // namespace

TEST_CASE("AlikeOperands: what is described shares nothing but the same index, whatever the strides") {
  std::mt19937 random(1);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  Memory memory;
  int alike = 0;
  for (int round = 0; round < 12000; ++round) {
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    for (std::int64_t rank = between(1, 3); rank > 0; --rank) {
      extents.push_back(between(1, 4));
      strides.push_back(between(-9, 9));
    }
    const DType types[] = {tenure::f64, tenure::boolean, tenure::complex128};
    const Layout output = Layout::strided(extents, strides, between(-40, 40));
    const Layout input = Layout::strided(extents, strides, output.offset() + between(-40, 40));
    const ViewState read = memory.reading(input, types[between(0, 2)]);
    const ViewState written = memory.reading(output, types[between(0, 2)]);
    // A destination has no index twice.
    if (crosses(written, written) || !are_alike(read, written)) continue;
    ++alike;
    REQUIRE_FALSE(crosses(read, written));
  }
  CHECK(alike > 400);
}

TEST_CASE("AlikeOperands: the same reading and neighbours are alike") {
  Memory memory;
  for (const std::vector<std::int64_t>& strides :
       {std::vector<std::int64_t>{1, 4}, std::vector<std::int64_t>{-1, 4}, std::vector<std::int64_t>{3, 1}}) {
    const Layout output = Layout::strided({3, 3}, strides);
    const std::int64_t reach = output.reach()->highest - output.reach()->lowest + 1;
    const ViewState written = memory.reading(output, tenure::f64);
    const auto moved = [&](std::int64_t elements) {
      return memory.reading(Layout::strided({3, 3}, strides, elements), tenure::f64);
    };
    CHECK(are_alike(written, written));
    CHECK(are_alike(moved(reach), written));
    CHECK(are_alike(moved(-reach), written));
    CHECK_FALSE(are_alike(moved(reach - 1), written));
    CHECK_FALSE(are_alike(moved(1 - reach), written));
  }
}

TEST_CASE("AlikeOperands: other extents or strides, and no elements, are not alike") {
  Memory memory;
  const ViewState written = memory.reading(Layout::column_major({3, 4}), tenure::f64);
  CHECK_FALSE(are_alike(memory.reading(Layout::strided({3, 1}, {1, 3}, 100), tenure::f64), written));
  CHECK_FALSE(are_alike(memory.reading(Layout::strided({12}, {1}, 100), tenure::f64), written));
  CHECK_FALSE(are_alike(memory.reading(Layout::strided({3, 4}, {4, 1}, 100), tenure::f64), written));
  const ViewState nothing = memory.reading(Layout::column_major({3, 0}), tenure::f64);
  CHECK_FALSE(are_alike(nothing, nothing));
}

TEST_CASE("AlikeOperands: operands are described with the addresses of their first elements") {
  Memory memory;
  const Layout layout = Layout::strided({2, 3}, {-2, 5}, 7);
  const ViewState written = memory.reading(layout, tenure::f64);
  const auto view = StateAccess::make<tenure::TensorView>(
      memory.reading(Layout::strided({2, 3}, {-2, 5}, 60), tenure::f64));
  const TensorRead read(view);
  const TensorRead* const inputs[] = {&read, &read};
  AlikeOperands alike;
  REQUIRE(alike.describe(inputs, written));
  REQUIRE(alike.operands().size() == 3);
  for (const tenure_operand& operand : alike.operands()) {
    const bool is_output = &operand == &alike.operands().back();
    CHECK(operand.head.kind == TENURE_KIND_OPERAND);
    CHECK(operand.head.bytes == sizeof(tenure_operand));
    CHECK(operand.address == written.address() + (is_output ? 7 : 60) * 8);
    CHECK(operand.rank == 2);
    CHECK(operand.extents[1] == 3);
    CHECK(operand.strides[0] == -2);
    CHECK(operand.access == (is_output ? TENURE_OPERAND_WRITE : TENURE_OPERAND_READ));
    CHECK(tenure::abi::same_dtype(operand.dtype, tenure::f64.abi()));
  }
}
