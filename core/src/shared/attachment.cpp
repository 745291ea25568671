// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/attachment.hpp"

#include <atomic>

namespace tenure::inline TENURE_BUILD {

struct AttachmentNode {
  AttachmentKind kind;
  std::shared_ptr<void> value;
  boost::intrusive_ptr<const AttachmentNode> next;
  mutable std::atomic<std::uint64_t> references = 0;
  mutable const AttachmentNode* next_ended = nullptr;
};

namespace {

// Nodes of this thread that nobody refers to any more. A value may end handles with attachments of their
// own, as the records of a long computation do; such a chain is taken apart link by link, not by recursion.
struct EndedNodes {
  const AttachmentNode* first = nullptr;
  bool is_ending = false;
};
constinit thread_local EndedNodes ended;

}  // namespace

void intrusive_ptr_add_ref(const AttachmentNode* node) noexcept {
  node->references.fetch_add(1, std::memory_order_relaxed);
}

void intrusive_ptr_release(const AttachmentNode* node) noexcept {
  if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  node->next_ended = std::exchange(ended.first, node);
  if (ended.is_ending) return;
  ended.is_ending = true;
  while (const AttachmentNode* const last = ended.first) {
    ended.first = last->next_ended;
    delete last;
  }
  ended.is_ending = false;
}

namespace {

using NodePtr = boost::intrusive_ptr<const AttachmentNode>;

NodePtr make_node(const AttachmentKind& kind, std::shared_ptr<void> value, NodePtr next) {
  return NodePtr(new AttachmentNode{kind, std::move(value), std::move(next)});
}

NodePtr without(const NodePtr& list, const std::type_info& type) {
  if (list == nullptr) return list;
  if (*list->kind.type == type) return list->next;
  NodePtr rest = without(list->next, type);
  if (rest == list->next) return list;
  return make_node(list->kind, list->value, std::move(rest));
}

NodePtr with(const NodePtr& list, const AttachmentKind& kind, std::shared_ptr<void>&& value) {
  if (list == nullptr || list->kind.policy > kind.policy) return make_node(kind, std::move(value), list);
  return make_node(list->kind, list->value, with(list->next, kind, std::move(value)));
}

}  // namespace

AttachmentList AttachmentList::from(AttachmentPolicy least) const noexcept {
  Node node = first_;
  while (node != nullptr && node->kind.policy < least) node = node->next;
  return AttachmentList(std::move(node));
}

AttachmentList AttachmentList::for_alias() const noexcept { return from(AttachmentPolicy::dropped_by_clone); }
AttachmentList AttachmentList::for_clone() const noexcept { return from(AttachmentPolicy::shared); }

bool AttachmentList::depends_on_axes() const noexcept {
  for (const AttachmentNode* node = first_.get(); node != nullptr; node = node->next.get()) {
    if (node->kind.depends_on_axes) return true;
  }
  return false;
}

std::shared_ptr<void> AttachmentList::find(const std::type_info& type) const noexcept {
  for (const AttachmentNode* node = first_.get(); node != nullptr; node = node->next.get()) {
    if (*node->kind.type == type) return node->value;
  }
  return nullptr;
}

void AttachmentList::put(const AttachmentKind& kind, std::shared_ptr<void>&& value) {
  Node others = without(first_, *kind.type);
  first_ = value == nullptr ? std::move(others) : with(others, kind, std::move(value));
}

void AttachmentList::remove(const std::type_info& type) { first_ = without(first_, type); }

}  // namespace tenure::inline TENURE_BUILD
