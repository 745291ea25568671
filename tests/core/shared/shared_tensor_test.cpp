// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_tensor.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"

using namespace tenure;
using tenure_test::address_at;
using tenure_test::caught;
using tenure_test::numbers;
using tenure_test::share;
using tenure_test::value_at;
using tenure_test::values_of;
using tenure_test::write_at;

namespace {

using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

}  // namespace

static_assert(std::is_same_v<decltype(std::declval<const SharedTensor&>().version()), std::uint64_t>);
static_assert(sizeof(SharedTensor) <= sizeof(Layout) + 2 * sizeof(void*));
static_assert(std::is_nothrow_move_constructible_v<SharedTensor> &&
              std::is_nothrow_move_assignable_v<SharedTensor>);

TEST_CASE("SharedTensor::from: the elements stay where they are and nothing is copied") {
  std::vector<double> values{1, 2, 3, 4, 5, 6};
  const double* const address = values.data();
  const LedgerScope scope;
  const SharedTensor tensor = SharedTensor::from(Tensor::from_vec_col_major({2, 3}, std::move(values)));
  CHECK(address_at(tensor, {0, 0}) == address);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 1);
  CHECK(tensor.dtype() == f64);
  CHECK(numbers(tensor.extents()) == Numbers{2, 3});
  CHECK(numbers(tensor.strides()) == Numbers{1, 2});
  CHECK(tensor.offset() == 0);
  CHECK(tensor.element_count() == 6);
  CHECK(tensor.layout().is_column_major());
  CHECK_FALSE(tensor.is_view());
  CHECK(tensor.placement() == Placement{});
  CHECK_FALSE(tensor.domain().has_value());
  CHECK_FALSE(tensor.allocation_id().has_value());
}

TEST_CASE("SharedTensor::from: a moved-from tensor is refused") {
  Tensor tensor = Tensor::zeros(f64, {2});
  const Tensor other = std::move(tensor);
  CHECK(caught<EmptyOwner>([&] { return SharedTensor::from(std::move(tensor)); }).operation() ==
        "SharedTensor::from");
}

TEST_CASE("SharedTensor: a fresh tensor is at version 0 and each change in place adds one") {
  SharedTensor tensor = share({2}, {1, 2});
  CHECK(tensor.version() == 0);
  write_at(tensor, {0}, 5);
  CHECK(tensor.version() == 1);
  write_at(tensor, {1}, 6);
  CHECK(tensor.version() == 2);
  CHECK(values_of(tensor) == std::vector<double>{5, 6});
  CHECK(tensor.version() == 2);
}

