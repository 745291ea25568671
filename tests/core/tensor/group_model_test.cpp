// SPDX-License-Identifier: Apache-2.0
// Random operations on groups against a model that knows of every slot ever made what it must answer.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/layout/random_layout.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/allocation_group.hpp"

using namespace tenure;
using tenure_test::uniform;

namespace {

constexpr std::int64_t elements = 24;

// One allocation of u8 elements and what must be in it.
struct ModelAllocation {
  const std::byte* address;
  std::vector<std::uint8_t> bytes;
};

struct ModelSlot {
  DescriptorSlot slot;
  std::size_t allocation;
  DType dtype;
  Layout layout;
};

enum class Answer {
  live,
  vacant,
  stale,
  foreign
};

class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {}

  void step() {
    switch (uniform(random_, 0, 11)) {
      case 0:
      case 1:
        return enter();
      case 2:
      case 3:
        return add();
      case 4:
        return change_layout();
      case 5:
        return reinterpret();
      case 6:
        return take();
      case 7:
        return remove();
      case 8:
        return write();
      case 9:
        return split();
      case 10:
        return append();
      default:
        return compact_or_move();
    }
  }

  void check() const {
    std::vector<DescriptorSlot> expected;
    std::set<std::size_t> allocations;
    for (const ModelSlot& live : live_) {
      expected.push_back(live.slot);
      allocations.insert(live.allocation);
      REQUIRE(group_.layout(live.slot) == live.layout);
      REQUIRE(group_.dtype(live.slot) == live.dtype);
      REQUIRE(group_.is_aliased(live.slot) == (readers_of(live.allocation) > 1));
      const TensorView view = group_.read_view(live.slot);
      REQUIRE(StateAccess::state(view).address() == allocations_.at(live.allocation).address);
    }
    std::ranges::sort(expected, {}, &DescriptorSlot::index);
    REQUIRE(group_.slots() == expected);
    REQUIRE(group_.allocation_count() == allocations.size());
    for (const std::size_t allocation : allocations) {
      const ModelAllocation& model = allocations_.at(allocation);
      REQUIRE(std::equal(model.bytes.begin(), model.bytes.end(),
                         reinterpret_cast<const std::uint8_t*>(model.address)));
    }
    for (const auto& [slot, answer] : gone_) REQUIRE(answer_of(slot) == answer);
  }

  std::map<std::string, int> done;  // how often each operation did something, and how often it was refused

 private:
  Answer answer_of(DescriptorSlot slot) const {
    try {
      static_cast<void>(group_.read_view(slot));
      return Answer::live;
    } catch (const GroupError& error) {
      if (error.get_if<GroupError::VacantSlot>() != nullptr) return Answer::vacant;
      if (error.get_if<GroupError::StaleSlot>() != nullptr) return Answer::stale;
      REQUIRE(error.get_if<GroupError::ForeignSlot>() != nullptr);
      return Answer::foreign;
    }
  }

  std::size_t readers_of(std::size_t allocation) const {
    return static_cast<std::size_t>(std::ranges::count(live_, allocation, &ModelSlot::allocation));
  }

  ModelSlot* any() {
    if (live_.empty()) return nullptr;
    return &live_[static_cast<std::size_t>(uniform(random_, 0, std::ssize(live_) - 1))];
  }

  // The bytes that the elements cover, the first axis fastest, repeats included.
  static std::vector<std::size_t> bytes_of(const ModelSlot& slot) {
    std::vector<std::size_t> bytes;
    tenure_test::for_each_index(tenure_test::extents_of(slot.layout), [&](const tenure_test::Numbers& index) {
      const auto first = static_cast<std::size_t>(slot.layout.element_at(index)) * slot.dtype.bytes();
      for (std::size_t byte = 0; byte < slot.dtype.bytes(); ++byte) bytes.push_back(first + byte);
    });
    return bytes;
  }

  static bool repeats(std::vector<std::size_t> bytes) {
    std::ranges::sort(bytes);
    return std::ranges::adjacent_find(bytes) != bytes.end();
  }

  // A place that has been given away again makes older slots of it stale.
  void note_live(ModelSlot&& slot) {
    for (auto& [old, answer] : gone_) {
      if (old.index == slot.slot.index && old.group_tag == slot.slot.group_tag) answer = Answer::stale;
    }
    live_.push_back(std::move(slot));
  }

  void note_gone(const ModelSlot& slot) {
    gone_.emplace_back(slot.slot, Answer::vacant);
    live_.erase(std::ranges::find(live_, slot.slot, &ModelSlot::slot));
  }

