// SPDX-License-Identifier: Apache-2.0
// Which error is reported when several things are wrong: arithmetic of the shape first, then its fit to the
// values, the element type, the memory and its alignment, and what only the provider can know at last.
// Borrows are looked at right before a commit.
#include <doctest/doctest.h>

#include <bit>
#include <optional>
#include <span>
#include <string>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/borrow_error.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/group_error.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/transfer_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/tensor/allocation_group.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::counting_in;
using tenure_test::FakeProvider;
using tenure_test::mapped;

namespace {

using IsError = bool (*)(const Error&);

template <class E>
bool is(const Error& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}
template <class Detail>
bool is_validation(const Error& error) {
  const auto* const validation = dynamic_cast<const ValidationError*>(&error);
  return validation != nullptr && validation->get_if<Detail>() != nullptr;
}
template <AccessError::Kind Kind>
bool is_access(const Error& error) {
  const auto* const access = dynamic_cast<const AccessError*>(&error);
  return access != nullptr && access->kind() == Kind;
}

template <class Detail>
bool is_group(const Error& error) {
  const auto* const group = dynamic_cast<const GroupError*>(&error);
  return group != nullptr && group->get_if<Detail>() != nullptr;
}

// What may be wrong with a call, as a set of bits: bit i is the i-th of the errors.
class Faults {
 public:
  explicit Faults(unsigned bits) : bits_(bits) {}
  bool has(unsigned fault) const { return (bits_ >> fault & 1) != 0; }

 private:
  unsigned bits_;
};

// Makes the call with every set of faults. The first of them must be the one that is reported, and without
// any the call must succeed.
template <class Call>
void check_order(std::initializer_list<IsError> errors, Call call) {
  for (unsigned bits = 0; bits < 1u << errors.size(); ++bits) {
    CAPTURE(bits);
    try {
      call(Faults(bits));
      CHECK(bits == 0);
    } catch (const Error& error) {
      CAPTURE(error.what());
      REQUIRE(bits != 0);
      CHECK(errors.begin()[std::countr_zero(bits)](error));
    }
  }
}

// Extents of a 2 by 2 matrix with what is wrong with them.
std::vector<std::int64_t> extents_with(const Faults& faults, unsigned too_many, unsigned negative,
                                       unsigned overflow, unsigned other_rank) {
  std::vector<std::int64_t> extents{2, 2};
  if (faults.has(overflow)) extents = {std::int64_t{1} << 62, 4};
  if (faults.has(other_rank)) extents.push_back(1);
  if (faults.has(negative)) extents.back() = -1;
  if (faults.has(too_many)) extents.resize(65, 1);
  return extents;
}

struct Memory {
  alignas(16) std::byte bytes[64] = {};

  DataPtr pointer(bool null, bool misaligned) {
    return DataPtr({.data = null ? nullptr : bytes + (misaligned ? 4 : 0)});
  }
};

}  // namespace

TEST_CASE("error precedence: constructors look at the extents, then at the count, then at the memory") {
  Memory memory;
  check_order({is_validation<RankTooLarge>, is_validation<NegativeExtent>, is_validation<IntegerOverflow>,
               is_validation<RankMismatch>, is_validation<ShapeDataLengthMismatch>,
               is_validation<InvalidArgument>, is_validation<Misaligned>},
              [&](const Faults& faults) {
                HostTensor<double, 2>::from_data_ptr(extents_with(faults, 0, 1, 2, 3),
                                                     memory.pointer(faults.has(5), faults.has(6)),
                                                     faults.has(4) ? 24 : 32);
              });
  const auto of_vectors = [](auto make) {
    check_order({is_validation<RankTooLarge>, is_validation<NegativeExtent>, is_validation<IntegerOverflow>,
                 is_validation<RankMismatch>, is_validation<ShapeDataLengthMismatch>},
                [&](const Faults& faults) {
                  make(extents_with(faults, 0, 1, 2, 3), std::vector<double>(faults.has(4) ? 3 : 4));
                });
  };
  of_vectors([](const std::vector<std::int64_t>& extents, std::vector<double>&& values) {
    HostTensor<double, 2>::from_vec_row_major(extents, values);
  });
  of_vectors([](const std::vector<std::int64_t>& extents, std::vector<double>&& values) {
    HostTensor<double, 2>::from_vec_col_major(extents, std::move(values));
  });
}

