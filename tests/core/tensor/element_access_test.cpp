// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <random>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

TEST_CASE("element access: owners and views agree on every index of tensors of any rank") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t rank = random() % 9;
    std::vector<std::int64_t> extents(rank);
    for (std::int64_t& extent : extents) extent = static_cast<std::int64_t>(1 + random() % 3);
    auto tensor = HostTensor<std::int64_t>::zeros(extents);
    std::iota(tensor.host_data_mut().begin(), tensor.host_data_mut().end(), std::int64_t{0});
    const auto view = tensor.as_view();
    const auto reversed = view.transposed();
    std::vector<std::int64_t> index(rank, 0);
    for (std::int64_t element = 0; element < tensor.element_count(); ++element) {
      const std::vector<std::int64_t> mirrored(index.rbegin(), index.rend());
      CHECK(*tensor.get(index) == element);
      CHECK(*view.get(index) == element);
      CHECK(*reversed.get(mirrored) == element);
      for (std::size_t axis = 0; axis < rank && ++index[axis] == extents[axis]; ++axis) index[axis] = 0;
    }
  }
}

TEST_CASE("at: an index outside is an error with axis, index and extent, also of owners") {
  auto tensor = HostTensor<double, 2>::zeros({2, 3});
  for (const auto& call : {std::function<void()>([&] { tensor.at(0, 3); }),
                           std::function<void()>([&] { std::as_const(tensor).at(0, 3); }),
                           std::function<void()>([&] { tensor.as_view().at(0, 3); }),
                           std::function<void()>([&] { tensor.as_view_mut().at(0, 3); })}) {
    const auto error = caught<ValidationError>([&] {
      call();
      return 0;
    });
    REQUIRE(error.get_if<IndexOutOfBounds>() != nullptr);
    CHECK(error.get_if<IndexOutOfBounds>()->axis == 1);
    CHECK(error.get_if<IndexOutOfBounds>()->index == 3);
    CHECK(error.get_if<IndexOutOfBounds>()->extent == 3);
    CHECK(error.operation() == "at");
  }
  CHECK_THROWS_AS(tensor.at(-1, 0), ValidationError);
  const auto any_rank = HostTensor<double>::zeros({2, 3});
  CHECK(caught<ValidationError>([&] { return any_rank.at(0); }).get_if<RankMismatch>() != nullptr);
}

TEST_CASE("at: an index that no signed number holds is named as it was given") {
  const auto tensor = HostTensor<double, 2>::zeros({2, 3});
  const auto error = caught<ValidationError>([&] { return tensor.at(0, UINT64_MAX); });
  REQUIRE(error.get_if<IndexOutOfBounds>() != nullptr);
  CHECK(contains(error.what(), "index 18446744073709551615 of axis 1 lies outside its extent 3"));
  const auto negative = caught<ValidationError>([&] { return tensor.as_view().at(-1, 0); });
  CHECK(contains(negative.what(), "index -1 of axis 0"));
}

TEST_CASE("get: null for what is no index of the tensor") {
  auto tensor = HostTensor<double, 2>::filled({2, 3}, 1.0);
  CHECK(tensor.get({2, 0}) == nullptr);
  CHECK(tensor.get({0, -1}) == nullptr);
  CHECK(tensor.get({0}) == nullptr);
  CHECK(tensor.as_view().get({2, 0}) == nullptr);
  CHECK(tensor.as_view_mut().get_mut({0, 3}) == nullptr);
  *tensor.get_mut({1, 2}) = 4.0;
  CHECK(tensor(1, 2) == 4.0);
}

TEST_CASE("operator(): an index outside is an error in a checked build") {
  if (!TENURE_CHECKED) return;
  auto tensor = HostTensor<double, 2>::zeros({2, 3});
  CHECK_THROWS_AS(tensor(2, 0), ValidationError);
  CHECK_THROWS_AS(std::as_const(tensor)(0, 3), ValidationError);
  CHECK_THROWS_AS(tensor.as_view()(0, -1), ValidationError);
  CHECK_THROWS_AS(tensor.as_view_mut()(0, 7), ValidationError);
}

TEST_CASE("host_data: views that are not compact are refused, unit axes never matter") {
  auto tensor = HostTensor<double, 2>::zeros({4, 3});
  CHECK(caught<ValidationError>([&] {
          return tensor.as_view().transposed().host_data();
        }).get_if<NotCompact>() != nullptr);
  CHECK_THROWS_AS(tensor.as_view_mut().slice(0, Slice{0, 2}).host_data_mut(), ValidationError);
  CHECK(tensor.as_view().select(1, 2).host_data().data() == tensor.host_data().data() + 8);
  CHECK(tensor.as_view().slice(1, Slice{1, 3}).host_data().size() == 8);
  CHECK(tensor.as_view().slice(1, Slice{0, 1}).transposed().host_data().size() == 4);
  CHECK(tensor.as_view().slice(0, Slice{4, 4}).host_data().empty());
}

TEST_CASE("host access: mappable memory names map_read, other memory names download") {
  FakeProvider provider;
  auto managed = UninitializedTensor::in(provider.domain(FakeProvider::managed), f64, {4})
                     .assume_written()
                     .into_typed<double, 1>();
  const auto mapped = caught<AccessError>([&] { return managed.host_data(); });
  CHECK(mapped.kind() == AccessError::Kind::not_host_accessible);
  CHECK(mapped.operation() == "host_data");
  CHECK(contains(mapped.advice(), "map_read"));
  CHECK(contains(mapped.found(), "test:0/managed"));
  auto device = UninitializedTensor::in(provider.domain(FakeProvider::device), f64, {4})
                    .assume_written()
                    .into_typed<double, 1>();
  CHECK(contains(caught<AccessError>([&] { return device.host_data_mut(); }).advice(), "download"));
  CHECK_THROWS_AS(device.at(0), AccessError);
  CHECK_THROWS_AS(device.get({0}), AccessError);
  CHECK_THROWS_AS(device.as_view().at(0), AccessError);
  CHECK_THROWS_AS(device.as_view().get({0}), AccessError);
  CHECK_THROWS_AS(device.as_view().host_data(), AccessError);
  CHECK_THROWS_AS(device.as_view_mut().get_mut({0}), AccessError);
  CHECK(provider.calls.map == 0);
}
