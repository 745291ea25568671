// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <numeric>
#include <type_traits>

#include "support/caught.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

// 0, 1, 2 ... in column-major order.
template <int Rank>
HostTensor<double, Rank> counting(AxisValues extents) {
  auto tensor = HostTensor<double, Rank>::zeros(extents);
  std::iota(tensor.host_data_mut().begin(), tensor.host_data_mut().end(), 0.0);
  return tensor;
}

template <class V>
std::vector<std::int64_t> extents_of(const V& view) {
  return {view.extents().begin(), view.extents().end()};
}

using Extents = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("as_view: shares the buffer, keeps the rank and copies nothing") {
  const auto tensor = counting<2>({2, 3});
  const LedgerScope scope;
  const TypedTensorView<double, 2> view = tensor.as_view();
  CHECK(view.host_data().data() == tensor.host_data().data());
  CHECK(extents_of(view) == Extents{2, 3});
  CHECK(view.strides()[0] == 1);
  CHECK(view.strides()[1] == 2);
  CHECK(view.offset() == 0);
  CHECK(view.is_compact());
  CHECK(view.extent(-1) == 3);
  const TypedTensorView<double, 2> copy = view;
  CHECK(copy(1, 2) == 5.0);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("view transforms: read the same elements by other indices and copy nothing") {
  const auto tensor = counting<3>({2, 3, 4});
  const auto view = tensor.as_view();
  const LedgerScope scope;
  const auto value = [](std::int64_t i, std::int64_t j, std::int64_t k) {
    return static_cast<double>(i + 2 * j + 6 * k);
  };
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      for (std::int64_t k = 0; k < 4; ++k) {
        CHECK(view.permute({2, 0, 1})(k, i, j) == value(i, j, k));
        CHECK(view.transposed()(k, j, i) == value(i, j, k));
        CHECK(view.flip(1)(i, 2 - j, k) == value(i, j, k));
        CHECK(view.select(1, j)(i, k) == value(i, j, k));
        CHECK(view.insert_axis(1)(i, 0, j, k) == value(i, j, k));
        CHECK(view.insert_axis(-1).remove_axis(-1)(i, j, k) == value(i, j, k));
        CHECK(view.reshape<2>({6, 4})(i + 2 * j, k) == value(i, j, k));
        CHECK(view.reshape({4, 6})((i + 2 * j + 6 * k) % 4, (i + 2 * j + 6 * k) / 4) == value(i, j, k));
        CHECK(view.select(1, 1).insert_axis(1).broadcast_to({2, 3, 4})(i, j, k) == value(i, 1, k));
      }
    }
  }
  const auto part = view.slice({Slice{1, {}}, Slice{{}, {}, -2}, Slice{1, 3}});
  CHECK(extents_of(part) == Extents{1, 2, 2});
  CHECK(part(0, 1, 1) == value(1, 0, 2));
  CHECK(view.slice(-1, Slice{3, 4})(1, 2, 0) == value(1, 2, 3));
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("view transforms: a static rank is kept where it is known") {
  const auto tensor = counting<2>({2, 3});
  const auto view = tensor.as_view();
  static_assert(std::is_same_v<decltype(view.permute({1, 0})), TypedTensorView<double, 2>>);
  static_assert(std::is_same_v<decltype(view.slice(0, Slice{})), TypedTensorView<double, 2>>);
  static_assert(std::is_same_v<decltype(view.broadcast_to({2, 3})), TypedTensorView<double, 2>>);
  static_assert(std::is_same_v<decltype(view.select(0, 0)), TypedTensorView<double, 1>>);
  static_assert(std::is_same_v<decltype(view.insert_axis(0)), TypedTensorView<double, 3>>);
  static_assert(std::is_same_v<decltype(view.reshape({6})), TypedTensorView<double>>);
  static_assert(std::is_same_v<decltype(view.reshape<1>({6})), TypedTensorView<double, 1>>);
  static_assert(std::is_same_v<decltype(view.as_complex()), TypedTensorView<std::complex<double>, 1>>);
  static_assert(std::is_same_v<decltype(view.as_dynamic().select(0, 0)), TensorView>);
  static_assert(std::is_same_v<decltype(view.as_rank<dynamic_rank>().select(0, 0)), TypedTensorView<double>>);
  CHECK(caught<ValidationError>([&] { return view.reshape<2>({6}); }).get_if<RankMismatch>() != nullptr);
  CHECK(caught<ValidationError>([&] { return view.as_rank<3>(); }).get_if<RankMismatch>() != nullptr);
}