TEST_CASE("error precedence: an import looks at the domain before the memory, and asks the provider last") {
  Memory memory;
  FakeProvider provider;
  const AllocationDomain domain = provider.domain(FakeProvider::coherent);
  check_order({is_validation<RankTooLarge>, is_validation<NegativeExtent>, is_validation<IntegerOverflow>,
               is_validation<ShapeDataLengthMismatch>, is_validation<MissingAllocationIdentity>,
               is_validation<InvalidArgument>, is_validation<Misaligned>,
               is_access<AccessError::Kind::imported>, is<ProviderError>},
              [&](const Faults& faults) {
                std::optional<Storage> live;
                if (faults.has(7)) live = domain.import_memory(DataPtr({.data = memory.bytes + 20}), 40);
                provider.lies.import_code = faults.has(8) ? TENURE_ABORTED : 0;
                const int imports = provider.calls.import;
                struct Reset {
                  FakeProvider& provider;
                  ~Reset() { provider.lies = {}; }
                } const reset{provider};
                try {
                  Tensor::import_into(faults.has(4) ? std::nullopt : std::optional(domain), f64,
                                      extents_with(faults, 0, 1, 2, 9),
                                      memory.pointer(faults.has(5), faults.has(6)), faults.has(3) ? 24 : 32);
                } catch (const ProviderError&) {
                  CHECK(provider.calls.import == imports + 1);
                  throw;
                } catch (const Error&) {
                  CHECK(provider.calls.import == imports);
                  throw;
                }
              });
}

TEST_CASE("error precedence: a map looks at the domain, then at other maps, and asks the provider last") {
  FakeProvider provider;
  check_order(
      {is<EmptyOwner>, is_access<AccessError::Kind::not_mappable>, is_access<AccessError::Kind::mapped>,
       is_access<AccessError::Kind::in_use>},
      [&](const Faults& faults) {
        auto tensor =
            counting_in<1>(provider, faults.has(1) ? FakeProvider::read_only : FakeProvider::managed, {4});
        StorageMap reading;
        if (faults.has(2)) reading = mapped(tensor, MapAccess::read);
        auto view = tensor.as_view_mut();
        std::optional<TypedTensorViewMut<double, 1>> taken;
        if (faults.has(0)) taken.emplace(std::move(view));
        provider.lies = {.map_code = faults.has(3) ? TENURE_FAILED_PRECONDITION : 0, .retryable = true};
        const int maps = provider.calls.map;
        try {
          view.map_write();
          provider.lies = {};
        } catch (const Error&) {
          const bool asked = !faults.has(0) && !faults.has(1) && !faults.has(2);
          CHECK(provider.calls.map == maps + asked);
          provider.lies = {};
          throw;
        }
      });
}

TEST_CASE(
    "error precedence: a map that the provider answers is looked at for address, length and alignment") {
  FakeProvider provider;
  const auto tensor = counting_in<1>(provider, FakeProvider::managed, {4});
  const char* const words[] = {"no address", "only 31 bytes", "off the alignment"};
  for (unsigned bits = 1; bits < 8; ++bits) {
    provider.lies = {
        .null_address = (bits & 1) != 0, .short_bytes = (bits & 2) != 0, .misaligned = (bits & 4) != 0};
    const auto error = tenure_test::caught<ProviderError>([&] { return tensor.map_read(); });
    CHECK(tenure_test::contains(error.what(), words[std::countr_zero(bits)]));
  }
}

TEST_CASE("error precedence: a copy looks at types, extents and overlap, then at the way, then at maps") {
  FakeProvider provider;
  check_order(
      {is<EmptyOwner>, is_validation<DTypeMismatch>, is_validation<ShapeMismatch>, is<DisjointError>,
       is<TransferError>, is_access<AccessError::Kind::mapped>, is_access<AccessError::Kind::in_use>},
      [&](const Faults& faults) {
        auto source = counting_in<2>(provider, FakeProvider::managed, {3, 4});
        auto other =
            UninitializedTensor::in(provider.domain(FakeProvider::managed), faults.has(1) ? i64 : f64, {3, 4})
                .assume_written();  // nobody reads it
        const bool overlap = faults.has(3) && !faults.has(1);
        // Two views of one tensor, as an allocation group hands them out.
        const auto source_view = StateAccess::make<TensorView>(StateAccess::state(source).view());
        auto target = overlap ? StateAccess::make<TensorViewMut>(StateAccess::state(source).view())
                              : other.as_view_mut();
        if (faults.has(2)) target = target.transposed();
        std::optional<TensorViewMut> taken;
        if (faults.has(0)) taken.emplace(std::move(target));
        StorageMap reading;
        if (faults.has(5))
          reading = overlap ? mapped(source, MapAccess::read) : mapped(other, MapAccess::read);
        provider.list_copy(FakeProvider::managed, FakeProvider::managed, !faults.has(4));
        provider.lies = {.copy_code = faults.has(6) ? TENURE_FAILED_PRECONDITION : 0, .retryable = true};
        const int copies = provider.calls.copy;
        try {
          copy_into(source_view, target);
          provider.lies = {};
        } catch (const Error& error) {
          CHECK(provider.calls.copy == copies + is_access<AccessError::Kind::in_use>(error));
          provider.lies = {};
          throw;
        }
      });
}

