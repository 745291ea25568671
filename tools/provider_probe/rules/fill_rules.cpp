// SPDX-License-Identifier: Apache-2.0
// fill_rules: patterns that the provider writes into a storage.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "rules/block.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::uint64_t block_bytes = 1024;

struct Filling {
  std::uint64_t offset_bytes;
  std::uint64_t bytes;
  std::uint32_t pattern_bytes;
};

// Fills a part of a storage in every reachable domain and compares all of it.
void try_filling(OpenInstance& instance, const Filling& filling) {
  Trial& trial = instance.trial();
  bool any = false;
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    Block block(instance, domain, block_bytes);
    if (!block.is_reachable()) continue;
    any = true;
    auto wanted = pattern(block_bytes, 31);
    block.write(wanted);

    const auto repeated = pattern(filling.pattern_bytes, 32);
    auto description = abi::make_struct<tenure_fill_desc>();
    description.storage = block.storage();
    description.offset_bytes = filling.offset_bytes;
    description.bytes = filling.bytes;
    description.pattern_bytes = filling.pattern_bytes;
    std::memcpy(description.pattern, repeated.data(), repeated.size());
    Answer answer;
    answer.code = instance.api().fill(instance.handle(), &description, nullptr, answer.status());
    const std::string what = sentence("a fill of ", filling.bytes, " bytes at ", filling.offset_bytes, " in ",
                                      domain.name, " with a pattern of ", filling.pattern_bytes, " bytes");
    trial.expect(answer.ok(), sentence(what, " answered ", answer.text()));

    for (std::uint64_t i = 0; i < filling.bytes; ++i) {
      wanted[filling.offset_bytes + i] = repeated[i % repeated.size()];
    }
    const auto found = block.read(block_bytes);
    const auto at = std::ranges::mismatch(wanted, found).in1 - wanted.begin();
    trial.expect(found == wanted, sentence(what, " left a wrong byte at ", at));
  }
  if (!any) trial.skip("the host can neither map nor copy any domain");
}

void patterns(Trial& trial) {
  OpenInstance instance(trial);
  for (const std::uint32_t pattern_bytes : {1u, 2u, 4u, 8u, 16u}) {
    try_filling(instance, {.offset_bytes = 0, .bytes = block_bytes, .pattern_bytes = pattern_bytes});
  }
}

void writes_only_range(Trial& trial) {
  OpenInstance instance(trial);
  for (const std::uint32_t pattern_bytes : {1u, 2u, 4u, 8u, 16u}) {
    try_filling(instance, {.offset_bytes = 3 * std::uint64_t{pattern_bytes},
                           .bytes = 5 * std::uint64_t{pattern_bytes},
                           .pattern_bytes = pattern_bytes});
  }
}

void zero_bytes(Trial& trial) {
  OpenInstance instance(trial);
  try_filling(instance, {.offset_bytes = 8, .bytes = 0, .pattern_bytes = 4});
  try_filling(instance, {.offset_bytes = block_bytes, .bytes = 0, .pattern_bytes = 1});
}

constexpr std::array rules{
    Rule{.name = "fill.patterns",
         .sentence = "fill repeats patterns of 1, 2, 4, 8 and 16 bytes.",
         .if_ignored = "Tensors of wide elements start with wrong values.",
         .advice = "Repeat pattern_bytes bytes, whatever the width of the kernel underneath.",
         .needs = {"mem.pattern"},
         .check = patterns},
    Rule{.name = "fill.writes-only-range",
         .sentence = "fill writes the bytes of its range and none beside them.",
         .if_ignored = "Neighbouring tensors are overwritten.",
         .advice = "Begin at offset_bytes and stop after bytes.",
         .needs = {"fill.patterns"},
         .check = writes_only_range},
    Rule{.name = "fill.zero-bytes",
         .sentence = "A fill of 0 bytes answers OK and writes nothing.",
         .if_ignored = "Every caller needs a special case for empty tensors.",
         .advice = "Return OK before looking at addresses.",
         .needs = {"fill.patterns"},
         .check = zero_bytes},
};

}  // namespace

std::span<const Rule> fill_rules() noexcept { return rules; }

}  // namespace tenure::probe
