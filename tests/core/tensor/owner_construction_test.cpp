// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <span>

#include "support/caught.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/typed_tensor.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

std::vector<double> counting(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

void count_release(void* context) noexcept { ++*static_cast<int*>(context); }

}  // namespace

TEST_CASE("from_vec_col_major: keeps the vector's buffer and copies nothing") {
  std::vector<double> values = counting(6);
  const double* const data = values.data();
  const LedgerScope scope;
  const auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 3}, std::move(values));
  CHECK(values.empty());
  CHECK(tensor.host_data().data() == data);
  CHECK(tensor.host_data().size() == 6);
  CHECK(tensor.extent(0) == 2);
  CHECK(tensor.extent(-1) == 3);
  CHECK(tensor.element_count() == 6);
  CHECK(tensor.bytes() == 48);
  CHECK(tensor.dtype() == f64);
  CHECK(tensor(1, 2) == 6.0);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 1);
}

TEST_CASE("from_vec_col_major: a count that does not fit leaves the vector as it was") {
  std::vector<double> values = counting(5);
  const double* const data = values.data();
  const auto error = caught<ValidationError>([&] {
    return TypedTensor<double>::from_vec_col_major({2, 3}, std::move(values));
  });
  CHECK(error.operation() == "from_vec_col_major");
  REQUIRE(error.get_if<ShapeDataLengthMismatch>() != nullptr);
  CHECK(error.get_if<ShapeDataLengthMismatch>()->expected_elements == 6);
  CHECK(error.get_if<ShapeDataLengthMismatch>()->actual_elements == 5);
  CHECK(values.data() == data);
  CHECK(values.size() == 5);
}

TEST_CASE("from_vec_col_major: impossible extents leave the vector as it was") {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  std::vector<double> values = counting(4);
  const auto refused = [&](AxisValues extents) {
    const auto error =
        caught<ValidationError>([&] { return Tensor::from_vec_col_major(extents, std::move(values)); });
    CHECK(values.size() == 4);
    return error;
  };
  CHECK(refused({2, -2}).get_if<NegativeExtent>() != nullptr);
  CHECK(refused({huge, 2}).get_if<IntegerOverflow>() != nullptr);
  CHECK(refused({huge / 4}).get_if<IntegerOverflow>() != nullptr);
  CHECK(refused(std::vector<std::int64_t>(65, 1)).get_if<RankTooLarge>() != nullptr);
  const auto rank = caught<ValidationError>([&] {
    return HostTensor<double, 2>::from_vec_col_major({2, 2, 1}, std::move(values));
  });
  REQUIRE(rank.get_if<RankMismatch>() != nullptr);
  CHECK(rank.get_if<RankMismatch>()->expected == 2);
  CHECK(values.size() == 4);
}

TEST_CASE("from_vec_col_major: rank 0 has one element, rank 24 and 64 work") {
  const auto scalar = HostTensor<double, 0>::from_vec_col_major({}, std::vector<double>{7.0});
  CHECK(scalar() == 7.0);
  CHECK(scalar.rank() == 0);
  CHECK(scalar.element_count() == 1);
  for (const std::size_t rank : {24u, 64u}) {
    std::vector<std::int64_t> extents(rank, 1);
    extents[rank - 1] = 2;
    const auto deep = HostTensor<double>::from_vec_col_major(extents, counting(2));
    CHECK(deep.rank() == static_cast<std::int64_t>(rank));
    std::vector<std::int64_t> index(rank, 0);
    index[rank - 1] = 1;
    CHECK(*deep.get(index) == 2.0);
  }
}

TEST_CASE("from_vec_col_major: no elements have a null address") {
  const auto tensor = HostTensor<double>::from_vec_col_major({0, 3}, std::vector<double>());
  CHECK(tensor.host_data().data() == nullptr);
  CHECK(tensor.host_data().empty());
  CHECK(tensor.element_count() == 0);
  CHECK_FALSE(tensor.empty());
  CHECK(tensor.as_view().host_data().empty());
  CHECK(tensor.get({0, 0}) == nullptr);
}

TEST_CASE("from_vec_row_major: is a named copy into column-major order") {
  const std::vector<double> rows{1, 2, 3, 4, 5, 6};
  const LedgerScope scope;
  const auto tensor = HostTensor<double, 2>::from_vec_row_major({2, 3}, rows);
  CHECK(std::ranges::equal(tensor.host_data(), std::vector<double>{1, 4, 2, 5, 3, 6}));
  CHECK(tensor(0, 1) == 2.0);
  CHECK(scope.bytes_copied() == 48);
  CHECK(scope.copies() == 1);
  const Tensor dynamic = Tensor::from_vec_row_major({3, 2}, rows);
  const bool flags[] = {true, false, true};
  CHECK(Tensor::from_vec_row_major({3}, std::span(flags)).dtype() == boolean);
  const Tensor spanned = Tensor::from_vec_row_major({2, 3}, std::span(rows));
  CHECK(spanned.as_view().as_typed<double, 2>()(1, 0) == 4.0);
  CHECK(dynamic.as_view().as_typed<double, 2>()(0, 1) == 2.0);
  CHECK(caught<ValidationError>([&] {
          return HostTensor<double>::from_vec_row_major({7}, rows);
        }).get_if<ShapeDataLengthMismatch>() != nullptr);
}

