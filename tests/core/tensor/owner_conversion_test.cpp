// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "support/caught.hpp"
#include "support/fake_provider.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::FakeProvider;

namespace {

// The operation that an empty owner or view refuses by its name.
template <class Call>
std::string refused(Call call) {
  return std::string(caught<EmptyOwner>(call).operation());
}

}  // namespace

TEST_CASE("conversions: there and back keep the buffer and copy nothing") {
  std::vector<double> values{1, 2, 3, 4};
  const double* const data = values.data();
  const LedgerScope scope;
  auto host = HostTensor<double, 2>::from_vec_col_major({2, 2}, std::move(values));
  Tensor dynamic = std::move(host).into_dynamic();
  CHECK(host.empty());
  TypedTensor<double> typed = std::move(dynamic).into_typed<double>();
  TypedTensor<double, 2> ranked = std::move(typed).into_rank<2>();
  HostTensor<double, 2> again = std::move(ranked).into_host();
  HostTensor<double> any_rank = std::move(again).into_rank<dynamic_rank>();
  Tensor last = std::move(any_rank).into_typed().into_dynamic();
  CHECK(std::move(last).into_host<double, 2>().into_vec_col_major().data() == data);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 1);
}

TEST_CASE("into_typed: another element type or rank leaves the tensor whole") {
  Tensor tensor = Tensor::zeros(f32, {2, 3});
  const auto dtype = caught<ValidationError>([&] { return std::move(tensor).into_typed<double>(); });
  REQUIRE(dtype.get_if<DTypeMismatch>() != nullptr);
  CHECK(dtype.get_if<DTypeMismatch>()->expected == "f64");
  CHECK(dtype.get_if<DTypeMismatch>()->actual == "f32");
  const auto rank = caught<ValidationError>([&] { return std::move(tensor).into_host<float, 3>(); });
  REQUIRE(rank.get_if<RankMismatch>() != nullptr);
  CHECK(rank.get_if<RankMismatch>()->actual == 2);
  CHECK(tensor.extent(1) == 3);
  CHECK(std::move(tensor).into_typed<float, 2>()(1, 2) == 0.0f);
}

TEST_CASE("into_rank: another rank leaves the tensor whole") {
  auto tensor = HostTensor<int>::filled({2, 2}, 5);
  CHECK(caught<ValidationError>([&] { return std::move(tensor).into_rank<3>(); }).get_if<RankMismatch>() !=
        nullptr);
  CHECK(tensor(1, 1) == 5);
}

TEST_CASE("into_host: memory that the host needs a map or a download for stays where it is") {
  FakeProvider provider;
  auto managed = UninitializedTensor::in(provider.domain(FakeProvider::managed), f64, {4}).assume_written();
  const auto error = caught<AccessError>([&] { return std::move(managed).into_host<double>(); });
  CHECK(error.kind() == AccessError::Kind::not_host_accessible);
  CHECK(contains(error.advice(), "map_read"));
  CHECK(managed.element_count() == 4);

  auto device = UninitializedTensor::in(provider.domain(FakeProvider::device), f64, {4})
                    .assume_written()
                    .into_typed<double, 1>();
  CHECK(contains(caught<AccessError>([&] { return std::move(device).into_host(); }).advice(), "download"));
  CHECK(device.element_count() == 4);
}

TEST_CASE("into_host: coherent memory and tensors without elements are on the host") {
  FakeProvider provider;
  auto coherent = UninitializedTensor::in(provider.domain(FakeProvider::coherent), f64, {4}).assume_written();
  const auto on_host = std::move(coherent).into_host<double>();
  CHECK(on_host.host_data().size() == 4);
  auto none = UninitializedTensor::in(provider.domain(FakeProvider::device), f64, {0}).assume_written();
  const auto nothing = std::move(none).into_host<double>();
  CHECK(nothing.host_data().empty());
}

TEST_CASE("a moved-from owner is empty, can be assigned, and throws EmptyOwner for all else") {
  auto tensor = HostTensor<double, 1>::filled({3}, 1.0);
  auto other = std::move(tensor);
  CHECK(tensor.empty());
  CHECK_FALSE(other.empty());
  CHECK(refused([&] { return tensor.host_data(); }) == "host_data");
  CHECK(refused([&] { return tensor.rank(); }) == "rank");
  CHECK(refused([&] { return tensor.extents(); }) == "extents");
  CHECK(refused([&] { return tensor.extent(0); }) == "extent");
  CHECK(refused([&] { return tensor.element_count(); }) == "element_count");
  CHECK(refused([&] { return tensor.dtype(); }) == "dtype");
  CHECK(refused([&] { return tensor.layout(); }) == "layout");
  CHECK(refused([&] { return tensor.placement(); }) == "placement");
  CHECK(refused([&] { return tensor.as_view(); }) == "as_view");
  CHECK(refused([&] { return tensor.as_view_mut(); }) == "as_view_mut");
  CHECK(refused([&] { return tensor.at(0); }) == "at");
  CHECK(refused([&] { return tensor.get({0}); }) == "get");
  CHECK(refused([&] { return tensor.map_read(); }) == "map_read");
  CHECK(refused([&] { return tensor.duplicate(); }) == "duplicate");
  CHECK(refused([&] { return tensor.to_vec_col_major(); }) == "to_vec_col_major");
  CHECK(refused([&] { return std::move(tensor).into_vec_col_major(); }) == "into_vec_col_major");
  CHECK(refused([&] { return std::move(tensor).into_buffer_vector(); }) == "into_buffer_vector");
  CHECK(refused([&] { return std::move(tensor).into_typed(); }) == "into_typed");
  CHECK(refused([&] { return std::move(tensor).into_dynamic(); }) == "into_dynamic");
  CHECK(refused([&] { return std::move(tensor).into_rank<dynamic_rank>(); }) == "into_rank");
  tensor = std::move(other);
  CHECK(tensor.at(2) == 1.0);
}

TEST_CASE("a moved-from view is empty and throws EmptyOwner") {
  auto tensor = HostTensor<double, 1>::filled({3}, 1.0);
  auto view = tensor.as_view_mut();
  const auto other = std::move(view);
  CHECK(view.empty());
  CHECK_FALSE(other.empty());
  CHECK(refused([&] { return view.dtype(); }) == "dtype");
  CHECK(refused([&] { return view.layout().offset(); }) == "layout");
  CHECK(refused([&] { return view.rank(); }) == "rank");
  CHECK(refused([&] { return view.extents(); }) == "extents");
  CHECK(refused([&] { return view.extent(0); }) == "extent");
  CHECK(refused([&] { return view.strides(); }) == "strides");
  CHECK(refused([&] { return view.offset(); }) == "offset");
  CHECK(refused([&] { return view.element_count(); }) == "element_count");
  CHECK(refused([&] { return view.is_compact(); }) == "is_compact");
  CHECK(refused([&] { return view.placement(); }) == "placement");
  CHECK(refused([&] { return view.reborrow(); }) == "reborrow");
  CHECK(refused([&] { return view.as_read(); }) == "as_read");
  CHECK(refused([&] { return view.transposed(); }) == "transposed");
  CHECK(refused([&] { return view.host_data_mut(); }) == "host_data_mut");
  CHECK(refused([&] { return view.get_mut({0}); }) == "get_mut");
  CHECK(refused([&] { return view.at(0); }) == "at");
  CHECK(refused([&] { return view.map_write(); }) == "map_write");
  view = other.reborrow();
  view.at(1) = 4.0;
  CHECK(tensor(1) == 4.0);
}