TEST_CASE("SharedTensor: a copy is an alias of the same storage and counter") {
  SharedTensor tensor = share({2}, {1, 2});
  const LedgerScope scope;
  SharedTensor alias = tensor;
  CHECK(address_at(alias, {1}) == address_at(tensor, {1}));
  CHECK(shares_counter(alias, tensor));
  write_at(alias, {0}, 7);
  CHECK(value_at(tensor, {0}) == 7.0);
  CHECK(tensor.version() == 1);
  CHECK(alias.version() == 1);
  CHECK(scope.copies() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("SharedTensor: the storage lives as long as the last alias") {
  auto tensor = std::make_unique<SharedTensor>(share({3}, {1, 2, 3}));
  const SharedTensor part = tensor->select(0, 2);
  tensor.reset();
  CHECK(value_at(part, {}) == 3.0);
}

TEST_CASE("SharedTensor: a view shares storage and counter, and a clone does neither") {
  const SharedTensor a = share({2, 3}, {1, 4, 2, 5, 3, 6});
  SharedTensor row = a.select(0, 0);
  CHECK(address_at(a, {0, 0}) == address_at(row, {0}));
  CHECK(row.is_view());
  SharedTensor clone = a.clone();
  CHECK(address_at(a, {0, 0}) != address_at(clone, {0, 0}));
  write_at(row, {0}, 99);
  write_at(clone, {0, 0}, -1);
  CHECK(values_of(a) == std::vector<double>{99, 4, 2, 5, 3, 6});
  CHECK(values_of(clone) == std::vector<double>{-1, 4, 2, 5, 3, 6});
  CHECK(a.version() == 1);
  CHECK(row.version() == 1);
  CHECK(clone.version() == 1);
  CHECK(shares_counter(a, row));
  CHECK_FALSE(shares_counter(a, clone));
}

TEST_CASE("SharedTensor: sharing a counter is its identity and not an equal value") {
  const SharedTensor a = share({1}, {1});
  const SharedTensor b = share({1}, {1});
  CHECK(a.version() == b.version());
  CHECK_FALSE(shares_counter(a, b));
  CHECK(shares_counter(a, a));
}

TEST_CASE("SharedTensor: a copy of a view is an alias in its own right") {
  const SharedTensor tensor = share({2, 3}, {1, 4, 2, 5, 3, 6});
  const SharedTensor view = tensor.transposed();
  const SharedTensor copy = view;
  CHECK(view.is_view());
  CHECK_FALSE(copy.is_view());
  CHECK(copy.layout() == view.layout());
  SharedTensor moved = tensor.transposed();
  const SharedTensor kept = std::move(moved);
  CHECK(kept.is_view());
}

TEST_CASE("SharedTensor: copy assignment and copy construction give the same alias") {
  SharedTensor view = share({2, 3}, {1, 4, 2, 5, 3, 6}).transposed();
  SharedTensor assigned = share({1}, {0});
  assigned = view;
  const SharedTensor constructed = view;
  for (const SharedTensor* alias : std::initializer_list<const SharedTensor*>{&assigned, &constructed}) {
    CHECK(shares_counter(*alias, view));
    CHECK(alias->layout() == view.layout());
    CHECK_FALSE(alias->is_view());
  }
  SharedTensor& same = view;
  view = same;
  CHECK(view.is_view());
}

TEST_CASE("as_strided: reads any extents and strides of the storage") {
  const SharedTensor tensor = share({6}, {0, 1, 2, 3, 4, 5});
  const LedgerScope scope;
  const SharedTensor matrix = tensor.as_strided({2, 3}, {3, 1});
  CHECK(scope.copies() == 0);
  CHECK(matrix.layout().is_row_major());
  CHECK(matrix.is_view());
  CHECK(shares_counter(matrix, tensor));
  CHECK(values_of(matrix.select(0, 1)) == std::vector<double>{3, 4, 5});
  CHECK(values_of(tensor.as_strided({3}, {-2}, 5)) == std::vector<double>{5, 3, 1});
  CHECK(values_of(tensor.as_strided({4, 3}, {1, 1})).size() == 12);
  CHECK(tensor.as_strided({}, {}, 4).element_count() == 1);
  CHECK(tensor.as_strided({0, 3}, {1, 1}, 100).element_count() == 0);
}

TEST_CASE("as_strided: an offset that is left out is that of the base") {
  const SharedTensor tail = share({6}, {0, 1, 2, 3, 4, 5}).slice(0, Slice{2, {}});
  CHECK(tail.offset() == 2);
  CHECK(tail.as_strided({2}, {3}).offset() == 2);
  CHECK(values_of(tail.as_strided({2}, {3})) == std::vector<double>{2, 5});
  CHECK(values_of(tail.as_strided({2}, {3}, 0)) == std::vector<double>{0, 3});
}

TEST_CASE("as_strided: what does not lie within the storage is refused") {
  const SharedTensor tensor = share({6}, {0, 1, 2, 3, 4, 5});
  const auto bounds = caught<ValidationError>([&] { return tensor.as_strided({2, 3}, {1, 3}); });
  CHECK(bounds.operation() == "as_strided");
  REQUIRE(bounds.get_if<ViewOutOfBounds>() != nullptr);
  CHECK(bounds.get_if<ViewOutOfBounds>()->highest == 7);
  CHECK(bounds.get_if<ViewOutOfBounds>()->available == 6);
  const auto refused = [&]<class Detail>(AxisValues extents, AxisValues strides, std::int64_t offset,
                                         const Detail*) {
    return caught<ValidationError>([&] {
             return tensor.as_strided(extents, strides, offset);
           }).template get_if<Detail>() != nullptr;
  };
  CHECK(refused({1}, {1}, 6, static_cast<ViewOutOfBounds*>(nullptr)));
  CHECK(refused({1}, {1}, -1, static_cast<ViewOutOfBounds*>(nullptr)));
  CHECK(refused({2}, {-1}, 0, static_cast<ViewOutOfBounds*>(nullptr)));
  CHECK(refused({2, 3}, {1}, 0, static_cast<RankMismatch*>(nullptr)));
  CHECK(refused({-1}, {1}, 0, static_cast<NegativeExtent*>(nullptr)));
  CHECK(refused({3}, {int64_max}, 0, static_cast<IntegerOverflow*>(nullptr)));
  CHECK(refused({int64_max, int64_max}, {0, 0}, 0, static_cast<IntegerOverflow*>(nullptr)));
}

TEST_CASE("SharedTensor: a view of a view is checked against the storage and not against the view") {
  const SharedTensor one = share({6}, {0, 1, 2, 3, 4, 5}).select(0, 3);
  CHECK(values_of(one.as_strided({6}, {1}, 0)) == std::vector<double>{0, 1, 2, 3, 4, 5});
  CHECK_THROWS_AS(one.as_strided({4}, {1}), ValidationError);
}

TEST_CASE(
    "SharedTensor: every view operation reads what the layout says, shares the counter, copies nothing") {
  const SharedTensor base = share({2, 3}, {1, 4, 2, 5, 3, 6});
  const LedgerScope scope;
  const auto is = [&](const SharedTensor& view, const Layout& layout) {
    return view.layout() == layout && view.is_view() && shares_counter(view, base) && view.dtype() == f64;
  };
  const Layout& layout = base.layout();
  CHECK(is(base.permute({1, 0}), layout.permute({1, 0})));
  CHECK(is(base.transposed(), layout.transposed()));
  CHECK(is(base.select(1, -1), layout.select(1, -1)));
  CHECK(is(base.slice(1, Slice{1, 3}), layout.slice(1, Slice{1, 3})));
  CHECK(is(base.slice({Slice{0, 1}, Slice{{}, {}, 2}}), layout.slice({Slice{0, 1}, Slice{{}, {}, 2}})));
  CHECK(is(base.flip(0), layout.flip(0)));
  CHECK(is(base.insert_axis(1), layout.insert_axis(1)));
  CHECK(is(base.insert_axis(1).remove_axis(1), layout));
  CHECK(
      is(base.slice(0, Slice{0, 1}).broadcast_to({4, 3}), layout.slice(0, Slice{0, 1}).broadcast_to({4, 3})));
  CHECK(is(base.reshape({6}), layout.reshape({6})));
  CHECK(scope.copies() == 0);
  CHECK(scope.owners_created() == 0);
  CHECK(values_of(base.slice(1, Slice{{}, {}, -1}).select(0, 1)) == std::vector<double>{6, 5, 4});
}

TEST_CASE("reshape: where it would take a copy it is refused") {
  const SharedTensor turned = share({2, 3}, {1, 4, 2, 5, 3, 6}).transposed();
  CHECK(caught<ValidationError>([&] { return turned.reshape({6}); }).get_if<NotCompact>() != nullptr);
  CHECK(turned.reshape({3, 1, 2}).element_count() == 6);
}

TEST_CASE("reshape: no elements do not become more than 64 bits count") {
  const std::int64_t huge = std::int64_t{1} << 32;
  const SharedTensor none = share({0}, {});
  const auto error = caught<ValidationError>([&] { return none.reshape({huge, huge}); });
  CHECK(error.get_if<IntegerOverflow>() != nullptr);
  CHECK_THROWS_AS(none.as_strided({huge, huge}, {0, 0}), ValidationError);
  CHECK(none.reshape({huge, 0, huge}).is_view());
}

TEST_CASE("SharedTensor: formats come from geometry, also after a view") {
  const SharedTensor tensor = share({2, 3}, {1, 4, 2, 5, 3, 6});
  CHECK(tensor.layout().is_column_major());
  CHECK(tensor.transposed().layout().is_row_major());
  const SharedTensor image = SharedTensor::from(Tensor::zeros(f32, {2, 3, 4, 5}));
  const SharedTensor last = image.clone(MemoryFormat::channels_last);
  CHECK(last.layout().is_channels_last());
  CHECK_FALSE(last.layout().is_row_major());
  CHECK(last.as_strided(last.extents(), last.strides()).layout().is_channels_last());
  CHECK_FALSE(last.as_strided(image.extents(), image.strides()).layout().is_channels_last());
  CHECK(last.permute({0, 2, 3, 1}).layout().is_row_major());
}

TEST_CASE("SharedTensor: a handle of no elements has a version like any other") {
  SharedTensor none = share({0, 3}, {});
  CHECK(none.read().view().element_count() == 0);
  none.write().publish();
  CHECK(none.version() == 1);
  CHECK(none.clone().version() == 0);
  CHECK(none.transposed().is_view());
}

TEST_CASE("SharedTensor: of a moved-from handle only empty() may be asked") {
  SharedTensor tensor = share({2}, {1, 2});
  const SharedTensor other = std::move(tensor);
  CHECK(tensor.empty());
  CHECK_FALSE(other.empty());
  CHECK_THROWS_AS(tensor.dtype(), EmptyOwner);
  CHECK_THROWS_AS(tensor.layout(), EmptyOwner);
  CHECK_THROWS_AS(tensor.is_view(), EmptyOwner);
  CHECK_THROWS_AS(tensor.placement(), EmptyOwner);
  CHECK_THROWS_AS(tensor.as_strided({}, {}), EmptyOwner);
  CHECK_THROWS_AS(tensor.reshape({2}), EmptyOwner);
  CHECK_THROWS_AS(tensor.read(), EmptyOwner);
  CHECK_THROWS_AS(tensor.write(), EmptyOwner);
  CHECK_THROWS_AS(tensor.version(), EmptyOwner);
  CHECK_THROWS_AS(tensor.clone(), EmptyOwner);
  CHECK_THROWS_AS(shares_counter(other, tensor), EmptyOwner);
  const SharedTensor copy = tensor;
  CHECK(copy.empty());
  tensor = other;
  CHECK(tensor.version() == 0);
}
