// SPDX-License-Identifier: Apache-2.0
// shared_tensor: counted aliases of one storage, whose changes in place are counted as well.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>

#include "tenure/layout/axis_values.hpp"
#include "tenure/layout/slice.hpp"
#include "tenure/memory/allocation_identity.hpp"
#include "tenure/shared/attachment.hpp"
#include "tenure/shared/memory_format.hpp"
#include "tenure/shared/shared_guard.hpp"
#include "tenure/tensor/tensor.hpp"

namespace tenure::inline TENURE_BUILD {

// A handle of a storage that several own together, for programs that record what they compute: a layout, and
// a reference to the one control block that the storage, its version counter and its uses have. Elements are
// reached through guards only; operations take the guards' views. Reading any number of handles of a storage
// goes together, a writer is alone; a conflict is answered at once, with AccessError (in_use).
//
// A copy is an alias: the same storage, layout and counter, no elements copied, nothing allocated up to rank
// 6. It starts as no view and without the attachments that are never copied. A move keeps everything.
//
// Handles of one storage may be used by any threads; one handle is changed by one thread at a time. Only
// empty() may be asked of a moved-from handle, whose copy is another empty one: everything else throws
// EmptyOwner.
class TENURE_API SharedTensor {
 public:
  // What takes operands refuses this handle in words.
  using ReachedThroughGuards = void;

  // Takes the tensor over as it is; its elements stay where they are. In an InferenceScope the storage gets
  // no version. The only allocation is the control block. Throws BorrowError; the tensor is then as it was.
  static SharedTensor from(Tensor&& tensor);

  SharedTensor(const SharedTensor& alias);
  SharedTensor& operator=(const SharedTensor& alias);
  SharedTensor(SharedTensor&&) noexcept = default;
  SharedTensor& operator=(SharedTensor&&) noexcept = default;

  // True for a moved-from handle; a handle of no elements is not empty.
  bool empty() const noexcept { return record_ == nullptr; }

  DType dtype() const;
  // Any that stays within the storage. That it is row-major or channels last, only its geometry says.
  const Layout& layout() const TENURE_LIFETIME_BOUND { return live("layout").layout_; }
  std::int64_t rank() const { return layout().rank(); }
  std::span<const std::int64_t> extents() const TENURE_LIFETIME_BOUND { return layout().extents(); }
  std::span<const std::int64_t> strides() const TENURE_LIFETIME_BOUND { return layout().strides(); }
  // The element of index (0, 0, ...), counted from the start of the storage.
  std::int64_t offset() const { return layout().offset(); }
  std::int64_t element_count() const { return layout().element_count(); }
  // A view operation made this handle.
  bool is_view() const { return live("is_view").is_view_; }

  // Of the storage, as an owner shows them.
  std::optional<AllocationDomain> domain() const;
  std::optional<AllocationId> allocation_id() const;
  Placement placement() const;

  // Other readings of the same storage with the same counter; nothing is copied. What each does to extents
  // and strides, and what it throws, is said at Layout. All throw InvalidArgument where an attachment that
  // depends on axes would be shared and the extents or strides change.
  //
  // Any extents and strides within the storage, also overlapping ones, which cannot be written. Without an
  // offset that of this handle. Throws ViewOutOfBounds.
  SharedTensor as_strided(AxisValues extents, AxisValues strides,
                          std::optional<std::int64_t> offset_elements = std::nullopt) const;
  SharedTensor permute(AxisValues axes) const;
  SharedTensor transposed() const;
  SharedTensor select(std::int64_t axis, std::int64_t index) const;
  SharedTensor slice(std::int64_t axis, const Slice& part) const;
  SharedTensor slice(std::initializer_list<Slice> parts) const;
  SharedTensor flip(std::int64_t axis) const;
  SharedTensor insert_axis(std::int64_t axis) const;
  SharedTensor remove_axis(std::int64_t axis) const;
  SharedTensor broadcast_to(AxisValues extents) const;
  // Throws NotCompact where it would take a copy.
  SharedTensor reshape(AxisValues extents) const;

  // While the guard lives nobody writes the storage. Throws AccessError (in_use).
  SharedReadGuard read(BorrowPlace place = BorrowPlace::here()) const;
  // While the guard lives nobody else reads or writes the storage, whichever of its elements; its end makes
  // the version one higher. Throws AccessError (in_use); OverlappingMutableLayout unless it is proven that no
  // two indices share an element; VersionError for a storage without a version outside of an InferenceScope.
  SharedWriteGuard write(BorrowPlace place = BorrowPlace::here());

  // How often the storage was written since it is shared: the same for all its handles. Throws VersionError
  // (not_counted) for a storage that was shared in an InferenceScope.
  std::uint64_t version() const { return version_for("version"); }
  // The storage was shared in an InferenceScope.
  bool is_inference() const;
  // Both are handles of one storage that has a version. A value that happens to be equal says nothing.
  friend TENURE_API bool shares_counter(const SharedTensor& a, const SharedTensor& b);

  // A named copy: new memory in the same domain, filled with exactly the elements of this handle, with a
  // version of its own that starts at 0, unless this is an InferenceScope. Throws InvalidArgument for a
  // format that the rank cannot have; AccessError (in_use) and what element_copy.hpp says.
  SharedTensor clone(MemoryFormat format = MemoryFormat::preserve) const;

  // Ties a value to this handle, in place of one of the same type; null is detach(). Allocates. On failure
  // `value` is as it was.
  template <Attachment T>
  void attach(std::shared_ptr<T>&& value) {
    live("attach");
    attachments_.put(attachment_kind<T>(), std::shared_ptr<void>(value));
    value.reset();
  }
  // Null when there is none.
  template <Attachment T>
  std::shared_ptr<T> attachment() const {
    return std::static_pointer_cast<T>(live("attachment").attachments_.find(typeid(T)));
  }
  // From this handle only.
  template <Attachment T>
  void detach() {
    live("detach");
    attachments_.remove(typeid(T));
  }

 private:
  friend class SavedTensor;
  SharedTensor(SharedReference&& record, Layout&& layout, AttachmentList&& attachments,
               bool is_view) noexcept;
  static SharedTensor share(OwnerState&& owner, Layout&& layout, AttachmentList&& attachments);
  SharedTensor viewed(const char* operation, Layout&& layout) const;
  std::uint64_t version_for(const char* operation) const;
  // This handle; throws EmptyOwner naming `operation` when it is empty.
  const SharedTensor& live(const char* operation) const {
    if (empty()) throw_empty(operation);
    return *this;
  }
  [[noreturn]] static void throw_empty(const char* operation);

  SharedReference record_;
  AttachmentList attachments_;
  [[no_unique_address]] Layout layout_;
  bool is_view_;
};
static_assert(sizeof(SharedTensor) <= sizeof(Layout) + 2 * sizeof(void*));

}  // namespace tenure::inline TENURE_BUILD
