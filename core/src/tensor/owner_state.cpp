// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/owner_state.hpp"

#include <cstring>
#include <string>

#include "layout/extents.hpp"
#include "memory/allocation_record.hpp"
#include "memory/thread_ledger.hpp"
#include "tensor/alignment.hpp"
#include "tenure/abi/checked_math.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::size_t count_bytes(const char* operation, DType dtype, std::int64_t element_count) {
  std::int64_t bytes = 0;
  if (!abi::checked_multiply(element_count, static_cast<std::int64_t>(dtype.bytes()), bytes)) {
    throw ValidationError(operation, IntegerOverflow{"size in bytes"});
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

OwnerShape::OwnerShape(const char* operation, DType dtype_of_elements, AxisValues extents_of_owner,
                       BorrowPlace place, std::int64_t rank)
    : dtype(dtype_of_elements),
      element_count(checked_element_count(operation, extents_of_owner)),
      bytes(count_bytes(operation, dtype_of_elements, element_count)),
      axes(extents_of_owner.count()),
      made(place.by(operation)) {
  if (rank >= 0) require_rank(operation, rank, extents_of_owner.count(), RankRule::extents);
  // Not std::copy, whose call of memmove costs more than the few numbers.
  std::int64_t* extent = axes.extents();
  for (const std::int64_t value : extents_of_owner) *extent++ = value;
}

void OwnerShape::throw_count(const char* operation, std::size_t value_count) const {
  throw ValidationError(operation,
                        ShapeDataLengthMismatch{element_count, static_cast<std::int64_t>(value_count)});
}

OwnerState::OwnerState(OwnerShape&& shape, Storage&& storage, OwnerBorrow&& borrows) noexcept
    : storage_(std::move(storage)),
      axes_(std::move(shape.axes)),
      dtype_(shape.dtype),
      borrows_(std::move(borrows)) {}

OwnerState& OwnerState::operator=(OwnerState&& other) noexcept {
  if (this != &other) {
    borrows_ = std::move(other.borrows_);
    // Whatever gives the old bytes back may use this owner, which has the new ones by then.
    const Storage ended = std::move(storage_);
    storage_ = std::move(other.storage_);
    axes_ = std::move(other.axes_);
    dtype_ = other.dtype_;
    is_live_ = std::exchange(other.is_live_, false);
  }
  return *this;
}

OwnerState OwnerState::on_host(const char* operation, OwnerShape&& shape) {
  return {std::move(shape), [&] { return Storage::on_host(operation, shape.bytes); }};
}

OwnerState OwnerState::in(const char* operation, const AllocationDomain& domain, OwnerShape&& shape) {
  return {std::move(shape),
          [&] { return domain.allocate_for(operation, shape.bytes, shape.dtype.alignment_bytes()); }};
}

OwnerState OwnerState::in(const char* operation, const Pool& pool, OwnerShape&& shape) {
  return {std::move(shape),
          [&] { return pool.acquire_for(operation, shape.bytes, shape.dtype.alignment_bytes()); }};
}

OwnerState OwnerState::zeros(OwnerShape&& shape) {
  OwnerState state = on_host("zeros", std::move(shape));
  // Zero is all zero bits in every dtype.
  if (state.storage_.bytes() != 0) std::memset(state.storage_.address(), 0, state.storage_.bytes());
  return state;
}

OwnerState OwnerState::adopt(const char* operation, OwnerShape&& shape, DataPtr&& pointer,
                             std::size_t bytes) {
  if (bytes < shape.bytes) shape.require_count(operation, bytes / shape.dtype.bytes());
  if (shape.bytes != 0) {
    if (pointer.data() == nullptr) {
      throw ValidationError(operation,
                            InvalidArgument{"pointer", "its data is null, but there are elements"});
    }
    require_aligned(operation, static_cast<const std::byte*>(pointer.data()), nullptr, shape.dtype);
  }
  Storage storage = Storage::adopt(std::move(pointer), shape.bytes);
  return {std::move(shape), std::move(storage)};
}

OwnerState OwnerState::import(const char* operation, OwnerShape&& shape,
                              const std::optional<AllocationDomain>& domain, DataPtr&& pointer,
                              std::size_t bytes) {
  if (bytes < shape.bytes) shape.require_count(operation, bytes / shape.dtype.bytes());
  if (!domain) throw ValidationError(operation, MissingAllocationIdentity{"domain"});
  Storage storage = domain->import_memory_for(operation, std::move(pointer), shape.bytes,
                                              shape.dtype.alignment_bytes(), bytes);
  return {std::move(shape), std::move(storage)};
}

void OwnerState::require_type(const char* operation, DType dtype, std::int64_t rank) const {
  live(operation);
  if (dtype_ != dtype) {
    throw ValidationError(operation, DTypeMismatch{std::string(dtype.name()), std::string(dtype_.name())});
  }
  if (rank >= 0) require_rank(operation, rank, axes_.rank(), RankRule::type);
}

void OwnerState::require_extractable(const char* operation) const {
  host_address(operation);
  live(operation);
  const AllocationRecord* record = storage_.record();
  if (record == nullptr || !record->maps.is_used()) return;
  throw AccessError(AccessError::Kind::mapped, operation,
                    {"bytes that can leave their tensor", "a map that is alive", "end the map first"});
}

void OwnerState::throw_not_vector(const char* operation, DType dtype) const {
  const std::string wanted = "bytes that came as a std::vector of " + std::string(dtype.name());
  const char* advice =
      "to_vec_col_major() copies them into one, into_buffer_vector() gives them as they are under an "
      "allocator "
      "of their own";
  if (storage_.holds_vector()) {
    throw AccessError(AccessError::Kind::dtype_mismatch, operation,
                      {wanted, "a std::vector of another type", advice});
  }
  throw AccessError(AccessError::Kind::not_a_vector, operation,
                    {wanted, "bytes that came otherwise", advice});
}

void OwnerState::count() noexcept { ++thread_ledger.owners_created; }

void OwnerState::throw_empty(const char* operation) { throw EmptyOwner(operation); }

}  // namespace tenure::inline TENURE_BUILD