  ModelSlot made(AllocationGroup& group) {
    std::vector<std::uint8_t> bytes(elements);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(uniform(random_, 0, 255));
    auto tensor = Tensor::zeros(u8, {elements});
    {
      const auto writing = tensor.as_view_mut().as_typed<std::uint8_t, 1>();
      std::ranges::copy(bytes, writing.host_data_mut().begin());
    }
    const std::byte* const address = StateAccess::state(tensor).storage().address();
    allocations_[next_allocation_] = {address, std::move(bytes)};
    const DescriptorSlot slot = group.append_tensor(std::move(tensor));
    return {slot, next_allocation_++, u8, Layout::column_major({elements})};
  }

  void enter() {
    if (live_.size() > 12) return;
    note_live(made(group_));
    ++done["enter"];
  }

  DType any_dtype() {
    constexpr DType dtypes[] = {u8, i16, f32, i64, complex64, complex128};
    return dtypes[uniform(random_, 0, 5)];
  }

  // Often one that fits.
  Layout any_layout(DType dtype) {
    const std::int64_t available = elements / static_cast<std::int64_t>(dtype.bytes());
    if (uniform(random_, 0, 3) == 0) return Layout::column_major({available});
    const auto extents = tenure_test::random_numbers(random_, uniform(random_, 0, 2), 0, 3);
    const auto strides = tenure_test::random_numbers(random_, std::ssize(extents), -2, 4);
    return Layout::strided(extents, strides, uniform(random_, 0, available - 1));
  }

  static bool fits(DType dtype, const Layout& layout) {
    const auto reach = layout.reach();
    return !reach || (reach->lowest >= 0 &&
                      (reach->highest + 1) * static_cast<std::int64_t>(dtype.bytes()) <= elements);
  }

  void add() {
    const ModelSlot* const other = any();
    if (other == nullptr || live_.size() > 12) return;
    const DType dtype = any_dtype();
    const Layout layout = any_layout(dtype);
    try {
      const DescriptorSlot slot = group_.add_descriptor(other->slot, dtype, layout);
      REQUIRE(fits(dtype, layout));
      note_live({slot, other->allocation, dtype, layout});
      ++done["add"];
    } catch (const ValidationError& error) {
      REQUIRE(error.get_if<ViewOutOfBounds>() != nullptr);
      REQUIRE_FALSE(fits(dtype, layout));
      ++done["add refused"];
    }
  }

  void change_layout() {
    ModelSlot* const slot = any();
    if (slot == nullptr) return;
    const Layout layout = any_layout(slot->dtype);
    try {
      group_.update_layout(slot->slot, layout);
      REQUIRE(fits(slot->dtype, layout));
      slot->layout = layout;
      ++done["layout"];
    } catch (const ValidationError&) {
      REQUIRE_FALSE(fits(slot->dtype, layout));
      ++done["layout refused"];
    }
  }

  void reinterpret() {
    ModelSlot* const slot = any();
    if (slot == nullptr) return;
    const DType dtype = any_dtype();
    const std::vector<std::size_t> before = bytes_of(*slot);
    const bool was_alone = readers_of(slot->allocation) == 1;
    try {
      group_.reinterpret(slot->slot, dtype);
      REQUIRE(was_alone);
      slot->dtype = dtype;
      slot->layout = group_.layout(slot->slot);
      REQUIRE(std::set(before.begin(), before.end()) == [&] {
        const auto after = bytes_of(*slot);
        return std::set(after.begin(), after.end());
      }());
      ++done["reinterpret"];
    } catch (const GroupError& error) {
      REQUIRE(error.get_if<GroupError::AliasedAllocation>() != nullptr);
      REQUIRE_FALSE(was_alone);
    } catch (const ValidationError&) {
      ++done["reinterpret refused"];
    }
  }

  void take() {
    const ModelSlot* const found = any();
    if (found == nullptr) return;
    const ModelSlot slot = *found;
    const bool is_whole = slot.layout.is_column_major() && slot.layout.offset() == 0 &&
                          bytes_of(slot).size() == static_cast<std::size_t>(elements);
    try {
      const Tensor tensor = group_.take_tensor(slot.slot);
      REQUIRE(is_whole);
      REQUIRE(readers_of(slot.allocation) == 1);
      REQUIRE(StateAccess::state(tensor).storage().address() == allocations_.at(slot.allocation).address);
      REQUIRE(tensor.dtype() == slot.dtype);
      note_gone(slot);
      ++done["take"];
    } catch (const GroupError& error) {
      if (readers_of(slot.allocation) > 1) {
        const auto* const aliased = error.get_if<GroupError::AliasedAllocation>();
        REQUIRE(aliased != nullptr);
        REQUIRE(aliased->others.size() == readers_of(slot.allocation) - 1);
      } else {
        REQUIRE(error.get_if<GroupError::NotExtractable>() != nullptr);
        REQUIRE_FALSE(is_whole);
      }
      ++done["take refused"];
    }
  }

