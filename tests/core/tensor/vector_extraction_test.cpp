// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <complex>
#include <cstring>
#include <numeric>

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

// The tensor with the elements 0, 1, 2 ...
TypedTensor<double> counting(UninitializedTensor&& uninitialized) {
  {
    const auto guard = uninitialized.as_view_mut().as_typed<double, 1>().map_write();
    std::iota(guard.host_data().begin(), guard.host_data().end(), 0.0);
  }
  return std::move(uninitialized).assume_written().into_typed<double>();  // by the loop above
}

template <class Place>
TypedTensor<double> counting_in(const Place& place, std::int64_t count) {
  return counting(UninitializedTensor::in(place, f64, {count}));
}

}  // namespace

TEST_CASE("into_vec_col_major: gives the very vector back") {
  std::vector<double> values(4, 1.5);
  const double* const data = values.data();
  const LedgerScope scope;
  auto tensor = TypedTensor<double, 2>::from_vec_col_major({2, 2}, std::move(values));
  const std::vector<double> back = std::move(tensor).into_vec_col_major();
  CHECK(back.data() == data);
  CHECK(back.size() == 4);
  CHECK(tensor.empty());
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("into_vec_col_major: bytes that came otherwise are refused, name what would do, and stay") {
  auto tensor = HostTensor<double>::filled({4}, 2.0);
  const auto error = caught<AccessError>([&] { return std::move(tensor).into_vec_col_major(); });
  CHECK(error.kind() == AccessError::Kind::not_a_vector);
  CHECK(contains(error.advice(), "to_vec_col_major"));
  CHECK(contains(error.advice(), "into_buffer_vector"));
  CHECK(tensor(3) == 2.0);
}

TEST_CASE("into_vec_col_major: a vector of another C++ type is not given back as this one") {
  auto tensor = Tensor::from_vec_col_major({2}, std::vector<long long>{1, 2});
  const auto error = caught<AccessError>([&] { return std::move(tensor).into_vec_col_major<long>(); });
  CHECK(error.kind() == AccessError::Kind::dtype_mismatch);
  CHECK(caught<ValidationError>([&] {
          return std::move(tensor).into_vec_col_major<double>();
        }).get_if<DTypeMismatch>() != nullptr);
  CHECK(std::move(tensor).into_vec_col_major<long long>() == std::vector<long long>{1, 2});
  CHECK_THROWS_AS(std::move(tensor).into_vec_col_major<long long>(), EmptyOwner);
}

TEST_CASE("into_vec_col_major: survives changes of type, rank and representation") {
  std::vector<float> values{1, 2, 3, 4};
  const float* const data = values.data();
  auto host = HostTensor<float, 2>::from_vec_col_major({2, 2}, std::move(values));
  auto tensor = std::move(host).into_typed().into_rank<dynamic_rank>().into_dynamic();
  CHECK(std::move(tensor).into_vec_col_major<float>().data() == data);
}

TEST_CASE("into_buffer_vector: any host memory leaves without a copy") {
  const LedgerScope scope;
  auto filled = HostTensor<float>::filled({5}, 3.0f);
  const float* const data = filled.host_data().data();
  const BufferVector<float> buffer = std::move(filled).into_buffer_vector();
  CHECK(buffer.data() == data);
  CHECK(buffer == BufferVector<float>(5, 3.0f));
  CHECK(filled.empty());

  auto adopted = Tensor::from_vec_col_major({3}, std::vector<int>{1, 2, 3});
  CHECK(caught<ValidationError>([&] {
          return std::move(adopted).into_buffer_vector<float>();
        }).get_if<DTypeMismatch>() != nullptr);
  CHECK(std::move(adopted).into_buffer_vector<int>() == BufferVector<int>({1, 2, 3}));
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("into_buffer_vector: a pooled block leaves its pool for good and keeps its address") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::pageable));
  {
    auto tensor = counting_in(pool, 4096);
    const double* const data = tensor.host_data().data();
    const BufferVector<double> buffer = std::move(tensor).into_buffer_vector();
    CHECK(buffer.data() == data);
    CHECK(buffer[4095] == 4095.0);
  }
  CHECK(provider.calls.detach == 1);
  CHECK(pool.statistics().buffers == 0);
}

