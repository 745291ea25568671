// SPDX-License-Identifier: Apache-2.0
#include "box.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "tenure/abi/struct_head.hpp"

namespace cpu_test {

Box::Box(Random& random, Dtype dtype, Extents extents, Layout layout)
    : dtype_(dtype), extents_(std::move(extents)), strides_(extents_.size()) {
  choose_strides(random, layout);
  std::int64_t first = 0;
  std::int64_t last = 0;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    const std::int64_t reach = std::max<std::int64_t>(extents_[axis] - 1, 0) * strides_[axis];
    (reach < 0 ? first : last) += reach;
  }
  constexpr std::int64_t margin = 4;
  origin_ = margin - first;
  memory_.resize(static_cast<std::size_t>(last - first + 1 + 2 * margin) * bytes_of(dtype_));
  for (std::byte& byte : memory_) byte = static_cast<std::byte>(random());
  for (std::int64_t i = 0; i < count(); ++i) random_element(random, dtype_, at(i));
}

void Box::choose_strides(Random& random, Layout layout) {
  std::vector<std::size_t> order(extents_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (layout != Layout::compact) std::shuffle(order.begin(), order.end(), random);
  std::int64_t stride = layout == Layout::compact ? 1 : pick(random, 1, 2);
  for (const std::size_t axis : order) {
    strides_[axis] = stride;
    const std::int64_t gap = layout == Layout::compact || random() % 4 != 0 ? 0 : pick(random, 1, 3);
    stride *= std::max<std::int64_t>(extents_[axis], 1) + gap;
    if (layout != Layout::compact && random() % 4 == 0) strides_[axis] = -strides_[axis];
    if (layout == Layout::broadcast && random() % 3 == 0) strides_[axis] = 0;
  }
}

std::int64_t count_of(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::byte* Box::at(std::int64_t position) {
  std::int64_t offset = origin_;
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    offset += position % extents_[axis] * strides_[axis];
    position /= extents_[axis];
  }
  return memory_.data() + static_cast<std::size_t>(offset) * bytes_of(dtype_);
}

tenure_operand Box::operand(std::uint32_t access) const {
  auto operand = tenure::abi::make_struct<tenure_operand>();
  operand.address =
      const_cast<std::byte*>(memory_.data()) + static_cast<std::size_t>(origin_) * bytes_of(dtype_);
  operand.extents = extents_.data();
  operand.strides = strides_.data();
  operand.dtype = to_abi(dtype_);
  operand.rank = static_cast<std::uint32_t>(extents_.size());
  operand.access = access;
  return operand;
}

std::vector<std::byte> Box::bytes() const {
  std::vector<std::byte> all;
  for (std::int64_t i = 0; i < count(); ++i) all.insert(all.end(), at(i), at(i) + bytes_of(dtype_));
  return all;
}

bool Box::differs_only_in_elements(const Box& before) const {
  std::vector<bool> is_element(memory_.size(), false);
  for (std::int64_t i = 0; i < count(); ++i) {
    const auto first = static_cast<std::size_t>(at(i) - memory_.data());
    std::fill_n(is_element.begin() + static_cast<std::ptrdiff_t>(first), bytes_of(dtype_), true);
  }
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!is_element[i] && memory_[i] != before.memory_[i]) return false;
  }
  return true;
}

Extents random_extents(Random& random, int rank_max, std::int64_t elements) {
  const auto rank = static_cast<std::size_t>(pick(random, 0, rank_max));
  Extents extents(rank, 1);
  if (rank == 0) return extents;
  std::int64_t left = elements;
  for (std::size_t axis = 0; axis + 1 < rank; ++axis) {
    extents[axis] = pick(random, 1, std::min<std::int64_t>(left, random() % 2 == 0 ? 3 : 40));
    left = std::max<std::int64_t>(1, left / extents[axis]);
  }
  extents[rank - 1] = pick(random, 1, left);
  std::shuffle(extents.begin(), extents.end(), random);
  if (random() % 32 == 0) extents[0] = 0;
  return extents;
}

Layout random_layout(Random& random, bool may_broadcast) {
  const std::uint64_t choice = random() % (may_broadcast ? 3 : 2);
  return choice == 0 ? Layout::compact : choice == 1 ? Layout::permuted : Layout::broadcast;
}

}  // namespace cpu_test
