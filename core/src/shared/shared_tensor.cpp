// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/shared_tensor.hpp"

#include <algorithm>

#include "base/enumerator.hpp"
#include "shared/shared_record.hpp"
#include "tensor/storage_fit.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/base/version_error.hpp"
#include "tenure/layout/injectivity.hpp"
#include "tenure/shared/inference_scope.hpp"
#include "tenure/tensor/element_copy.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

bool is_same_geometry(const Layout& a, const Layout& b) noexcept {
  return std::ranges::equal(a.extents(), b.extents()) && std::ranges::equal(a.strides(), b.strides());
}

// The strides of a dense layout, from the first byte of new memory.
Layout from_start(const Layout& dense) {
  const auto reach = dense.reach();
  return Layout::strided(dense.extents(), dense.strides(), reach ? dense.offset() - reach->lowest : 0);
}

Layout clone_layout(const Layout& source, MemoryFormat format) {
  if (format == MemoryFormat::preserve && source.is_dense()) return from_start(source);
  switch (format) {
    case MemoryFormat::preserve:
    case MemoryFormat::row_major:
      return Layout::row_major(source.extents());
    case MemoryFormat::column_major:
      return Layout::column_major(source.extents());
    case MemoryFormat::channels_last:
      return Layout::channels_last(source.extents());
  }
  throw_no_enumerator("clone", "format", format);
}

}  // namespace

SharedTensor::SharedTensor(SharedReference&& record, Layout&& layout, AttachmentList&& attachments,
                           bool is_view) noexcept
    : record_(std::move(record)),
      attachments_(std::move(attachments)),
      layout_(std::move(layout)),
      is_view_(is_view) {}

SharedTensor::SharedTensor(const SharedTensor& alias)
    : SharedTensor(SharedReference(alias.record_), Layout(alias.layout_), alias.attachments_.for_alias(),
                   false) {}

SharedTensor& SharedTensor::operator=(const SharedTensor& alias) {
  if (this != &alias) *this = SharedTensor(alias);
  return *this;
}

SharedTensor SharedTensor::from(Tensor&& tensor) {
  OwnerState&& state = StateAccess::state(tensor).consume("SharedTensor::from");
  Layout layout = state.layout();
  return share(std::move(state), std::move(layout), {});
}

SharedTensor SharedTensor::share(OwnerState&& owner, Layout&& layout, AttachmentList&& attachments) {
  SharedReference record(new SharedRecord(std::move(owner), !InferenceScope::is_active()));
  return {std::move(record), std::move(layout), std::move(attachments), false};
}

DType SharedTensor::dtype() const { return live("dtype").record_->owner.dtype(); }
std::optional<AllocationDomain> SharedTensor::domain() const {
  return domain_of(live("domain").record_->owner.storage().record());
}
std::optional<AllocationId> SharedTensor::allocation_id() const {
  return allocation_id_of(live("allocation_id").record_->owner.storage().record());
}
Placement SharedTensor::placement() const {
  return placement_of(live("placement").record_->owner.storage().record());
}

SharedTensor SharedTensor::viewed(const char* operation, Layout&& layout) const {
  AttachmentList attachments = attachments_.for_alias();
  if (attachments.depends_on_axes() && !is_same_geometry(layout, layout_)) {
    throw ValidationError(operation, InvalidArgument{"attachment",
                                                     "one that depends on the axes would be shared by "
                                                     "a view with other axes; detach it first"});
  }
  return {SharedReference(record_), std::move(layout), std::move(attachments), true};
}

SharedTensor SharedTensor::as_strided(AxisValues extents, AxisValues strides,
                                      std::optional<std::int64_t> offset_elements) const {
  constexpr const char* operation = "as_strided";
  live(operation);
  try {
    Layout layout = Layout::strided(extents, strides, offset_elements.value_or(layout_.offset()));
    const OwnerState& owner = record_->owner;
    require_fits(operation, owner.storage(), owner.dtype(), layout);
    return viewed(operation, std::move(layout));
  } catch (const ValidationError& error) {
    throw error.with_operation(operation);
  }
}

SharedTensor SharedTensor::permute(AxisValues axes) const {
  return viewed("permute", live("permute").layout_.permute(axes));
}
SharedTensor SharedTensor::transposed() const {
  return viewed("transposed", live("transposed").layout_.transposed());
}
SharedTensor SharedTensor::select(std::int64_t axis, std::int64_t index) const {
  return viewed("select", live("select").layout_.select(axis, index));
}
SharedTensor SharedTensor::slice(std::int64_t axis, const Slice& part) const {
  return viewed("slice", live("slice").layout_.slice(axis, part));
}
SharedTensor SharedTensor::slice(std::initializer_list<Slice> parts) const {
  return viewed("slice", live("slice").layout_.slice(parts));
}
SharedTensor SharedTensor::flip(std::int64_t axis) const {
  return viewed("flip", live("flip").layout_.flip(axis));
}
SharedTensor SharedTensor::insert_axis(std::int64_t axis) const {
  return viewed("insert_axis", live("insert_axis").layout_.insert_axis(axis));
}
SharedTensor SharedTensor::remove_axis(std::int64_t axis) const {
  return viewed("remove_axis", live("remove_axis").layout_.remove_axis(axis));
}
SharedTensor SharedTensor::broadcast_to(AxisValues extents) const {
  return viewed("broadcast_to", live("broadcast_to").layout_.broadcast_to(extents));
}
SharedTensor SharedTensor::reshape(AxisValues extents) const {
  return viewed("reshape", live("reshape").layout_.reshape(extents));
}

SharedReadGuard SharedTensor::read(BorrowPlace place) const {
  return {"read", live("read").record_, layout_, place};
}

SharedWriteGuard SharedTensor::write(BorrowPlace place) {
  constexpr const char* operation = "write";
  live(operation);
  if (is_inference() && !InferenceScope::is_active()) throw VersionError(operation);
  require_injective(layout_, operation);
  return {operation, record_, layout_, place};
}

std::uint64_t SharedTensor::version_for(const char* operation) const {
  if (!live(operation).record_->has_version) throw VersionError(operation);
  return record_->version.load(std::memory_order_acquire);
}

bool SharedTensor::is_inference() const { return !live("is_inference").record_->has_version; }

bool shares_counter(const SharedTensor& a, const SharedTensor& b) {
  return a.live("shares_counter").record_ == b.live("shares_counter").record_ && !a.is_inference();
}

SharedTensor SharedTensor::clone(MemoryFormat format) const {
  constexpr const char* operation = "clone";
  Layout layout = clone_layout(live(operation).layout_, format);
  const SharedReadGuard guard(operation, record_, layout_, {});
  OwnerState copy = arranged_elements(operation, StateAccess::state(guard.view()), layout);
  return share(std::move(copy), std::move(layout), attachments_.for_clone());
}

void SharedTensor::throw_empty(const char* operation) { throw EmptyOwner(operation); }

}  // namespace tenure::inline TENURE_BUILD
