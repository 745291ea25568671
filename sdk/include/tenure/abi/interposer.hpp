// SPDX-License-Identifier: Apache-2.0
// interposer: a table that stands in front of a provider's table and reports every call made through it.
#pragma once

#include <tuple>
#include <type_traits>

#include "tenure/abi/call_slot.hpp"
#include "tenure/abi/struct_copy.hpp"

namespace tenure::abi {

// Hears of every call. Both functions are called on the calling thread, from many threads at once.
class CallObserver {
 public:
  virtual void entering(CallSlot slot) noexcept = 0;
  // `code` is the answer of a function that fills a status, and TENURE_OK for any other.
  virtual void left(CallSlot slot, std::int32_t code) noexcept = 0;

 protected:
  ~CallObserver() = default;
};

// Stands in front of one object of a provider. Of the functions of its Table, those that take a Handle
// first are callable through table() with handle(); the others, and those that the provider leaves out,
// are null there. So a pool's table has one interposer for the instance and one for each pool.
//
// The observer must outlive it, and it must outlive the last call. It gives nothing back to the provider.
template <class Table, class Handle>
class Interposer {
 public:
  Interposer(const Table& table, Handle* object, CallObserver& observer) noexcept
      : provider_table_(read_struct(&table)), object_(object), observer_(&observer) {
    front_.head = provider_table_.head;
    visit_slots(front_, [this](auto slot) { install(slot, provider_table_.*decltype(slot)::member); });
  }
  Interposer(const Interposer&) = delete;
  Interposer& operator=(const Interposer&) = delete;

  const Table& table() const noexcept { return front_; }
  Handle* handle() noexcept { return reinterpret_cast<Handle*>(this); }
  // The provider's own object, for extension tables that have no interposer.
  Handle* object() const noexcept { return object_; }

 private:
  template <class... Arguments>
  static constexpr bool fills_status =
      std::is_same_v<std::tuple_element_t<sizeof...(Arguments), std::tuple<void, Arguments...>>,
                     tenure_status*>;

  template <class Slot, class Answer, class... Arguments>
  static Answer call(Handle* handle, Arguments... arguments) noexcept {
    Interposer& self = *reinterpret_cast<Interposer*>(handle);
    const auto function = self.provider_table_.*Slot::member;
    self.observer_->entering(Slot::slot);
    if constexpr (std::is_void_v<Answer>) {
      function(self.object_, arguments...);
      self.observer_->left(Slot::slot, TENURE_OK);
    } else {
      const Answer answer = function(self.object_, arguments...);
      if constexpr (fills_status<Arguments...>) {
        self.observer_->left(Slot::slot, answer);
      } else {
        self.observer_->left(Slot::slot, TENURE_OK);
      }
      return answer;
    }
  }

  template <class Slot, class Answer, class... Arguments>
  void install(Slot, Answer (*function)(Handle*, Arguments...) noexcept) noexcept {
    if (function != nullptr) front_.*Slot::member = &call<Slot, Answer, Arguments...>;
  }
  template <class Slot, class Other>
  void install(Slot, Other) noexcept {}

  Table provider_table_;
  Handle* object_;
  CallObserver* observer_;
  Table front_{};
};

}  // namespace tenure::abi
