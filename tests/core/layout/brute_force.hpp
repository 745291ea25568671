// SPDX-License-Identifier: Apache-2.0
// brute_force: what layouts reach, found by walking every index.
#pragma once

#include <cstdint>
#include <vector>

#include "random_layout.hpp"
#include "tenure/base/index_pair.hpp"
#include "tenure/layout/injectivity.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure_test {

// Places that were marked in this round, all of them at most `reach` away from 0.
class Marks {
 public:
  explicit Marks(std::int64_t reach) : reach_(reach), rounds_(static_cast<std::size_t>(2 * reach + 1)) {}

  void begin_round() noexcept { ++round_; }
  // False when the place has been marked before.
  bool mark(std::int64_t place) noexcept {
    const bool fresh = at(place) != round_;
    at(place) = round_;
    return fresh;
  }
  bool is_marked(std::int64_t place) noexcept { return at(place) == round_; }

 private:
  std::uint32_t& at(std::int64_t place) noexcept { return rounds_[static_cast<std::size_t>(place + reach_)]; }

  std::int64_t reach_;
  std::uint32_t round_ = 1;
  std::vector<std::uint32_t> rounds_;  // the round in which each place was marked last
};

// Calls `visit(element)` for every index of a layout until it says false. Returns whether it never did.
template <class Visit>
bool for_each_element(const tenure::Layout& layout, Visit visit) {
  if (layout.is_empty()) return true;
  std::vector<std::int64_t> index(static_cast<std::size_t>(layout.rank()));
  for (std::int64_t element = layout.offset();;) {
    if (!visit(element)) return false;
    std::int64_t axis = 0;
    for (; axis < layout.rank(); ++axis) {
      element += layout.stride(axis);
      if (++index[static_cast<std::size_t>(axis)] < layout.extent(axis)) break;
      element -= layout.stride(axis) * layout.extent(axis);
      index[static_cast<std::size_t>(axis)] = 0;
    }
    if (axis == layout.rank()) return true;
  }
}

inline bool is_injective(Marks& marks, const tenure::Layout& layout) {
  marks.begin_round();
  return for_each_element(layout, [&](std::int64_t element) { return marks.mark(element); });
}

// Bytes are counted from `origin`.
inline bool share_a_byte(Marks& marks, const tenure::PlacedLayout& a, const tenure::PlacedLayout& b,
                         std::uint64_t origin) {
  const auto for_each_byte = [&](const tenure::PlacedLayout& placed, auto visit) {
    const auto size = static_cast<std::int64_t>(placed.element_bytes);
    const auto start = static_cast<std::int64_t>(placed.address_bytes - origin);
    return for_each_element(placed.layout, [&](std::int64_t element) {
      for (std::int64_t byte = 0; byte < size; ++byte) {
        if (!visit(start + element * size + byte)) return false;
      }
      return true;
    });
  };
  marks.begin_round();
  for_each_byte(a, [&](std::int64_t byte) { return marks.mark(byte), true; });
  return !for_each_byte(b, [&](std::int64_t byte) { return !marks.is_marked(byte); });
}

// Two different indices of one element.
inline bool is_witness(const tenure::Layout& layout, const tenure::IndexPair& pair) {
  return pair.first != pair.second && layout.find_element(pair.first).has_value() &&
         layout.find_element(pair.first) == layout.find_element(pair.second);
}

// An element of each layout that share a byte.
inline bool is_witness(const tenure::PlacedLayout& a, const tenure::PlacedLayout& b,
                       const tenure::IndexPair& pair) {
  const auto element_a = a.layout.find_element(pair.first);
  const auto element_b = b.layout.find_element(pair.second);
  if (!element_a || !element_b) return false;
  const auto size_a = static_cast<std::int64_t>(a.element_bytes);
  const auto size_b = static_cast<std::int64_t>(b.element_bytes);
  const std::int64_t first_a = static_cast<std::int64_t>(a.address_bytes) + *element_a * size_a;
  const std::int64_t first_b = static_cast<std::int64_t>(b.address_bytes) + *element_b * size_b;
  return first_a < first_b + size_b && first_b < first_a + size_a;
}

// A decided, right answer; one that has a witness to give gives one.
inline bool is_right(const tenure::InjectivityVerdict& verdict, const tenure::Layout& layout,
                     bool injective) {
  if (verdict.answer != (injective ? tenure::SearchAnswer::yes : tenure::SearchAnswer::no)) return false;
  return injective ? !verdict.witness : verdict.witness && is_witness(layout, *verdict.witness);
}
// The same of decide_overlap, whether it is asked for a witness or not.
inline bool overlap_is_right(const tenure::PlacedLayout& a, const tenure::PlacedLayout& b, bool overlap) {
  const tenure::SearchAnswer right = overlap ? tenure::SearchAnswer::yes : tenure::SearchAnswer::no;
  tenure::IndexPair witness;
  const auto verdict = tenure::decide_overlap(a, b, tenure::search_work_limit_default, &witness);
  if (verdict.answer != right || tenure::decide_overlap(a, b).answer != right) return false;
  return overlap ? is_witness(a, b, witness) : witness == tenure::IndexPair{};
}

}  // namespace tenure_test