TEST_CASE("into_buffer_vector: memory that needs a map, or is mapped, stays in its tensor") {
  FakeProvider provider;
  auto managed = counting_in(provider.domain(FakeProvider::managed), 4);
  const auto error = caught<AccessError>([&] { return std::move(managed).into_buffer_vector(); });
  CHECK(error.kind() == AccessError::Kind::not_host_accessible);
  CHECK(contains(error.advice(), "map_read"));
  CHECK(managed.element_count() == 4);

  auto coherent = counting_in(provider.domain(FakeProvider::coherent), 4);
  {
    const auto guard = coherent.map_read();
    CHECK(caught<AccessError>([&] { return std::move(coherent).into_buffer_vector(); }).kind() ==
          AccessError::Kind::mapped);
  }
  CHECK(std::move(coherent).into_buffer_vector()[3] == 3.0);
}

TEST_CASE("to_vec: copies in either order, from provider memory too, and counts the bytes") {
  const std::vector<double> rows{1, 2, 3, 4, 5, 6};
  const auto tensor = HostTensor<double, 2>::from_vec_row_major({2, 3}, rows);
  const LedgerScope scope;
  CHECK(tensor.to_vec_row_major() == rows);
  CHECK(tensor.to_vec_col_major() == std::vector<double>{1, 4, 2, 5, 3, 6});
  CHECK(tensor.as_view().transposed().to_vec_col_major() == rows);
  CHECK(scope.bytes_copied() == 144);
  CHECK(scope.copies() == 3);

  FakeProvider provider;
  const auto managed = counting_in(provider.domain(FakeProvider::managed), 4);
  CHECK(managed.to_vec_col_major() == std::vector<double>{0, 1, 2, 3});
  CHECK(provider.calls.copy == 1);
  CHECK(provider.calls.map == 1);  // by the loop that wrote it
}

TEST_CASE_TEMPLATE("into_vec_col_major: gives a vector of every element type back", T, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                   std::uint64_t, float16, bfloat16, float, double, std::complex<float>,
                   std::complex<double>) {
  std::vector<T> values(6);
  values[5] = T(1);
  const T* const data = values.data();
  const LedgerScope scope;
  auto tensor = Tensor::from_vec_col_major({2, 3}, std::move(values));
  CHECK(tensor.dtype() == dtype_of<T>());
  CHECK(tensor.bytes() == 6 * sizeof(T));
  std::vector<T> back = std::move(tensor).template into_vec_col_major<T>();
  CHECK(back.data() == data);
  CHECK(back.size() == 6);
  CHECK(std::memcmp(&back[5], &back[4], sizeof(T)) != 0);

  auto typed = TypedTensor<T, 1>::from_vec_col_major({6}, std::move(back));
  const BufferVector<T> buffer = std::move(typed).into_buffer_vector();
  CHECK(buffer.data() == data);
  CHECK(scope.copies() == 0);
}

TEST_CASE("into_vec_col_major: a vector without elements or with room to spare is the same one afterwards") {
  std::vector<double> roomy;
  roomy.reserve(100);
  roomy.assign(4, 2.0);
  const double* const data = roomy.data();
  const auto back = HostTensor<double>::from_vec_col_major({4}, std::move(roomy)).into_vec_col_major();
  CHECK(back.data() == data);
  CHECK(back.capacity() == 100);
  std::vector<double> none;
  none.reserve(10);
  const auto nothing = HostTensor<double>::from_vec_col_major({0, 7}, std::move(none)).into_vec_col_major();
  CHECK(nothing.empty());
  CHECK(nothing.capacity() == 10);
}