TEST_CASE("view transforms: a mistake is an error that names itself") {
  const auto tensor = counting<2>({2, 3});
  const auto view = tensor.as_view();
  const auto refused = [](auto call) { return caught<ValidationError>(call); };
  CHECK(refused([&] { return view.permute({0, 0}); }).get_if<DuplicateAxis>() != nullptr);
  CHECK(refused([&] { return view.permute({0}); }).get_if<InvalidPermutationLength>() != nullptr);
  CHECK(refused([&] { return view.select(2, 0); }).get_if<AxisOutOfBounds>() != nullptr);
  CHECK(refused([&] { return view.select(0, 2); }).get_if<IndexOutOfBounds>() != nullptr);
  CHECK(refused([&] { return view.slice(0, Slice{{}, {}, 0}); }).get_if<InvalidSliceStep>() != nullptr);
  CHECK(refused([&] { return view.reshape({4}); }).get_if<ReshapeElementCount>() != nullptr);
  CHECK(refused([&] { return view.transposed().reshape({6}); }).get_if<NotCompact>() != nullptr);
  CHECK(refused([&] { return view.extent(2); }).get_if<AxisOutOfBounds>() != nullptr);
}

TEST_CASE("mutable views: write through every transform into the owner") {
  auto tensor = counting<2>({2, 3});
  {
    const auto view = tensor.as_view_mut();
    view(0, 0) = 10.0;
    view.transposed()(1, 0) = 20.0;
    view.select(1, 2)(1) = 30.0;
    view.slice(1, Slice{{}, {}, -1})(0, 0) = 40.0;
    view.reshape<1>({6})(1) = 50.0;
    view.flip(0).flip(0).insert_axis(0).remove_axis(0)(1, 1) = 60.0;
    view.reborrow().host_data_mut()[5] += 1.0;
    *view.get_mut({0, 1}) += 2.0;
    CHECK(view.as_read()(1, 1) == 60.0);
    CHECK(*view.get({1, 1}) == 60.0);
    CHECK(view.host_data()[1] == 50.0);
  }
  CHECK(tensor.to_vec_col_major() == std::vector<double>{10, 50, 22, 60, 40, 31});
}

TEST_CASE("mutable views: carry the proof that no two indices share an element") {
  auto tensor = counting<3>({4, 5, 6});
  const auto view = tensor.as_view_mut();
  CHECK(view.layout().injectivity() == Injectivity::yes);
  CHECK(view.slice(0, Slice{1, 4, 2}).layout().injectivity() == Injectivity::yes);
  CHECK(view.select(1, 3).transposed().layout().injectivity() == Injectivity::yes);
  CHECK(view.reshape({8, 15}).layout().injectivity() == Injectivity::yes);
}

TEST_CASE("mutable views: a child outlives a temporary parent") {
  auto tensor = counting<2>({2, 2});
  const auto column = tensor.as_view_mut().select(1, 1);
  column(0) = 9.0;
  CHECK(tensor(0, 1) == 9.0);
}

