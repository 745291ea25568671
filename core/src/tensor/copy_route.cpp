// SPDX-License-Identifier: Apache-2.0
#include "tensor/copy_route.hpp"

#include <optional>
#include <string>

#include "layout/strided_copy.hpp"
#include "memory/map_count.hpp"
#include "memory/provider_status.hpp"
#include "memory/thread_ledger.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/transfer_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

std::string name_of(const CopyEnd& end) { return end.record == nullptr ? "host" : end.record->domain->name; }

std::uint64_t domain_index(const CopyEnd& end) noexcept {
  return end.record == nullptr ? TENURE_DOMAIN_HOST : end.record->domain->index;
}

TransferError transfer_error(const char* operation, const CopyEnd& source, const CopyEnd& target,
                             std::string_view found, std::string_view advice,
                             std::shared_ptr<const Error> cause = nullptr) {
  return {operation, {name_of(source), name_of(target)}, found, advice, std::move(cause)};
}

// The instance that copies between the two. Throws TransferError when none does.
const InstanceControl& find_copier(const char* operation, const CopyEnd& source, const CopyEnd& target) {
  const InstanceControl* const reader = source.record == nullptr ? nullptr : source.record->domain->instance;
  const InstanceControl* const writer = target.record == nullptr ? nullptr : target.record->domain->instance;
  if (reader != nullptr && writer != nullptr && reader != writer) {
    throw transfer_error(operation, source, target,
                         "two instances, neither of which reaches the other's memory",
                         "download() to the host and upload() from there");
  }
  const InstanceControl& instance = reader != nullptr ? *reader : *writer;
  if (instance.api().can_copy(instance.handle(), domain_index(source), domain_index(target)) == 1) {
    return instance;
  }
  throw transfer_error(
      operation, source, target,
      instance.provider_id() + ", which does not list such a copy among those it makes",
      "go by a domain that it does copy with: download() to the host and upload() from there, "
      "or map_read() where the memory can be mapped");
}

tenure_place place_of(const CopyEnd& end, std::size_t element_bytes) noexcept {
  tenure_place place{};
  place.storage = end.record == nullptr ? nullptr : end.record->handle;
  place.address = end.record == nullptr ? end.address : nullptr;
  place.offset_bytes = static_cast<std::uint64_t>(end.layout.offset()) * element_bytes;
  // A provider need not walk strides, so they are only named where they matter.
  place.strides = end.layout.is_column_major() ? nullptr : end.layout.strides().data();
  return place;
}

void copy_by_provider(const char* operation, std::size_t element_bytes, const CopyEnd& source,
                      const CopyEnd& target) {
  const InstanceControl& instance = find_copier(operation, source, target);
  // A copy is a use like a map: nobody may write what it reads or touch what it writes. Within one
  // allocation the writing use covers both.
  std::optional<MapCount> reading;
  std::optional<MapCount> writing;
  if (source.record != nullptr && source.record != target.record) {
    reading.emplace(operation, *source.record, MapAccess::read);
  }
  if (target.record != nullptr) writing.emplace(operation, *target.record, MapAccess::write);

  auto desc = abi::make_struct<tenure_copy_desc>();
  desc.source = place_of(source, element_bytes);
  desc.target = place_of(target, element_bytes);
  desc.extents = source.layout.extents().data();
  desc.rank = static_cast<std::uint32_t>(source.layout.rank());
  desc.element_bytes = static_cast<std::uint32_t>(element_bytes);
  ProviderStatus status;
  const std::int32_t code = instance.api().copy(instance.handle(), &desc, nullptr, status.get());
  ++thread_ledger.waits;
  if (code == TENURE_OK) return;
  const ProviderError error =
      status.error(operation, instance, "copying from " + name_of(source) + " to " + name_of(target), code);
  const bool strided = desc.source.strides != nullptr || desc.target.strides != nullptr;
  if (code != TENURE_UNIMPLEMENTED || !strided) throw error;
  throw transfer_error(operation, source, target,
                       "a layout with strides, which " + instance.provider_id() + " does not copy",
                       "copy the whole compact tensor and take the view of the copy",
                       std::make_shared<const ProviderError>(error));
}

}  // namespace

void copy_elements(const char* operation, std::size_t element_bytes, const CopyEnd& source,
                   const CopyEnd& target) {
  const std::int64_t count = source.layout.element_count();
  if (count != 0) {
    if (source.record == nullptr && target.record == nullptr) {
      strided_copy(target.address, target.layout, source.address, source.layout, element_bytes);
    } else {
      copy_by_provider(operation, element_bytes, source, target);
    }
  }
  ++thread_ledger.copies;
  thread_ledger.bytes_copied += static_cast<std::uint64_t>(count) * element_bytes;
}

}  // namespace tenure::inline TENURE_BUILD
