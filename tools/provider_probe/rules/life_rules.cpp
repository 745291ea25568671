// SPDX-License-Identifier: Apache-2.0
// life_rules: opening, closing, and what may happen in between.
#include <poll.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/process_manners.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::uint64_t block_bytes = 256;

void availability(Trial& trial) {
  const tenure_provider& provider = trial.provider();
  if (provider.availability == nullptr) trial.skip_needs("abi.required-slots", "availability is null");
  auto out = abi::make_struct<tenure_availability>();
  Answer answer;
  answer.code = trial.call(abi::CallSlot::availability, [&] {
    return provider.availability(trial.host().table(), &out, answer.status());
  });
  trial.expect(answer.ok(), sentence("availability answered ", answer.text()));
  const std::size_t reason_bytes = ::strnlen(out.reason, sizeof out.reason);
  trial.expect(reason_bytes < sizeof out.reason, "the reason has no terminator");
  trial.expect(out.code == TENURE_OK || out.code == TENURE_UNAVAILABLE,
               sentence("the code in the answer is ", code_text(out.code), "; expected OK or UNAVAILABLE"));
  trial.expect(out.code == TENURE_OK || reason_bytes != 0, "it is UNAVAILABLE without a reason");
}

void open_close(Trial& trial) {
  trial.provider();
  const auto before = open_descriptors();
  OpenInstance(trial).domains();
  for (const auto& [number, target] : open_descriptors()) {
    trial.expect(before.contains(number),
                 sentence("after close, descriptor ", number, " is still open, which leads to ", target));
  }
}

// All that the facts of an instance say, in one text for each fact.
std::vector<std::string> all_facts(OpenInstance& instance) {
  std::vector<std::string> facts;
  const std::uint64_t devices = instance.api().device_count(instance.handle());
  facts.push_back(sentence("device count ", devices));
  for (std::uint64_t index = 0; index < devices; ++index) {
    auto info = abi::make_struct<tenure_device_info>();
    Answer answer;
    answer.code = instance.api().device_info(instance.handle(), index, &info, answer.status());
    instance.trial().expect(answer.ok(),
                            sentence("device_info of device ", index, " answered ", answer.text()));
    facts.push_back(sentence("device ", view_of(info.name), " of type ", info.dlpack_type, ':',
                             info.dlpack_id, ", default domain ", info.default_domain));
  }
  for (const DomainFacts& domain : instance.domains()) {
    const tenure_domain_info& info = domain.info;
    facts.push_back(sentence("domain ", domain.name, " of memory ", info.memory, ", access ", info.access,
                             ", device ", info.device_index, ", type ", info.dlpack_type, ':', info.dlpack_id,
                             ", alignment ", info.alignment_bytes_min, ", granularity ",
                             info.granularity_bytes, ", largest storage ", info.storage_bytes_max));
  }
  return facts;
}

void facts_stable(Trial& trial) {
  OpenInstance first(trial);
  const auto facts = all_facts(first);
  OpenInstance second(trial);
  for (const auto& [other, what] :
       {std::pair(all_facts(first), "a second call"), std::pair(all_facts(second), "a second instance")}) {
    trial.expect(other.size() == facts.size(),
                 sentence(what, " gave ", other.size(), " facts; the first gave ", facts.size()));
    for (std::size_t i = 0; i < facts.size(); ++i) {
      trial.expect(other[i] == facts[i], sentence(what, " said: ", other[i], "; the first said: ", facts[i]));
    }
  }
}

void two_instances(Trial& trial) {
  std::optional<OpenInstance> first;
  first.emplace(trial);
  OpenInstance second(trial);
  trial.expect(first->object() != second.object(), "two opens gave one and the same instance");
  const auto domains = second.domains();
  Block kept(second, domains[0], block_bytes);
  const auto content = pattern(block_bytes, 1);
  if (kept.is_reachable()) kept.write(content);

  first.reset();

  tenure_storage_info info{};
  const Answer answer = second.create(0, block_bytes, 0, 0, info);
  trial.expect(answer.ok(),
               sentence("after another instance was closed, storage_create answered ", answer.text()));
  Block(second, domains[0], info).release();
  if (kept.is_reachable()) {
    trial.expect(kept.read(block_bytes) == content,
                 "closing one instance changed the bytes of another's storage");
  }
}

void reopen(Trial& trial) {
  OpenInstance(trial).close();
  const tenure_provider& provider = trial.provider();
  for (int round = 2; round <= 20; ++round) {
    tenure_instance* instance = nullptr;
    Answer answer;
    answer.code = trial.call(abi::CallSlot::open, [&] {
      return provider.open(trial.host().table(), nullptr, &instance, answer.status());
    });
    trial.expect(answer.ok(), sentence("open number ", round, ", after a close, answered ", answer.text()));
    trial.call(abi::CallSlot::close, [&] { provider.close(instance); });
  }
}