TEST_CASE("as_typed: another element type or rank is refused, the right one reads the same bytes") {
  auto tensor = std::move(counting<2>({2, 3})).into_dynamic();
  {
    const TensorView view = tensor.as_view();
    CHECK(caught<ValidationError>([&] { return view.as_typed<float>(); }).get_if<DTypeMismatch>() != nullptr);
    CHECK(caught<ValidationError>([&] { return view.as_typed<double, 1>(); }).get_if<RankMismatch>() !=
          nullptr);
    CHECK(view.as_typed<double, 2>()(1, 1) == 3.0);
    CHECK(view.transposed().as_typed<double>()(2, 0) == 4.0);
  }
  TensorViewMut writing = tensor.as_view_mut();
  writing.reborrow().select(0, 1).as_typed<double, 1>()(2) = 8.0;
  CHECK(caught<ValidationError>([&] { return writing.as_typed<int>(); }).get_if<DTypeMismatch>() != nullptr);
  CHECK(writing.as_read().as_typed<double, 2>()(1, 2) == 8.0);
  CHECK(writing.as_typed<double, 2>().as_dynamic().rank() == 2);
}

TEST_CASE("as_real and as_complex: read the same bytes as parts and back") {
  auto tensor = HostTensor<std::complex<double>, 1>::from_vec_col_major({3}, {{1, 2}, {3, 4}, {5, 6}});
  {
    const TypedTensorView<double, 2> parts = tensor.as_view().as_real();
    CHECK(extents_of(parts) == Extents{2, 3});
    CHECK(parts.dtype() == f64);
    CHECK(parts(1, 2) == 6.0);
    CHECK(parts.as_complex()(1) == std::complex<double>(3, 4));
    const auto reversed = tensor.as_view().flip(0).as_real();
    CHECK(reversed.strides()[0] == 1);
    CHECK(reversed.strides()[1] == -2);
    CHECK(reversed.offset() == 4);
  }
  tensor.as_view_mut().as_real()(0, 0) = 7.0;
  CHECK(tensor(0) == std::complex<double>(7, 2));
  auto dynamic = std::move(tensor).into_dynamic();
  CHECK(dynamic.as_view().as_real().as_complex().as_typed<std::complex<double>>()(2).imag() == 6.0);
  CHECK(dynamic.as_view_mut().as_real().rank() == 2);
}

TEST_CASE("as_real and as_complex: scalars and empties work, other types and odd layouts are refused") {
  const auto scalar = HostTensor<std::complex<float>, 0>::filled({}, {1, 2});
  CHECK(extents_of(scalar.as_view().as_real()) == Extents{2});
  const auto none = HostTensor<std::complex<float>, 1>::zeros({0});
  CHECK(extents_of(none.as_view().as_real()) == Extents{2, 0});
  const auto reals = HostTensor<float, 2>::zeros({3, 2});
  CHECK_THROWS_AS(reals.as_view().as_complex(), ValidationError);
  const auto integers = Tensor::zeros(i32, {2});
  CHECK(caught<ValidationError>([&] {
          return integers.as_view().as_complex();
        }).get_if<UnsupportedReinterpretation>() != nullptr);
  CHECK(caught<ValidationError>([&] {
          return integers.as_view().as_real();
        }).get_if<UnsupportedReinterpretation>() != nullptr);
}

static_assert(std::is_copy_constructible_v<TypedTensorView<double, 2>> &&
              std::is_copy_constructible_v<TensorView>);
static_assert(!std::is_copy_constructible_v<TypedTensorViewMut<double, 2>>);
static_assert(!std::is_copy_constructible_v<TensorViewMut> && !std::is_copy_assignable_v<TensorViewMut>);
static_assert(std::is_nothrow_move_constructible_v<TensorViewMut>);
static_assert(!std::is_convertible_v<TypedTensorViewMut<double, 2>, TypedTensorView<double, 2>>);
static_assert(!std::is_constructible_v<TypedTensorViewMut<double, 2>, const TypedTensorView<double, 2>&>);
static_assert(!std::is_convertible_v<const HostTensor<double, 2>&, TypedTensorView<double, 2>>);
