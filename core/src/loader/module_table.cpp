// SPDX-License-Identifier: Apache-2.0
#include "loader/module_table.hpp"

#include <algorithm>
#include <utility>

namespace tenure::inline TENURE_BUILD {

ModuleTable& ModuleTable::of_process() {
  static ModuleTable& table = *new ModuleTable;
  return table;
}

ModuleTable::Answer ModuleTable::claim(const FileIdentity& identity, const std::string& path,
                                       const std::string& registered_id) {
  std::unique_lock lock(mutex_);
  while (true) {
    // The same file first: it is a success, whatever name it is asked under.
    auto slot = std::ranges::find(slots_, identity, &Slot::identity);
    Outcome outcome = Outcome::loaded;
    if (slot == slots_.end()) {
      slot = std::ranges::find(slots_, path, &Slot::path);
      outcome = Outcome::replaced;
    }
    if (slot == slots_.end()) {
      slot = std::ranges::find(slots_, registered_id, &Slot::registered_id);
      outcome = Outcome::id_taken;
    }
    if (slot == slots_.end()) {
      slots_.push_back({identity, path, registered_id, std::this_thread::get_id(), nullptr});
      return {Outcome::claimed, nullptr};
    }
    if (slot->module) return {outcome, slot->module.get()};
    if (slot->loading_thread == std::this_thread::get_id()) return {Outcome::loading_here, nullptr};
    changed_.wait(lock);
  }
}

const Module& ModuleTable::publish(std::unique_ptr<const Module> module) noexcept {
  const std::lock_guard lock(mutex_);
  const auto slot = std::ranges::find(slots_, module->facts().identity, &Slot::identity);
  slot->module = std::move(module);
  changed_.notify_all();
  return *slot->module;
}

void ModuleTable::give_up(const FileIdentity& identity) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase_if(slots_, [&](const Slot& slot) { return slot.identity == identity; });
  changed_.notify_all();
}

}  // namespace tenure::inline TENURE_BUILD
