// SPDX-License-Identifier: Apache-2.0
// By the ledger: what has no name of a copy copies nothing, and what has one copies once, its very bytes.
#include <doctest/doctest.h>

#include <complex>
#include <functional>
#include <optional>

#include "core/tensor/placed_tensor.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/allocation_group.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

namespace {

using Matrix = TypedTensor<double, 2>;

struct Proof {
  const char* name;
  std::function<void(Matrix&)> act;
  std::uint64_t copies = 0;
  std::uint64_t bytes = 0;
  std::uint64_t owners = 0;
};

// Runs each of them on a matrix of its own, 4 by 6, in a domain; null stands for the core's host memory.
void check_proofs(const std::vector<Proof>& proofs, FakeProvider& provider,
                  std::optional<FakeProvider::Domain> domain) {
  for (const Proof& proof : proofs) {
    CAPTURE(proof.name);
    Matrix matrix = domain ? counting_in<2>(provider, *domain, {4, 6}) : Matrix::filled({4, 6}, 1.0);
    const LedgerScope scope;
    proof.act(matrix);
    CHECK(scope.copies() == proof.copies);
    CHECK(scope.bytes_copied() == proof.bytes);
    CHECK(scope.bytes_staged() == 0);
    CHECK(scope.owners_created() == proof.owners);
  }
}

template <class View>
void take_every_transform(const View& view) {
  view.permute({1, 0});
  view.transposed();
  view.flip(0);
  view.slice(0, Slice{1, 3});
  view.slice({Slice{0, 4, 2}, Slice{{}, {}, -1}});
  view.select(1, 2);
  view.insert_axis(1);
  view.insert_axis(0).remove_axis(0);
  view.reshape({2, 12});
  view.reshape({2, 12}).as_complex();
  view.reshape({2, 12}).as_complex().as_real();
}

template <class View>
void take_bits_and_parts(const View& view) {
  {
    const auto bits = view.as_dynamic().as_bits(u64);
    const auto halves = bits.as_bits(f32);
  }
  if constexpr (WritableView<View>) {
    CHECK(view.try_multi_slice_mut({{{0, 2}, {}}, {{2, 4}, {}}}).size() == 2);
  }
}

const std::vector<Proof> free_of_copies{
    {"transforms of a view that reads",
     [](Matrix& matrix) {
       const auto view = matrix.as_view();
       take_every_transform(view);
       take_every_transform(view.as_dynamic());
       take_bits_and_parts(view);
       view.slice(0, Slice{0, 1}).broadcast_to({9, 6});
       view.as_rank<dynamic_rank>();
       const auto retained = view;
       CHECK(retained.element_count() == 24);
     }},
    {"transforms of a view that writes",
     [](Matrix& matrix) {
       const auto view = matrix.as_view_mut();
       take_every_transform(view);
       take_every_transform(view.as_dynamic());
       take_bits_and_parts(view);
       view.reborrow();
       view.as_read();
     }},
    {"moves of the owner",
     [](Matrix& matrix) {
       Matrix moved = std::move(matrix);
       matrix = std::move(moved);
     }},
    {"conversions of the owner",
     [](Matrix& matrix) {
       auto any_rank = std::move(matrix).into_rank<dynamic_rank>();
       auto dynamic = std::move(any_rank).into_dynamic();
       matrix = std::move(dynamic).into_typed<double, 2>();
     }},
    {"reinterpretations of the owner",
     [](Matrix& matrix) {
       auto complex = std::move(matrix).into_bits<std::complex<double>>();
       auto parts = std::move(complex).into_real().into_complex().into_dynamic();
       matrix = std::move(parts).into_bits(f64).into_typed<double, 2>();
     }},
    {"promotion, another reading and extraction",
     [](Matrix& matrix) {
       auto group = AllocationGroup::from_tensor(std::move(matrix));
       const DescriptorSlot slot = group.slots()[0];
       const DescriptorSlot alias = group.add_descriptor(slot, f64, Layout::column_major({12}), 96);
       CHECK(group.split_mut({alias}).size() == 1);
       group.remove_descriptor(alias);
       group.reinterpret(slot, i64);
       group.reinterpret(slot, f64);
       matrix = group.take_tensor<double, 2>(slot);
     }},
    {"questions",
     [](Matrix& matrix) {
       CHECK(matrix.bytes() == 192);
       CHECK(matrix.layout().is_column_major());
       CHECK(matrix.as_view().allocation_id() == matrix.allocation_id());
     }},
};

const std::vector<Proof> host_access{
    {"maps of the owner",
     [](Matrix& matrix) {
       { const auto guard = matrix.map_read(); }
       auto guard = matrix.map_write();
       guard.host_data()[5] = 2.0;
       guard.publish();
     }},
    {"maps of parts",
     [](Matrix& matrix) {
       CHECK(matrix.as_view().transposed().map_read().view().extent(0) == 6);
       const auto guard = matrix.as_view_mut().select(0, 1).map_write();
       guard.view()(3) = 2.0;
     }},
};

const std::vector<Proof> on_host{
    {"elements",
     [](Matrix& matrix) {
       matrix(0, 0) = matrix.at(3, 5) + *matrix.get({1, 1});
     }},
    {"spans", [](Matrix& matrix) { matrix.host_data_mut()[3] = matrix.as_view().host_data()[2]; }},
    {"a host tensor", [](Matrix& matrix) { matrix = std::move(matrix).into_host().into_typed(); }},
    {"a buffer vector", [](Matrix& matrix) { CHECK(std::move(matrix).into_buffer_vector().size() == 24); }},
};

const std::vector<Proof> named{
    {"duplicate", [](Matrix& matrix) { matrix.duplicate(); }, 1, 192, 1},
    {"duplicate of a part",
     [](Matrix& matrix) {
       matrix.as_view().slice(1, Slice{2, 4}).duplicate();
     },
     1, 64, 1},
    {"to_col_major", [](Matrix& matrix) { matrix.as_view().transposed().to_col_major(); }, 1, 192, 1},
    {"to_col_major of a broadcast",
     [](Matrix& matrix) {
       matrix.as_view().slice(0, Slice{0, 1}).broadcast_to({9, 6}).to_col_major();
     },
     1, 432, 1},
    {"to_vec_col_major", [](Matrix& matrix) { matrix.to_vec_col_major(); }, 1, 192, 0},
    {"to_vec_row_major", [](Matrix& matrix) { matrix.as_view().select(0, 1).to_vec_row_major(); }, 1, 48, 0},
    {"download", [](Matrix& matrix) { download(matrix.as_view().flip(1)); }, 1, 192, 1},
    {"copy_into",
     [](Matrix& matrix) {
       // Two views of one tensor, as an allocation group hands them out.
       const ViewState all = StateAccess::state(matrix).view();
       const auto columns = [&](std::int64_t from) {
         return all.with_layout(all.layout().slice(1, Slice{from, from + 3}));
       };
       copy_into(StateAccess::make<TypedTensorView<double, 2>>(columns(0)),
                 StateAccess::make<TypedTensorViewMut<double, 2>>(columns(3)));
     },
     1, 96, 0},
};

}  // namespace

