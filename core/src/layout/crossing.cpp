// SPDX-License-Identifier: Apache-2.0
// Overlaps at different indices, found by halving boxes of indices until the same-index ones are set apart.
#include <utility>

#include "layout/integer128.hpp"
#include "tenure/layout/overlap.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// About what one question costs beside its steps.
constexpr std::uint64_t question_work = 64;

class CrossingSearch {
 public:
  CrossingSearch(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t work_limit) noexcept
      : a_(a), b_(b), work_limit_(work_limit) {}

  OverlapVerdict run(IndexPair* witness) {
    Box all{a_.layout, b_.layout, ElementIndex(static_cast<std::size_t>(a_.layout.rank()))};
    const SearchAnswer answer = search(std::move(all));
    if (answer == SearchAnswer::yes && witness != nullptr) *witness = std::move(witness_);
    return {answer, work_};
  }

 private:
  // The same indices of both layouts.
  struct Box {
    Layout a;
    Layout b;
    ElementIndex first;
  };

  SearchAnswer search(Box&& box) {
    for (;;) {
      const SearchAnswer answer = overlap(box.a, box.b, box.first, box.first);
      if (answer != SearchAnswer::yes || is_crossing()) return answer;
      const std::int64_t axis = axis_to_split(box);
      if (axis == box.a.rank()) return SearchAnswer::no;
      // With equal strides only the difference of two indices counts, so the first index stands for all.
      const std::int64_t middle = has_equal_strides(axis) ? 1 : box.a.extent(axis) / 2;
      Box high{box.a.slice(axis, {.start = middle}), box.b.slice(axis, {.start = middle}), box.first};
      high.first[static_cast<std::size_t>(axis)] += middle;
      box.a = box.a.slice(axis, {.stop = middle});
      box.b = box.b.slice(axis, {.stop = middle});
      SearchAnswer apart = overlap(box.a, high.b, box.first, high.first);
      if (apart == SearchAnswer::no) apart = overlap(high.a, box.b, high.first, box.first);
      if (apart == SearchAnswer::no && !has_equal_strides(axis)) apart = search(std::move(high));
      if (apart != SearchAnswer::no) return apart;
    }
  }

  // Those of equal strides first: they are done with once. The rank when there is none.
  std::int64_t axis_to_split(const Box& box) const noexcept {
    const std::int64_t rank = box.a.rank();
    std::int64_t longest = rank;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
      if (box.a.extent(axis) == 1) continue;
      if (has_equal_strides(axis)) return axis;
      if (longest == rank || box.a.extent(axis) > box.a.extent(longest)) longest = axis;
    }
    return longest;
  }

  SearchAnswer overlap(const Layout& a, const Layout& b, const ElementIndex& first_a,
                       const ElementIndex& first_b) {
    if (work_ + question_work > work_limit_) return SearchAnswer::undecided;
    work_ += question_work;
    const OverlapVerdict verdict =
        decide_overlap({a_.address_bytes, a, a_.element_bytes}, {b_.address_bytes, b, b_.element_bytes},
                       work_limit_ - work_, &witness_);
    work_ += verdict.work;
    if (verdict.answer != SearchAnswer::yes) return verdict.answer;
    for (std::size_t axis = 0; axis < first_a.size(); ++axis) {
      witness_.first[axis] += first_a[axis];
      witness_.second[axis] += first_b[axis];
    }
    return SearchAnswer::yes;
  }

  bool is_crossing() const { return witness_.first != witness_.second; }

  bool has_equal_strides(std::int64_t axis) const noexcept {
    return Integer128{a_.layout.stride(axis)} * static_cast<Integer128>(a_.element_bytes) ==
           Integer128{b_.layout.stride(axis)} * static_cast<Integer128>(b_.element_bytes);
  }

  const PlacedLayout& a_;
  const PlacedLayout& b_;
  std::uint64_t work_limit_;
  std::uint64_t work_ = 0;
  IndexPair witness_;
};

}  // namespace

OverlapVerdict decide_crossing(const PlacedLayout& a, const PlacedLayout& b, std::uint64_t work_limit,
                               IndexPair* witness) {
  return CrossingSearch(a, b, work_limit).run(witness);
}

}  // namespace tenure::inline TENURE_BUILD