TEST_CASE("from_data_ptr: adopts memory and gives it back once") {
  int releases = 0;
  double data[4] = {1, 2, 3, 4};
  {
    const auto tensor = TypedTensor<double, 2>::from_data_ptr(
        {2, 2}, DataPtr({.data = data, .context = &releases, .deleter = count_release}), sizeof(data));
    CHECK(tensor.host_data().data() == data);
    CHECK(releases == 0);
  }
  CHECK(releases == 1);
}

TEST_CASE("from_data_ptr: more bytes than needed are kept but not shown") {
  double data[4] = {1, 2, 3, 4};
  const auto tensor = Tensor::from_data_ptr(
      f64, {3}, DataPtr({.data = data, .context = nullptr, .deleter = nullptr}), sizeof(data));
  CHECK(tensor.bytes() == 24);
  CHECK(tensor.as_view().as_typed<double>().host_data().size() == 3);
}

TEST_CASE("from_data_ptr: too few bytes, a misaligned or a null address leave the handle as it was") {
  int releases = 0;
  alignas(8) std::byte data[40] = {};
  const auto refused = [&](void* address, std::size_t bytes) {
    DataPtr pointer({.data = address, .context = &releases, .deleter = count_release});
    const auto error = caught<ValidationError>(
        [&] { return HostTensor<double>::from_data_ptr({4}, std::move(pointer), bytes); });
    CHECK(pointer.data() == address);
    CHECK(releases == 0);
    pointer.reset();
    CHECK(releases == 1);
    releases = 0;
    return error;
  };
  CHECK(refused(data, 31).get_if<ShapeDataLengthMismatch>()->actual_elements == 3);
  const auto misaligned = refused(data + 4, 32);
  REQUIRE(misaligned.get_if<Misaligned>() != nullptr);
  CHECK(misaligned.get_if<Misaligned>()->required_bytes == 8);
  CHECK(misaligned.get_if<Misaligned>()->actual_bytes == 4);
  CHECK(refused(nullptr, 32).get_if<InvalidArgument>() != nullptr);
}

TEST_CASE("zeros and filled: write every element of aligned host memory and are no copies") {
  const LedgerScope scope;
  const auto zeros = HostTensor<std::complex<double>, 2>::zeros({3, 5});
  CHECK(std::ranges::count(zeros.host_data(), std::complex<double>()) == 15);
  CHECK(reinterpret_cast<std::uintptr_t>(zeros.host_data().data()) % 64 == 0);
  const auto filled = HostTensor<bool>::filled({70}, true);
  CHECK(std::ranges::count(filled.host_data(), true) == 70);
  CHECK(Tensor::zeros(bf16, {2, 2}).bytes() == 8);
  CHECK(Tensor::zeros(f32, {4, 0}).bytes() == 0);
  CHECK(scope.bytes_copied() == 0);
}

static_assert(sizeof(Tensor) <= 160 && sizeof(TypedTensor<float, 3>) <= 160 &&
              sizeof(HostTensor<bool>) <= 160);
static_assert(sizeof(TensorView) <= 160 && sizeof(TypedTensorViewMut<float, 3>) <= 160);
static_assert(!std::is_copy_constructible_v<Tensor> && !std::is_copy_constructible_v<HostTensor<double>>);
static_assert(!std::is_copy_assignable_v<TypedTensor<double, 2>>);
static_assert(std::is_nothrow_move_constructible_v<Tensor> &&
              std::is_nothrow_move_assignable_v<HostTensor<int>>);

TEST_CASE("from_vec_row_major: takes a list in braces, as elements of the tensor's type or of the list's") {
  const auto a = HostTensor<double, 2>::from_vec_row_major({2, 2}, {1, 2, 3, 4});
  CHECK(a(0, 1) == 2);
  const auto flags = HostTensor<bool, 1>::from_vec_row_major({2}, {true, false});
  CHECK(flags(0));
  const auto b = Tensor::from_vec_row_major({2, 2}, {1.5F, 2.5F, 3.5F, 4.5F});
  CHECK(b.dtype() == f32);
  CHECK(b.to_vec_col_major<float>() == std::vector<float>{1.5F, 3.5F, 2.5F, 4.5F});
  CHECK(HostTensor<double>::from_vec_row_major({0, 3}, {}).element_count() == 0);
  CHECK_THROWS_AS((HostTensor<double, 2>::from_vec_row_major({2, 2}, {1, 2, 3})), ValidationError);
}
