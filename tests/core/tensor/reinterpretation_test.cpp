// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <bit>
#include <complex>
#include <cstring>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/same_allocation.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::contains;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

using Complex = std::complex<double>;

TEST_CASE("as_real: a complex view as its parts, at the same place") {
  const auto tensor = HostTensor<Complex, 1>::from_vec_col_major({2}, {{1, 2}, {3, 4}});
  const LedgerScope scope;
  const TypedTensorView<double, 2> parts = tensor.as_view().as_real();
  CHECK(parts.layout() == Layout::strided({2, 2}, {1, 2}));
  CHECK(same_allocation(parts, tensor));
  CHECK(parts(1, 0) == 2.0);
  const auto reversed = tensor.as_view().flip(0).as_real();
  CHECK(reversed.layout() == Layout::strided({2, 2}, {1, -2}, 2));
  CHECK(reversed(0, 0) == 3.0);
  CHECK(reversed.as_complex()(1) == Complex(1, 2));
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("as_real, as_complex: writes through a reading reach the same bytes") {
  auto tensor = HostTensor<Complex, 1>::filled({2}, {0, 0});
  tensor.as_view_mut().as_real()(1, 1) = 5.0;
  CHECK(tensor(1) == Complex(0, 5));
  auto reals = HostTensor<double, 2>::zeros({2, 3});
  reals.as_view_mut().as_complex()(2) = Complex(7, 8);
  CHECK(reals(1, 2) == 8.0);
}

TEST_CASE("as_bits: equal sizes keep the layout, of any view") {
  const auto tensor = HostTensor<double, 2>::from_vec_col_major({2, 2}, {1, 2, 3, -0.0});
  const LedgerScope scope;
  const TypedTensorView<std::uint64_t, 2> bits = tensor.as_view().transposed().as_bits<std::uint64_t>();
  CHECK(bits.layout() == Layout::strided({2, 2}, {2, 1}));
  CHECK(bits(1, 0) == std::bit_cast<std::uint64_t>(3.0));
  CHECK(bits(1, 1) == std::uint64_t{1} << 63);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 0);
}

TEST_CASE("as_bits: other sizes change the axis along which the elements lie side by side") {
  const auto tensor = HostTensor<std::uint32_t, 2>::from_vec_col_major({2, 2}, {1, 2, 3, 4});
  const auto halves = tensor.as_view().as_bits<std::uint16_t>();
  CHECK(halves.layout() == Layout::column_major({4, 2}));
  CHECK(halves(2, 1) == (std::endian::native == std::endian::little ? 4 : 0));
  const auto rows = tensor.as_view().transposed();
  CHECK(rows.as_bits<std::uint16_t>(1).layout() == Layout::strided({2, 4}, {4, 1}));
  CHECK(caught<ValidationError>([&] { return rows.as_bits<std::uint16_t>(); }).get_if<InvalidArgument>() !=
        nullptr);
  const auto column = tensor.as_view().select(1, 1);
  CHECK(column.as_bits<std::uint64_t>().extents()[0] == 1);
  CHECK(column.as_bits<std::uint64_t>()(0) == (std::endian::native == std::endian::little
                                                   ? (std::uint64_t{4} << 32) + 3
                                                   : (std::uint64_t{3} << 32) + 4));
}

TEST_CASE("as_bits: a mutable reading writes the bytes") {
  auto tensor = HostTensor<double, 1>::zeros({2});
  { tensor.as_view_mut().as_bits<std::uint64_t>().at(1) = std::bit_cast<std::uint64_t>(2.5); }
  CHECK(tensor.to_vec_col_major() == std::vector<double>{0, 2.5});
}

TEST_CASE("as_bits: without a static type, and from it to one") {
  auto tensor = Tensor::from_vec_col_major({2, 2}, std::vector<float>{1, 2, 3, 4});
  CHECK(tensor.as_view().as_bits(u8).dtype() == u8);
  CHECK(tensor.as_view().as_bits(u8).extent(0) == 8);
  CHECK(tensor.as_view().as_bits<std::int32_t>().at(0, 0) == std::bit_cast<std::int32_t>(1.0f));
  CHECK(tensor.as_view_mut().as_bits(complex64).layout() == Layout::column_major({1, 2}));
}