TEST_CASE("error precedence: what narrows or takes apart an owner looks at its type before its memory") {
  FakeProvider provider;
  const auto placed = [&](const Faults& faults, unsigned empty, unsigned dtype, FakeProvider::Domain domain) {
    auto tensor = UninitializedTensor::in(provider.domain(domain), faults.has(dtype) ? i64 : f64, {2, 2})
                      .assume_written();  // nobody reads it
    if (faults.has(empty)) const Tensor taken = std::move(tensor);
    return tensor;
  };
  check_order(
      {is<EmptyOwner>, is_validation<DTypeMismatch>, is_access<AccessError::Kind::not_host_accessible>},
      [&](const Faults& faults) {
        auto tensor = placed(faults, 0, 1, faults.has(2) ? FakeProvider::device : FakeProvider::coherent);
        std::move(tensor).into_host<double>();
      });
  check_order({is<EmptyOwner>, is_validation<DTypeMismatch>, is_access<AccessError::Kind::not_a_vector>},
              [&](const Faults& faults) {
                auto tensor = faults.has(2) ? placed(faults, 0, 1, FakeProvider::coherent)
                              : faults.has(1)
                                  ? Tensor::from_vec_col_major({2, 2}, std::vector<std::int64_t>(4))
                                  : Tensor::from_vec_col_major({2, 2}, std::vector<double>(4));
                if (faults.has(0)) const Tensor taken = std::move(tensor);
                std::move(tensor).into_vec_col_major<double>();
              });
  check_order({is<EmptyOwner>, is_validation<DTypeMismatch>, is_access<AccessError::Kind::mapped>},
              [&](const Faults& faults) {
                auto tensor = placed(faults, 3, 1, FakeProvider::coherent);
                std::optional<Tensor> taken;  // outlives the map
                StorageMap reading;
                if (faults.has(2)) reading = mapped(tensor, MapAccess::read);
                if (faults.has(0)) taken.emplace(std::move(tensor));
                std::move(tensor).into_buffer_vector<double>();
              });
}

TEST_CASE("error precedence: views look at the type, then the memory, then the order of the elements") {
  FakeProvider provider;
  const auto coherent = counting_in<2>(provider, FakeProvider::coherent, {2, 3});
  const auto device = counting_in<2>(provider, FakeProvider::device, {2, 3});
  check_order({is<EmptyOwner>, is_access<AccessError::Kind::not_host_accessible>, is_validation<NotCompact>},
              [&](const Faults& faults) {
                auto view = (faults.has(1) ? device : coherent).as_view();
                if (faults.has(2)) view = view.transposed();
                if (faults.has(0)) const auto taken = std::move(view);
                view.host_data();
              });
  check_order({is_validation<RankMismatch>, is_validation<IndexOutOfBounds>,
               is_access<AccessError::Kind::not_host_accessible>},
              [&](const Faults& faults) {
                const auto view = (faults.has(2) ? device : coherent).as_view().as_rank<dynamic_rank>();
                const int row = faults.has(1) ? 2 : 1;
                if (faults.has(0)) {
                  view.at(row, 0, 0);
                } else {
                  view.at(row, 0);
                }
              });
  check_order({is<EmptyOwner>, is_validation<DTypeMismatch>, is_validation<RankMismatch>},
              [&](const Faults& faults) {
                auto view = coherent.as_view().as_dynamic();
                if (faults.has(2)) view = view.insert_axis(0);
                if (faults.has(0)) const auto taken = std::move(view);
                if (faults.has(1)) {
                  view.as_typed<float, 2>();
                } else {
                  view.as_typed<double, 2>();
                }
              });
  check_order({is_validation<RankMismatch>, is_validation<NegativeExtent>, is_validation<ReshapeElementCount>,
               is_validation<NotCompact>},
              [&](const Faults& faults) {
                auto view = coherent.as_view();
                if (faults.has(3)) view = view.transposed();
                std::vector<std::int64_t> extents{6};
                if (faults.has(2)) extents[0] = 7;
                if (faults.has(1)) extents[0] = -6;
                if (faults.has(0)) extents.push_back(1);
                view.reshape<1>(extents);
              });
}