// A joined thread leaves /proc a moment after the join has returned.
std::size_t settled_thread_count(std::size_t wanted) {
  std::size_t count = thread_numbers().size();
  for (int wait_ms = 1; count > wanted && wait_ms < 1000; wait_ms *= 2) {
    ::poll(nullptr, 0, wait_ms);
    count = thread_numbers().size();
  }
  return count;
}

void threads_joined(Trial& trial) {
  trial.provider();
  const std::size_t before = thread_numbers().size();
  {
    OpenInstance instance(trial);
    const auto domains = instance.domains();
    Block(instance, domains[0], block_bytes).release();
  }
  const std::size_t after = settled_thread_count(before);
  trial.expect(after <= before, sentence(before, " threads before open, ", after, " after close"));
}

void scratch_returned(Trial& trial) {
  trial.provider();
  const std::int64_t before = trial.host().live_allocations();
  {
    OpenInstance instance(trial);
    const auto domains = instance.domains();
    Block(instance, domains[0], block_bytes).release();
  }
  const std::int64_t after = trial.host().live_allocations();
  trial.expect(after == before, sentence("after close ", after - before,
                                         " allocations from the host had not been given to the host's free"));
}

void release_other_thread(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    std::optional<Block> made_elsewhere;
    std::thread([&] { made_elsewhere.emplace(instance, domain, block_bytes); }).join();
    made_elsewhere->release();  // its thread has ended
    Block made_here(instance, domain, block_bytes);
    std::thread([&] { made_here.release(); }).join();
  }
}

void exit_without_close(Trial& trial) {
  static OpenInstance instance(trial);
  static const auto domains = instance.domains();
  tenure_storage_info info{};
  instance.create(0, block_bytes, 0, 0, info);
  instance.give_up();
  trial.pass_and_go_on();
  std::exit(0);
}

constexpr std::array rules{
    Rule{.name = "life.availability",
         .sentence =
             "availability answers OK and says in the struct whether open can work, with a reason when not.",
         .if_ignored = "A missing driver looks like a broken provider.",
         .advice = "Return OK; set code to OK or UNAVAILABLE and write a sentence for the user into reason.",
         .reach = RuleReach::image,
         .check = availability},
    Rule{.name = open_rule,
         .sentence = "open without options gives an instance, and close gives back every file descriptor.",
         .if_ignored =
             "The provider cannot be used, or a program that opens it often runs out of descriptors.",
         .advice = "Close in close what open has opened, also when open fails half-way.",
         .reach = RuleReach::instance,
         .check = open_close},
    Rule{.name = "life.facts-stable",
         .sentence = "Devices and domains are the same at every call and in every instance.",
         .if_ignored = "A name that a user wrote down means another memory tomorrow.",
         .advice = "Name devices and domains by what they are, without counters or addresses.",
         .check = facts_stable},
    Rule{.name = "life.two-instances",
         .sentence = "Closing one instance leaves the others and their storages as they were.",
         .if_ignored = "Two libraries in one program break each other.",
         .advice = "Keep state in the instance; count the users of what must be shared.",
         .check = two_instances},
    Rule{.name = "life.reopen",
         .sentence = "open works again after close, any number of times.",
         .if_ignored = "A program cannot restart a part of itself.",
         .advice = "Undo in close everything that open did.",
         .check = reopen},
    Rule{.name = "life.threads-joined",
         .sentence = "When close returns, the threads of the instance have ended.",
         .if_ignored = "Threads touch freed memory, and the process cannot exit cleanly.",
         .advice = "Join in close every thread that the instance has started.",
         .check = threads_joined},
    Rule{.name = "life.scratch-returned",
         .sentence = "When close returns, all memory taken from the host's allocate went back to its free.",
         .if_ignored = "The host's memory leaks with every open.",
         .advice = "Pair every allocate with a free before close returns.",
         .check = scratch_returned},
    Rule{.name = "life.release-other-thread",
         .sentence = "A storage may be released on any thread, also after the one that made it has ended.",
         .if_ignored = "Tensors that move between threads crash the program.",
         .advice = "Keep nothing about a storage in thread-local memory.",
         .check = release_other_thread},
    Rule{.name = "life.exit-without-close",
         .sentence = "A process may exit with instances open and storages alive.",
         .if_ignored = "Programs crash or hang at their end.",
         .advice = "Do nothing in static destructors and atexit functions.",
         .check = exit_without_close},
};

}  // namespace

std::span<const Rule> life_rules() noexcept { return rules; }

}  // namespace tenure::probe