TEST_CASE("as_bits: nothing is read as bool, and bool is not written as something else") {
  auto flags = Tensor::from_data_ptr(boolean, {0}, DataPtr(), 0);
  CHECK(flags.as_view().as_bits(u8).dtype() == u8);
  CHECK(flags.as_view_mut().as_bits(boolean).dtype() == boolean);
  const auto written = caught<ValidationError>([&] { return flags.as_view_mut().as_bits(u8); });
  REQUIRE(written.get_if<UnsupportedReinterpretation>() != nullptr);
  CHECK(written.get_if<UnsupportedReinterpretation>()->from == "bool");
  auto bytes = Tensor::zeros(u8, {4});
  CHECK(caught<ValidationError>([&] {
          return bytes.as_view().as_bits(boolean);
        }).get_if<UnsupportedReinterpretation>() != nullptr);
}

TEST_CASE("as_bits: an address that is not aligned for the new type is refused") {
  alignas(8) static std::uint32_t words[5] = {};
  const auto odd =
      HostTensor<std::uint32_t, 1>::from_data_ptr({4}, DataPtr({words + 1, nullptr, nullptr}), 16);
  const auto error = caught<ValidationError>([&] { return odd.as_view().as_bits<std::uint64_t>(); });
  REQUIRE(error.get_if<Misaligned>() != nullptr);
  CHECK(error.get_if<Misaligned>()->required_bytes == 8);
  CHECK(error.get_if<Misaligned>()->actual_bytes == 4);
  CHECK(odd.as_view().as_bits<std::complex<float>>().extents()[0] == 2);
}

TEST_CASE("as_bits: device memory keeps its identity and is not mapped") {
  FakeProvider provider;
  const auto tensor = counting_in<1>(provider, FakeProvider::device, {4});
  const auto bits = tensor.as_view().as_bits<std::uint32_t>();
  CHECK(bits.extents()[0] == 8);
  CHECK(bits.allocation_id() == tensor.allocation_id());
  CHECK(provider.calls.map == 0);
}