  void remove() {
    const ModelSlot* const found = any();
    if (found == nullptr) return;
    const ModelSlot slot = *found;
    group_.remove_descriptor(slot.slot);
    note_gone(slot);
    ++done["remove"];
  }

  void fill(const ModelSlot& slot, const TensorViewMut& view) {
    const auto value = static_cast<std::uint8_t>(uniform(random_, 0, 255));
    auto* const first = reinterpret_cast<std::uint8_t*>(StateAccess::state(view).address());
    const ModelSlot seen{slot.slot, slot.allocation, view.dtype(), view.layout()};
    for (const std::size_t byte : bytes_of(seen)) first[byte] = value;
    for (const std::size_t byte : bytes_of(slot)) allocations_.at(slot.allocation).bytes[byte] = value;
  }

  void write() {
    const ModelSlot* const slot = any();
    if (slot == nullptr) return;
    const bool is_repeating = repeats(bytes_of(*slot));
    try {
      fill(*slot, group_.view_mut(slot->slot));
      REQUIRE_FALSE(is_repeating);
      ++done["write"];
    } catch (const GroupError& error) {
      REQUIRE(error.get_if<GroupError::NonInjective>() != nullptr);
      REQUIRE(is_repeating);
    }
  }

  void split() {
    std::vector<const ModelSlot*> chosen;
    std::vector<DescriptorSlot> slots;
    for (std::int64_t i = uniform(random_, 0, 3); i > 0; --i) {
      if (const ModelSlot* const slot = any()) chosen.push_back(slot), slots.push_back(slot->slot);
    }
    std::set<std::pair<std::size_t, std::size_t>> covered;
    std::size_t count = 0;
    for (const ModelSlot* slot : chosen) {
      for (const std::size_t byte : bytes_of(*slot)) ++count, covered.emplace(slot->allocation, byte);
    }
    auto unique = chosen;
    std::ranges::sort(unique);
    const bool is_disjoint = covered.size() == count && std::ranges::adjacent_find(unique) == unique.end();
    try {
      const auto views = group_.split_mut(slots);
      REQUIRE(is_disjoint);
      for (std::size_t i = 0; i < views.size(); ++i) fill(*chosen[i], views[i]);
      ++done["split"];
    } catch (const Error& error) {
      REQUIRE((error.code() == ErrorCode::disjoint || error.code() == ErrorCode::group));
      REQUIRE_FALSE(is_disjoint);
      ++done["split refused"];
    }
  }

  void append() {
    if (live_.size() > 12) return;
    AllocationGroup source;
    std::vector<ModelSlot> entered;
    for (std::int64_t i = uniform(random_, 0, 2); i > 0; --i) entered.push_back(made(source));
    if (!entered.empty()) {
      const Layout part = Layout::column_major({2});
      const DescriptorSlot slot = source.add_descriptor(entered[0].slot, f32, part);
      entered.push_back({slot, entered[0].allocation, f32, part});
    }
    const auto mapped = group_.append(std::move(source));
    REQUIRE(mapped.size() == entered.size());
    for (std::size_t i = 0; i < mapped.size(); ++i) {
      gone_.emplace_back(entered[i].slot, Answer::foreign);
      entered[i].slot = mapped[i];
      note_live(std::move(entered[i]));
    }
    ++done["append"];
  }

  void compact_or_move() {
    if (uniform(random_, 0, 1) == 0) {
      AllocationGroup other = std::move(group_);
      group_ = std::move(other);
      return;
    }
    group_.compact();
    for (auto& [slot, answer] : gone_) {
      if (answer == Answer::vacant) answer = Answer::stale;
    }
    ++done["compact"];
  }

  tenure_test::Random random_;
  AllocationGroup group_;
  std::vector<ModelSlot> live_;
  std::vector<std::pair<DescriptorSlot, Answer>> gone_;
  std::map<std::size_t, ModelAllocation> allocations_;
  std::size_t next_allocation_ = 0;
};

}  // namespace

TEST_CASE("groups: random operations answer as the model does, and copy nothing") {
  constexpr std::uint64_t seed = 20261203;
  MESSAGE("seed " << seed);
  std::map<std::string, int> done;
  for (std::uint64_t round = 0; round < 20; ++round) {
    Model model(seed + round);
    const LedgerScope scope;
    for (int step = 0; step < 300; ++step) {
      model.step();
      model.check();
    }
    CHECK(scope.bytes_copied() == 0);
    for (const auto& [operation, count] : model.done) done[operation] += count;
  }
  for (const char* operation :
       {"enter", "add", "add refused", "layout", "layout refused", "reinterpret", "reinterpret refused",
        "take", "take refused", "remove", "write", "split", "split refused", "append", "compact"}) {
    INFO(operation);
    CHECK(done[operation] > 20);
  }
}
