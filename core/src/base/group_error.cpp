// SPDX-License-Identifier: Apache-2.0
#include "tenure/base/group_error.hpp"

#include <locale>
#include <sstream>
#include <utility>

namespace tenure::inline TENURE_BUILD {
namespace {

using G = GroupError;

void describe(std::ostream& out, const G::VacantSlot& d) {
  out << "slot " << d.slot.index
      << " is vacant: its descriptor was taken or removed; slots() lists those that "
      << "are left";
}

void describe(std::ostream& out, const G::StaleSlot& d) {
  out << "slot " << d.slot.index << " of generation " << d.slot.generation
      << " is stale: its descriptor is gone and the place was given away or dropped; slots() lists those "
         "that are left";
}

void describe(std::ostream& out, const G::ForeignSlot& d) {
  out << "wanted a slot of group " << d.group_tag << ", found ";
  if (d.slot.group_tag == 0) {
    out << "a slot of no group";
  } else {
    out << "one of group " << d.slot.group_tag;
  }
  out << "; use the slots that this group gave";
}

void describe(std::ostream& out, const G::DuplicateSlot& d) {
  out << "wanted each slot once, found slot " << d.slot.index << " at positions " << d.first_position
      << " and " << d.second_position << "; name it once";
}

void describe(std::ostream& out, const G::AliasedAllocation& d) {
  out << "wanted the only descriptor of its allocation, found that of slot " << d.slot.index
      << ", which shares it"
      << " with slot";
  const char* separator = d.others.size() == 1 ? " " : "s ";
  for (const DescriptorSlot& other : d.others) {
    out << separator << other.index;
    separator = ", ";
  }
  out << "; remove those with remove_descriptor, or copy with duplicate or to_col_major of read_view";
}

void describe(std::ostream& out, const G::NonInjective& d) {
  out << "wanted a descriptor that names each element once, found that of slot " << d.slot.index;
  if (!d.witness) out << ", of which " << d.work << " steps could not prove it";
  out << "; write to a copy of it, or give it another layout with update_layout";
}

std::string_view sentence_of(G::Obstacle obstacle) noexcept {
  switch (obstacle) {
    case G::Obstacle::not_compact:
      return "does not lie in one run with the first axis fastest";
    case G::Obstacle::offset:
      return "does not begin at the first byte";
    case G::Obstacle::not_full_span:
      break;
  }
  return "leaves a part of the allocation out";
}

void describe(std::ostream& out, const G::NotExtractable& d) {
  out << "wanted a descriptor that reads its whole allocation compactly, found that the one of slot "
      << d.slot.index << " " << sentence_of(d.obstacle) << "; copy its elements with";
  const char* separator = " ";
  for (const std::string_view copy : d.copies) {
    out << separator << copy;
    separator = " or ";
  }
  out << " of read_view";
}

void describe(std::ostream& out, const G::NotOneEntry& d) {
  out << "wanted a group of one allocation and one descriptor, found " << d.allocation_count << " and "
      << d.descriptor_count << "; take the others first, or take this one with take_tensor";
}

std::string message_of(const G::Detail& detail) {
  std::ostringstream sentence;
  sentence.imbue(std::locale::classic());
  std::visit([&](const auto& kind) { describe(sentence, kind); }, detail);
  return std::move(sentence).str();
}

}  // namespace

GroupError::GroupError(std::string operation, Detail detail, std::shared_ptr<const Error> cause)
    : Error(ErrorCode::group, std::move(operation), message_of(detail), std::move(cause)),
      detail_(std::make_shared<const Detail>(std::move(detail))) {}

GroupError::~GroupError() = default;
GroupError::GroupError(const GroupError&) noexcept = default;
GroupError& GroupError::operator=(const GroupError&) noexcept = default;

}  // namespace tenure::inline TENURE_BUILD
