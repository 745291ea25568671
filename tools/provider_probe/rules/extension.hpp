// SPDX-License-Identifier: Apache-2.0
// extension: the table of an extension of the provider under trial, fit to be called.
#pragma once

#include "rules/open_instance.hpp"
#include "sentence.hpp"

namespace tenure::probe {

// The table under `id`. Skips the rule with `absence` when the provider has none, and when the table is too
// short or a function is missing.
template <class Table>
const Table& require_extension(OpenInstance& instance, const char* id, std::string_view absence) {
  Trial& trial = instance.trial();
  const auto* table = static_cast<const Table*>(instance.api().get_extension(instance.handle(), id));
  if (table == nullptr) trial.skip(absence);
  if (table->head.bytes < sizeof(Table)) {
    trial.skip_needs("abi.ext-tables", sentence("the table of ", id, " has ", table->head.bytes, " bytes"));
  }
  abi::visit_slots(*table, [&](auto slot) {
    if (table->*decltype(slot)::member != nullptr || abi::is_optional(slot.slot)) return;
    trial.skip_needs("abi.ext-tables",
                     sentence(abi::call_slot_name(slot.slot), " is null in the table of ", id));
  });
  return *table;
}

}  // namespace tenure::probe
