// SPDX-License-Identifier: Apache-2.0
#include "tenure/abi/interposer.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tenure/abi/struct_head.hpp"

namespace {

using namespace tenure::abi;

struct Recorder final : CallObserver {
  std::vector<std::string> lines;
  void entering(CallSlot slot) noexcept override {
    lines.push_back("> " + std::string(call_slot_name(slot)));
  }
  void left(CallSlot slot, std::int32_t code) noexcept override {
    lines.push_back("< " + std::string(call_slot_name(slot)) + " " + std::to_string(code));
  }
};

tenure_instance* const instance = reinterpret_cast<tenure_instance*>(std::uintptr_t{0x1000});

std::uint64_t device_count(tenure_instance* object) noexcept { return object == instance ? 42 : 0; }
std::int32_t domain_info(tenure_instance* object, std::uint64_t domain, tenure_domain_info*,
                         tenure_status*) noexcept {
  return object == instance && domain == 7 ? TENURE_OUT_OF_RANGE : TENURE_OK;
}
std::int32_t can_copy(tenure_instance*, std::uint64_t, std::uint64_t) noexcept { return 1; }
void storage_unmap(tenure_instance*, tenure_storage*, std::uint32_t) noexcept {}

tenure_instance_api small_table() {
  auto table = make_struct<tenure_instance_api>();
  table.device_count = device_count;
  table.domain_info = domain_info;
  table.can_copy = can_copy;
  table.storage_unmap = storage_unmap;
  return table;
}

}  // namespace

TEST_SUITE("abi/interposer") {
  TEST_CASE("Interposer: a call reaches the provider with its own object, and the observer hears of it") {
    Recorder recorder;
    Interposer<tenure_instance_api, tenure_instance> front(small_table(), instance, recorder);

    CHECK(front.table().device_count(front.handle()) == 42);

    CHECK(recorder.lines == std::vector<std::string>{"> device_count", "< device_count 0"});
  }

  TEST_CASE(
      "Interposer: the observer hears the code of a function that fills a status, and no other answer") {
    Recorder recorder;
    Interposer<tenure_instance_api, tenure_instance> front(small_table(), instance, recorder);

    CHECK(front.table().domain_info(front.handle(), 7, nullptr, nullptr) == TENURE_OUT_OF_RANGE);
    CHECK(front.table().can_copy(front.handle(), 0, 0) == 1);
    front.table().storage_unmap(front.handle(), nullptr, 0);

    CHECK(recorder.lines == std::vector<std::string>{"> domain_info", "< domain_info 11", "> can_copy",
                                                     "< can_copy 0", "> storage_unmap", "< storage_unmap 0"});
  }

  TEST_CASE("Interposer: a function that the provider leaves out is null in front too") {
    Recorder recorder;
    const Interposer<tenure_instance_api, tenure_instance> front(small_table(), instance, recorder);

    CHECK(static_cast<bool>(front.table().can_copy));
    CHECK_FALSE(static_cast<bool>(front.table().storage_import));
    CHECK(front.object() == instance);
  }

  TEST_CASE("Interposer: a shorter table is complete, with null where it ends") {
    Recorder recorder;
    tenure_instance_api table = small_table();
    table.head.bytes = offsetof(tenure_instance_api, can_copy);
    const Interposer<tenure_instance_api, tenure_instance> front(table, instance, recorder);

    CHECK(static_cast<bool>(front.table().domain_info));
    CHECK_FALSE(static_cast<bool>(front.table().can_copy));
  }

  TEST_CASE(
      "Interposer: of a table with two kinds of objects only the functions of the handle's kind are in "
      "front") {
    Recorder recorder;
    auto table = make_struct<tenure_pool_api>();
    table.trim = [](tenure_pool*, std::uint64_t) noexcept { return std::uint64_t{9}; };
    table.thread_exit = [](tenure_instance*, std::uint32_t) noexcept {};
    Interposer<tenure_pool_api, tenure_pool> front(table, nullptr, recorder);

    CHECK(front.table().trim(front.handle(), 0) == 9);
    CHECK_FALSE(static_cast<bool>(front.table().thread_exit));
    CHECK(recorder.lines == std::vector<std::string>{"> pool trim", "< pool trim 0"});
  }

  TEST_CASE("visit_slots: every function of every table has a slot of its own and a name") {
    std::vector<CallSlot> slots;
    const auto collect = [&](auto slot) {
      CHECK(call_slot_name(slot.slot) != "nothing");
      for (const CallSlot other : slots) CHECK(other != slot.slot);
      slots.push_back(slot.slot);
    };
    visit_slots(tenure_instance_api{}, collect);
    CHECK(slots.size() * sizeof(void*) + sizeof(tenure_head) == sizeof(tenure_instance_api));
    visit_slots(tenure_pool_api{}, collect);
    visit_slots(tenure_engine_api{}, collect);
    CHECK(slots.size() * sizeof(void*) + 3 * sizeof(tenure_head) ==
          sizeof(tenure_instance_api) + sizeof(tenure_pool_api) + sizeof(tenure_engine_api));
  }
}
