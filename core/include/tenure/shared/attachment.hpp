// SPDX-License-Identifier: Apache-2.0
// attachment: what a program ties to a handle of a shared tensor, and who else sees it.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Belongs to the attachment's type, so that no two handles treat the same thing differently.
enum class AttachmentPolicy : std::uint8_t {
  never_copied,      // stays with its handle: aliases and clones start without it, like gradient history
  dropped_by_clone,  // aliases share it, clones start without it, like something derived from the bytes
  shared             // aliases and clones share it, like the parameters of a quantizer
};

// A type with `static constexpr AttachmentPolicy attachment_policy`. One that also has
// `static constexpr bool depends_on_axes = true` speaks of axes, extents or strides: a view operation that
// would share it and changes them is refused, because what it says would be wrong there.
template <class T>
concept Attachment = std::is_object_v<T> && !std::is_const_v<T> && requires {
  { T::attachment_policy } -> std::convertible_to<AttachmentPolicy>;
};

// What is known of a type of attachments.
struct AttachmentKind {
  const std::type_info* type;
  AttachmentPolicy policy;
  bool depends_on_axes;
};

template <Attachment T>
AttachmentKind attachment_kind() noexcept {
  bool depends_on_axes = false;
  if constexpr (requires { T::depends_on_axes; }) depends_on_axes = T::depends_on_axes;
  return {&typeid(T), T::attachment_policy, depends_on_axes};
}

struct AttachmentNode;
TENURE_API void intrusive_ptr_add_ref(const AttachmentNode* node) noexcept;
TENURE_API void intrusive_ptr_release(const AttachmentNode* node) noexcept;

// The attachments of one handle, at most one of each type. Values that end while another one of this thread
// is being destroyed are destroyed right after it, so that chains of any length end. Immutable nodes, ordered
// by policy, so that aliases and clones share a tail of the list: passing it on allocates nothing.
class TENURE_API AttachmentList {
 public:
  AttachmentList() noexcept = default;

  // What an alias and what a clone starts with.
  AttachmentList for_alias() const noexcept;
  AttachmentList for_clone() const noexcept;
  // Some of it depends on axes.
  bool depends_on_axes() const noexcept;

  // Null when there is none of that type.
  std::shared_ptr<void> find(const std::type_info& type) const noexcept;
  // Takes the place of one of the same type; null leaves the place empty. Allocates.
  void put(const AttachmentKind& kind, std::shared_ptr<void>&& value);
  void remove(const std::type_info& type);

 private:
  using Node = boost::intrusive_ptr<const AttachmentNode>;
  explicit AttachmentList(Node&& first) noexcept : first_(std::move(first)) {}
  AttachmentList from(AttachmentPolicy least) const noexcept;

  Node first_;
};

}  // namespace tenure::inline TENURE_BUILD