TEST_CASE(
    "error precedence: what leaves a group is looked at for count, type, sharing, extent, then memory") {
  FakeProvider provider;
  const auto placed = [&](const Faults& faults, unsigned aliased, unsigned partial, unsigned device) {
    auto group = AllocationGroup::from_tensor(
        counting_in<1>(provider, faults.has(device) ? FakeProvider::device : FakeProvider::coherent, {6}));
    const DescriptorSlot slot = group.slots()[0];
    if (faults.has(aliased)) group.add_descriptor(slot, f64, Layout::column_major({1}));
    if (faults.has(partial)) group.update_layout(slot, Layout::column_major({5}));
    return group;
  };
  check_order({is_group<GroupError::VacantSlot>, is_validation<DTypeMismatch>, is_validation<RankMismatch>,
               is_group<GroupError::AliasedAllocation>, is_group<GroupError::NotExtractable>},
              [&](const Faults& faults) {
                AllocationGroup group = placed(faults, 3, 4, 9);
                const DescriptorSlot slot = group.slots()[0];
                if (faults.has(0)) group.remove_descriptor(slot);
                if (faults.has(1)) {
                  group.take_tensor<float, 1>(slot);
                } else if (faults.has(2)) {
                  group.take_tensor<double, 2>(slot);
                } else {
                  group.take_tensor<double, 1>(slot);
                }
              });
  check_order({is<EmptyOwner>, is_group<GroupError::NotOneEntry>, is_validation<DTypeMismatch>,
               is_validation<RankMismatch>, is_group<GroupError::NotExtractable>,
               is_access<AccessError::Kind::not_host_accessible>},
              [&](const Faults& faults) {
                AllocationGroup group = placed(faults, 1, 4, 5);
                if (faults.has(0)) const AllocationGroup taken = std::move(group);
                if (faults.has(2)) {
                  std::move(group).demote<float, 1>();
                } else if (faults.has(3)) {
                  std::move(group).demote<double, 2>();
                } else {
                  std::move(group).demote<double, 1>();
                }
              });
}

#if TENURE_CHECKED
TEST_CASE("error precedence: a borrow is looked at last, whatever consumes the owner") {
  FakeProvider provider;
  // The call on a tensor that is of another type, lies on a device and is borrowed, each or not.
  const auto check_tensor = [&](std::initializer_list<IsError> errors, auto call) {
    check_order(errors, [&](const Faults& faults) {
      const bool on_device = faults.has(1) && errors.size() == 3;
      auto tensor =
          UninitializedTensor::in(provider.domain(on_device ? FakeProvider::device : FakeProvider::coherent),
                                  faults.has(0) ? i32 : f64, {2, 2})
              .assume_written();  // nobody reads it
      std::optional<TensorView> view;
      if (faults.has(static_cast<unsigned>(errors.size()) - 1)) view = tensor.as_view();
      call(std::move(tensor));
    });
  };
  const std::initializer_list<IsError> mismatch{is_validation<DTypeMismatch>, is<BorrowError>};
  const std::initializer_list<IsError> unsupported{is_validation<UnsupportedReinterpretation>,
                                                   is<BorrowError>};
  check_tensor(mismatch, [](Tensor&& tensor) { std::move(tensor).into_typed<double>(); });
  check_tensor(unsupported, [](Tensor&& tensor) { std::move(tensor).into_complex(); });
  const std::initializer_list<IsError> host{
      is_validation<DTypeMismatch>, is_access<AccessError::Kind::not_host_accessible>, is<BorrowError>};
  check_tensor(host, [](Tensor&& tensor) { std::move(tensor).into_host<double>(); });
  check_tensor(host, [](Tensor&& tensor) { std::move(tensor).into_buffer_vector<double>(); });

  // The same of a group, whose descriptor may leave a part of the allocation out.
  const auto check_group = [&](auto call) {
    check_order({is_validation<DTypeMismatch>, is_group<GroupError::NotExtractable>, is<BorrowError>},
                [&](const Faults& faults) {
                  auto group = AllocationGroup::from_tensor(Tensor::zeros(faults.has(0) ? i64 : f64, {4}));
                  const DescriptorSlot slot = group.slots()[0];
                  if (faults.has(1)) group.update_layout(slot, Layout::column_major({3}));
                  std::optional<TensorView> view;
                  if (faults.has(2)) view = group.read_view(slot);
                  call(group, slot);
                });
  };
  check_group([](AllocationGroup& group, DescriptorSlot slot) { group.take_tensor<double>(slot); });
  check_group(
      [](AllocationGroup& group, DescriptorSlot slot) { std::move(group).into_tensor<double>(slot); });
  check_group([](AllocationGroup& group, DescriptorSlot) { std::move(group).demote<double>(); });

  check_order({is_validation<InvalidArgument>, is<BorrowError>}, [&](const Faults& faults) {
    auto group = AllocationGroup::from_tensor(Tensor::zeros(f64, {4}));
    AllocationGroup other;
    std::optional<TensorView> view;
    if (faults.has(1)) view = group.read_view(group.slots()[0]);
    (faults.has(0) ? group : other).append(std::move(group));
  });
}
#endif