TEST_CASE("into_real, into_complex: the owner keeps its allocation and comes back as it was") {
  std::vector<Complex> values{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  const auto* const data = values.data();
  const LedgerScope scope;
  auto complex = HostTensor<Complex, 2>::from_vec_col_major({2, 2}, std::move(values));
  HostTensor<double, 3> reals = std::move(complex).into_real();
  CHECK(complex.empty());
  CHECK(reals.extent(0) == 2);
  CHECK(static_cast<const void*>(reals.host_data().data()) == data);
  CHECK(reals.host_data()[5] == 6.0);
  CHECK(reals(1, 1, 1) == 8.0);
  HostTensor<Complex, 2> again = std::move(reals).into_complex();
  CHECK(std::move(again).into_vec_col_major().data() == data);
  CHECK(scope.bytes_copied() == 0);
  CHECK(scope.owners_created() == 1);
}

TEST_CASE("into_real: the bytes leave as a buffer vector, and the vector is of another type") {
  auto complex = TypedTensor<Complex>::from_vec_col_major({2}, std::vector<Complex>{{1, 2}, {3, 4}});
  TypedTensor<double> reals = std::move(complex).into_real();
  const double* const data = reals.host_data().data();
  const auto error = caught<AccessError>([&] { return std::move(reals).into_vec_col_major(); });
  CHECK(error.kind() == AccessError::Kind::dtype_mismatch);
  CHECK(contains(error.advice(), "into_buffer_vector"));
  const BufferVector<double> buffer = std::move(reals).into_buffer_vector();
  CHECK(buffer.data() == data);
  CHECK(buffer == BufferVector<double>({1, 2, 3, 4}));
}

TEST_CASE("into_real, into_complex: scalars and tensors without elements") {
  CHECK(HostTensor<Complex, 0>::filled({}, {1, 2}).into_real().to_vec_col_major() ==
        std::vector<double>{1, 2});
  auto none = Tensor::zeros(complex64, {0});
  none = std::move(none).into_real();
  CHECK(none.dtype() == f32);
  CHECK(none.layout() == Layout::column_major({2, 0}));
  CHECK(std::move(none).into_complex().layout() == Layout::column_major({0}));
}

TEST_CASE("into_complex: a first axis that is no pair leaves the owner whole") {
  auto tensor = HostTensor<double, 2>::from_vec_col_major({4, 1}, {1, 2, 3, 4});
  const double* const data = tensor.host_data().data();
  const auto error = caught<ValidationError>([&] { return std::move(tensor).into_complex(); });
  CHECK(error.operation() == "into_complex");
  REQUIRE(error.get_if<InvalidArgument>() != nullptr);
  CHECK(contains(error.get_if<InvalidArgument>()->message, "first axis must have extent 2"));
  CHECK(tensor.host_data().data() == data);
  CHECK(std::move(tensor).into_vec_col_major() == std::vector<double>{1, 2, 3, 4});

  auto integers = Tensor::zeros(i64, {2});
  CHECK(caught<ValidationError>([&] {
          return std::move(integers).into_complex();
        }).get_if<UnsupportedReinterpretation>() != nullptr);
  CHECK(caught<ValidationError>([&] {
          return std::move(integers).into_real();
        }).get_if<UnsupportedReinterpretation>() != nullptr);
  CHECK(integers.dtype() == i64);
}

TEST_CASE("into_bits: equal, larger and smaller elements over the same allocation") {
  auto tensor = HostTensor<float, 2>::from_vec_col_major({2, 3}, {1, 2, 3, 4, 5, 6});
  const void* const data = tensor.host_data().data();
  HostTensor<std::uint32_t, 2> words = std::move(tensor).into_bits<std::uint32_t>();
  CHECK(words(1, 2) == std::bit_cast<std::uint32_t>(6.0f));
  HostTensor<std::uint64_t, 2> pairs = std::move(words).into_bits<std::uint64_t>();
  CHECK(pairs.extents()[0] == 1);
  Tensor bytes = std::move(pairs).into_dynamic().into_bits(u8);
  CHECK(bytes.extents()[0] == 8);
  CHECK(bytes.extents()[1] == 3);
  auto floats = std::move(bytes).into_bits(f32).into_host<float, 2>();
  CHECK(floats.host_data().data() == data);
  CHECK(std::move(floats).into_vec_col_major() == std::vector<float>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("into_bits: what does not fit leaves the owner whole") {
  auto tensor = HostTensor<float, 1>::filled({3}, 1.0f);
  const auto odd = caught<ValidationError>([&] { return std::move(tensor).into_bits<double>(); });
  CHECK(odd.operation() == "into_bits");
  CHECK(odd.get_if<InvalidArgument>() != nullptr);
  CHECK(tensor(2) == 1.0f);
  auto scalar = HostTensor<double, 0>::filled({}, 1.0);
  CHECK(caught<ValidationError>([&] {
          return std::move(scalar).into_bits<float>();
        }).get_if<AxisOutOfBounds>() != nullptr);
  CHECK(std::move(scalar).into_bits<std::int64_t>()() == std::bit_cast<std::int64_t>(1.0));

  alignas(8) static std::uint32_t words[5] = {};
  auto unaligned =
      TypedTensor<std::uint32_t, 1>::from_data_ptr({4}, DataPtr({words + 1, nullptr, nullptr}), 16);
  CHECK(caught<ValidationError>([&] {
          return std::move(unaligned).into_bits<double>();
        }).get_if<Misaligned>() != nullptr);
  CHECK(unaligned.extent(0) == 4);
  auto bytes = Tensor::zeros(u8, {4});
  CHECK(caught<ValidationError>([&] {
          return std::move(bytes).into_bits(boolean);
        }).get_if<UnsupportedReinterpretation>() != nullptr);
  const Tensor moved = std::move(bytes);
  CHECK_THROWS_AS(std::move(bytes).into_bits(i8), EmptyOwner);
  CHECK_THROWS_AS(std::move(bytes).into_real(), EmptyOwner);
}

TEST_CASE("into_bits: provider memory keeps its identity, and a pooled block goes back to its pool") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::device));
  std::optional<AllocationId> id;
  {
    auto pooled = UninitializedTensor::in(pool, f64, {512}).assume_written();  // nobody reads it
    id = pooled.allocation_id();
    const Tensor bits = std::move(pooled).into_bits(f32);
    CHECK(bits.allocation_id() == id);
    CHECK(bits.extents()[0] == 1024);
  }
  CHECK(pool.statistics().buffers == 1);
  CHECK(provider.calls.detach == 0);
}
