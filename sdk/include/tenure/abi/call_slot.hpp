// SPDX-License-Identifier: Apache-2.0
// call_slot: a number and a name for every function that a provider offers.
#pragma once

#include <cstdint>
#include <string_view>

#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"

namespace tenure::abi {

// The provider's own functions, then those of the instance table, the pool and the engine.
enum class CallSlot : std::uint16_t {
  none,
  map_image,  // the initialisers of the image
  entry,
  availability,
  open,
  close,
  provider_get_extension,
  device_count,
  device_info,
  domain_count,
  domain_info,
  domain_statistics,
  can_copy,
  storage_create,
  storage_release,
  storage_info,
  storage_map,
  storage_unmap,
  storage_import,
  copy,
  fill,
  trim,
  get_extension,
  pool_create,
  pool_release,
  pool_acquire,
  pool_detach,
  pool_give_back,
  pool_statistics,
  pool_trim,
  pool_thread_exit,
  pool_snapshot_create,
  pool_snapshot_release,
  engine_create,
  engine_release,
  engine_supports,
  engine_execute,
};

// The name that the contract has for it, such as "storage_create". "nothing" for a number outside the list.
constexpr std::string_view call_slot_name(CallSlot slot) noexcept {
  switch (slot) {
    case CallSlot::none:
      break;
    case CallSlot::map_image:
      return "dlopen";
    case CallSlot::entry:
      return "entry";
    case CallSlot::availability:
      return "availability";
    case CallSlot::open:
      return "open";
    case CallSlot::close:
      return "close";
    case CallSlot::provider_get_extension:
      return "provider get_extension";
    case CallSlot::device_count:
      return "device_count";
    case CallSlot::device_info:
      return "device_info";
    case CallSlot::domain_count:
      return "domain_count";
    case CallSlot::domain_info:
      return "domain_info";
    case CallSlot::domain_statistics:
      return "domain_statistics";
    case CallSlot::can_copy:
      return "can_copy";
    case CallSlot::storage_create:
      return "storage_create";
    case CallSlot::storage_release:
      return "storage_release";
    case CallSlot::storage_info:
      return "storage_info";
    case CallSlot::storage_map:
      return "storage_map";
    case CallSlot::storage_unmap:
      return "storage_unmap";
    case CallSlot::storage_import:
      return "storage_import";
    case CallSlot::copy:
      return "copy";
    case CallSlot::fill:
      return "fill";
    case CallSlot::trim:
      return "trim";
    case CallSlot::get_extension:
      return "get_extension";
    case CallSlot::pool_create:
      return "pool_create";
    case CallSlot::pool_release:
      return "pool_release";
    case CallSlot::pool_acquire:
      return "pool acquire";
    case CallSlot::pool_detach:
      return "pool detach";
    case CallSlot::pool_give_back:
      return "pool give_back";
    case CallSlot::pool_statistics:
      return "pool statistics";
    case CallSlot::pool_trim:
      return "pool trim";
    case CallSlot::pool_thread_exit:
      return "pool thread_exit";
    case CallSlot::pool_snapshot_create:
      return "pool snapshot_create";
    case CallSlot::pool_snapshot_release:
      return "pool snapshot_release";
    case CallSlot::engine_create:
      return "engine_create";
    case CallSlot::engine_release:
      return "engine_release";
    case CallSlot::engine_supports:
      return "engine supports";
    case CallSlot::engine_execute:
      return "engine execute";
  }
  return "nothing";
}

// Whether a table may leave the function out.
constexpr bool is_optional(CallSlot slot) noexcept {
  return slot == CallSlot::storage_import || slot == CallSlot::pool_snapshot_create ||
         slot == CallSlot::pool_snapshot_release;
}

// A function of a table together with its slot, both known when compiling.
template <auto Member, CallSlot Slot>
struct TableSlot {
  static constexpr auto member = Member;
  static constexpr CallSlot slot = Slot;
};

// The overloads below call visit(TableSlot) for every function of a table, in the table's order. The table
// only selects the overload.
template <class Visitor>
constexpr void visit_slots(const tenure_instance_api&, Visitor&& visit) {
  visit(TableSlot<&tenure_instance_api::device_count, CallSlot::device_count>{});
  visit(TableSlot<&tenure_instance_api::device_info, CallSlot::device_info>{});
  visit(TableSlot<&tenure_instance_api::domain_count, CallSlot::domain_count>{});
  visit(TableSlot<&tenure_instance_api::domain_info, CallSlot::domain_info>{});
  visit(TableSlot<&tenure_instance_api::domain_statistics, CallSlot::domain_statistics>{});
  visit(TableSlot<&tenure_instance_api::can_copy, CallSlot::can_copy>{});
  visit(TableSlot<&tenure_instance_api::storage_create, CallSlot::storage_create>{});
  visit(TableSlot<&tenure_instance_api::storage_release, CallSlot::storage_release>{});
  visit(TableSlot<&tenure_instance_api::storage_info, CallSlot::storage_info>{});
  visit(TableSlot<&tenure_instance_api::storage_map, CallSlot::storage_map>{});
  visit(TableSlot<&tenure_instance_api::storage_unmap, CallSlot::storage_unmap>{});
  visit(TableSlot<&tenure_instance_api::storage_import, CallSlot::storage_import>{});
  visit(TableSlot<&tenure_instance_api::copy, CallSlot::copy>{});
  visit(TableSlot<&tenure_instance_api::fill, CallSlot::fill>{});
  visit(TableSlot<&tenure_instance_api::trim, CallSlot::trim>{});
  visit(TableSlot<&tenure_instance_api::get_extension, CallSlot::get_extension>{});
}

template <class Visitor>
constexpr void visit_slots(const tenure_pool_api&, Visitor&& visit) {
  visit(TableSlot<&tenure_pool_api::pool_create, CallSlot::pool_create>{});
  visit(TableSlot<&tenure_pool_api::pool_release, CallSlot::pool_release>{});
  visit(TableSlot<&tenure_pool_api::acquire, CallSlot::pool_acquire>{});
  visit(TableSlot<&tenure_pool_api::detach, CallSlot::pool_detach>{});
  visit(TableSlot<&tenure_pool_api::give_back, CallSlot::pool_give_back>{});
  visit(TableSlot<&tenure_pool_api::statistics, CallSlot::pool_statistics>{});
  visit(TableSlot<&tenure_pool_api::trim, CallSlot::pool_trim>{});
  visit(TableSlot<&tenure_pool_api::thread_exit, CallSlot::pool_thread_exit>{});
  visit(TableSlot<&tenure_pool_api::snapshot_create, CallSlot::pool_snapshot_create>{});
  visit(TableSlot<&tenure_pool_api::snapshot_release, CallSlot::pool_snapshot_release>{});
}

template <class Visitor>
constexpr void visit_slots(const tenure_engine_api&, Visitor&& visit) {
  visit(TableSlot<&tenure_engine_api::engine_create, CallSlot::engine_create>{});
  visit(TableSlot<&tenure_engine_api::engine_release, CallSlot::engine_release>{});
  visit(TableSlot<&tenure_engine_api::supports, CallSlot::engine_supports>{});
  visit(TableSlot<&tenure_engine_api::execute, CallSlot::engine_execute>{});
}

}  // namespace tenure::abi