TEST_CASE("ledger: transforms, moves, conversions and questions copy nothing, wherever the memory is") {
  FakeProvider provider;
  check_proofs(free_of_copies, provider, std::nullopt);
  for (const auto domain : {FakeProvider::pageable, FakeProvider::managed, FakeProvider::coherent,
                            FakeProvider::device, FakeProvider::read_only}) {
    check_proofs(free_of_copies, provider, domain);
  }
  CHECK(provider.calls.copy == 0);
  CHECK(provider.calls.map == 0);
}

TEST_CASE("ledger: maps and extraction copy nothing") {
  FakeProvider provider;
  check_proofs(host_access, provider, FakeProvider::managed);
  CHECK(provider.calls.map == 4);
  for (const auto domain : {FakeProvider::pageable, FakeProvider::coherent}) {
    check_proofs(host_access, provider, domain);
    check_proofs(on_host, provider, domain);
  }
  check_proofs(host_access, provider, std::nullopt);
  check_proofs(on_host, provider, std::nullopt);
  CHECK(provider.calls.map == 4);
  CHECK(provider.calls.copy == 0);
}

TEST_CASE("ledger: a named copy is one copy of its very bytes, by one call of the provider that has them") {
  FakeProvider provider;
  check_proofs(named, provider, std::nullopt);
  check_proofs(named, provider, FakeProvider::pageable);
  CHECK(provider.calls.copy == 0);
  check_proofs(named, provider, FakeProvider::managed);
  CHECK(provider.calls.copy == static_cast<int>(named.size()));
  CHECK(provider.calls.map == 0);
}

TEST_CASE("ledger: bringing values in copies under its name only") {
  FakeProvider provider;
  std::vector<double> values(24, 1.0);
  const LedgerScope scope;
  auto adopted = HostTensor<double, 2>::from_vec_col_major({4, 6}, std::move(values));
  values = std::move(adopted).into_vec_col_major();
  const auto borrowed = Tensor::from_data_ptr(f64, {24}, DataPtr({.data = values.data()}), 192);
  const auto imported = Tensor::import_into(provider.domain(FakeProvider::coherent), f64, {24},
                                            DataPtr({.data = values.data()}), 192);
  const auto zeros = Tensor::zeros(f64, {24});
  CHECK(scope.copies() == 0);
  CHECK(scope.owners_created() == 4);
  const auto rows = HostTensor<double, 2>::from_vec_row_major({4, 6}, values);
  CHECK(scope.copies() == 1);
  CHECK(scope.bytes_copied() == 192);
  const auto uploaded = upload(rows.as_view(), provider.domain(FakeProvider::managed));
  CHECK(scope.copies() == 2);
  CHECK(scope.bytes_copied() == 384);
  CHECK(scope.owners_created() == 6);
  CHECK(provider.calls.copy == 1);
}
