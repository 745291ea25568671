// SPDX-License-Identifier: Apache-2.0
#include "tensor/copy_route.hpp"

#include <optional>
#include <string>

#include "layout/strided_copy.hpp"
#include "memory/map_count.hpp"
#include "memory/provider_call.hpp"
#include "memory/provider_status.hpp"
#include "memory/refused_use.hpp"
#include "memory/thread_ledger.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/base/transfer_error.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

// Of plain host memory there is no domain.
const DomainRecord* domain_of(const CopyEnd& end) noexcept {
  return end.record == nullptr ? nullptr : end.record->domain;
}

std::string name_of(const DomainRecord* domain) { return domain == nullptr ? "host" : domain->name; }

std::uint64_t index_of(const DomainRecord* domain) noexcept {
  return domain == nullptr ? TENURE_DOMAIN_HOST : domain->index;
}

// A pair of domains, at least one of them a provider's.
struct Route {
  const DomainRecord* source;  // null: plain host memory
  const DomainRecord* target;

  bool joins_instances() const noexcept {
    return source != nullptr && target != nullptr && source->instance != target->instance;
  }
  InstanceControl& instance() const noexcept { return *(source != nullptr ? source : target)->instance; }
  bool is_listed() const noexcept {
    if (joins_instances()) return false;
    return instance().api().can_copy(instance().handle(), index_of(source), index_of(target)) == 1;
  }
  TransferError error(const char* operation, std::string_view found, std::string_view advice,
                      std::shared_ptr<const Error> cause = nullptr) const {
    return {operation, {name_of(source), name_of(target)}, found, advice, std::move(cause)};
  }
};

// The steps that copy between two domains of one instance where no single one does.
std::string find_path(const Route& route) {
  const auto goes_by = [&](const DomainRecord* domain) {
    return Route{route.source, domain}.is_listed() && Route{domain, route.target}.is_listed();
  };
  if (route.source != nullptr && route.target != nullptr && goes_by(nullptr)) {
    return "download() to the host and upload() from there";
  }
  for (const DomainRecord& domain : route.instance().domains()) {
    if (goes_by(&domain)) return "upload() to " + domain.name + " and copy from there";
  }
  return "no third place connects the two; map_read() and map_write() reach what can be mapped";
}

void require_listed(const char* operation, const Route& route) {
  if (route.is_listed()) return;
  if (route.joins_instances()) {
    throw route.error(operation, "two instances, neither of which reaches the other's memory",
                      "download() to the host and upload() from there");
  }
  throw route.error(operation,
                    route.instance().provider_id() + ", which does not list such a copy among those it makes",
                    find_path(route));
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
  const Route route{domain_of(source), domain_of(target)};
  const InstanceControl& instance = route.instance();
  instance.require_usable();
  require_listed(operation, route);
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
  const ProviderError error = status.error(
      operation, instance, "copying from " + name_of(route.source) + " to " + name_of(route.target), code);
  const bool strided = desc.source.strides != nullptr || desc.target.strides != nullptr;
  if (code != TENURE_UNIMPLEMENTED || !strided) {
    throw_refused_use(operation, "to copy from " + name_of(route.source) + " to " + name_of(route.target),
                      error);
  }
  throw route.error(operation, "a layout with strides, which " + instance.provider_id() + " does not copy",
                    "copy the whole compact tensor and take the view of the copy",
                    std::make_shared<const ProviderError>(error));
}

}  // namespace

void require_copy_route(const char* operation, const AllocationRecord* source, const DomainRecord* target) {
  const DomainRecord* const from = source == nullptr ? nullptr : source->domain;
  // A block of a pageable domain is plain host memory unless it has an identity, which only the block tells.
  const bool may_be_plain = target == nullptr || target->memory == TENURE_MEMORY_PAGEABLE;
  if (may_be_plain && from == nullptr) return;
  const Route route{from, target};
  const ProviderCall call(route.instance());
  if (may_be_plain && Route{from, nullptr}.is_listed()) return;
  require_listed(operation, route);
}

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
