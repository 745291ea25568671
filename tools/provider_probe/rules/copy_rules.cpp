// SPDX-License-Identifier: Apache-2.0
// copy_rules: bytes that the provider moves or fills.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "rules/copy_end.hpp"
#include "rules/open_instance.hpp"
#include "rules/trial.hpp"
#include "sentence.hpp"

namespace tenure::probe {

namespace {

constexpr std::uint64_t end_bytes = 4096;

// A box of elements, and where its index (0, 0, ...) lies at both ends.
struct Box {
  std::vector<std::int64_t> extents;
  std::uint32_t element_bytes = 1;
  std::uint64_t source_offset_bytes = 0;
  std::uint64_t target_offset_bytes = 0;
  std::vector<std::int64_t> source_strides{};  // empty: compact
  std::vector<std::int64_t> target_strides{};
};

Answer copy_box(OpenInstance& instance, CopyEnd& source, CopyEnd& target, const Box& box) {
  const auto strides = [](const std::vector<std::int64_t>& list) {
    return list.empty() ? nullptr : list.data();
  };
  auto description = abi::make_struct<tenure_copy_desc>();
  description.source = source.at(box.source_offset_bytes, strides(box.source_strides));
  description.target = target.at(box.target_offset_bytes, strides(box.target_strides));
  description.extents = box.extents.data();
  description.rank = static_cast<std::uint32_t>(box.extents.size());
  description.element_bytes = box.element_bytes;
  Answer answer;
  answer.code = instance.api().copy(instance.handle(), &description, nullptr, answer.status());
  return answer;
}

std::vector<std::int64_t> compact_strides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides;
  std::int64_t stride = 1;
  for (const std::int64_t extent : extents) {
    strides.push_back(stride);
    stride *= extent;
  }
  return strides;
}

// What the target must hold after the copy: the same copy, one index after the other.
std::vector<std::byte> expected_target(const std::vector<std::byte>& source, std::vector<std::byte> target,
                                       const Box& box) {
  const auto source_strides = box.source_strides.empty() ? compact_strides(box.extents) : box.source_strides;
  const auto target_strides = box.target_strides.empty() ? compact_strides(box.extents) : box.target_strides;
  std::vector<std::int64_t> index(box.extents.size(), 0);
  if (std::ranges::find(box.extents, 0) != box.extents.end()) return target;
  for (;;) {
    const auto element_at = [&](std::uint64_t offset_bytes, const std::vector<std::int64_t>& strides) {
      const std::int64_t elements =
          std::inner_product(index.begin(), index.end(), strides.begin(), std::int64_t{0});
      return static_cast<std::int64_t>(offset_bytes) +
             elements * static_cast<std::int64_t>(box.element_bytes);
    };
    std::memcpy(target.data() + element_at(box.target_offset_bytes, target_strides),
                source.data() + element_at(box.source_offset_bytes, source_strides), box.element_bytes);
    std::size_t axis = 0;
    while (axis < index.size() && ++index[axis] == box.extents[axis]) index[axis++] = 0;
    if (axis == index.size()) return target;
  }
}

std::string box_text(const Box& box) {
  std::string text = sentence(box.element_bytes, "-byte elements, extents");
  for (const std::int64_t extent : box.extents) text += sentence(' ', extent);
  for (const auto& [strides, name] : {std::pair(&box.source_strides, ", source strides"),
                                      std::pair(&box.target_strides, ", target strides")}) {
    if (!strides->empty()) text += name;
    for (const std::int64_t stride : *strides) text += sentence(' ', stride);
  }
  return text + sentence(", offsets ", box.source_offset_bytes, " and ", box.target_offset_bytes, " bytes");
}

// Copies the box between every pair of ends and compares the whole target with what it must be. `judge`
// sees the answer first and says whether to look at the bytes.
template <class Judge>
void try_box(OpenInstance& instance, const Box& box, Judge&& judge) {
  const auto domains = instance.domains();
  for (const auto& [source_domain, target_domain] : copy_pairs(instance, domains)) {
    const auto source_content = pattern(end_bytes, 21);
    const auto target_content = pattern(end_bytes, 22);
    CopyEnd source(instance, source_domain, source_content);
    CopyEnd target(instance, target_domain, target_content);
    const std::string what = sentence("a copy from ", copy_domain_name(source_domain), " to ",
                                      copy_domain_name(target_domain), " (", box_text(box), ')');
    const Answer answer = copy_box(instance, source, target, box);
    if (!judge(answer, what)) continue;
    instance.trial().expect(answer.ok(), sentence(what, " answered ", answer.text()));
    const auto wanted = expected_target(source_content, target_content, box);
    const auto found = target.content();
    const auto at = std::ranges::mismatch(wanted, found).in1 - wanted.begin();
    instance.trial().expect(found == wanted, sentence(what, " left a wrong byte at ", at, " of the target"));
  }
}

void try_compact_box(OpenInstance& instance, const Box& box) {
  try_box(instance, box, [](const Answer&, const std::string&) { return true; });
}

void pairs(Trial& trial) {
  OpenInstance instance(trial);
  try_compact_box(instance, {.extents = {static_cast<std::int64_t>(end_bytes)}});
  try_compact_box(instance, {.extents = {16, 32}, .element_bytes = 8});
}

void matrix_truth(Trial& trial) {
  OpenInstance instance(trial);
  const auto domains = instance.domains();
  std::vector<CopyDomain> ends{nullptr};
  for (const DomainFacts& domain : domains) ends.push_back(&domain);
  for (const CopyDomain source_domain : ends) {
    for (const CopyDomain target_domain : ends) {
      const auto end_in = [&](CopyDomain domain, std::vector<std::byte>& host, std::optional<Block>& block) {
        if (domain == nullptr) return tenure_place{nullptr, host.data(), 0, nullptr};
        block.emplace(instance, *domain, host.size());
        return tenure_place{block->storage(), nullptr, 0, nullptr};
      };
      std::vector<std::byte> source_host(256);
      std::vector<std::byte> target_host(256);
      std::optional<Block> source_block;
      std::optional<Block> target_block;
      const tenure_place source = end_in(source_domain, source_host, source_block);
      const tenure_place target = end_in(target_domain, target_host, target_block);
      const bool claimed =
          instance.can_copy(copy_domain_index(source_domain), copy_domain_index(target_domain));
      const Answer answer = copy_bytes(instance, source, target, 256);
      trial.expect(
          answer.ok() == claimed,
          sentence("can_copy says ", claimed ? "yes" : "no", " from ", copy_domain_name(source_domain),
                   " to ", copy_domain_name(target_domain), "; the copy answered ", answer.text()));
    }
  }
}

void zero_extent(Trial& trial) {
  OpenInstance instance(trial);
  try_compact_box(instance, {.extents = {0}});
  try_compact_box(instance, {.extents = {3, 0, 5}, .element_bytes = 4});
}

void rank_zero(Trial& trial) {
  OpenInstance instance(trial);
  try_compact_box(instance, {.extents = {}, .element_bytes = 8, .target_offset_bytes = 16});
}

void unaligned(Trial& trial) {
  OpenInstance instance(trial);
  for (const std::uint32_t element_bytes : {1u, 2u, 4u, 8u, 16u}) {
    try_compact_box(instance, {.extents = {37},
                               .element_bytes = element_bytes,
                               .source_offset_bytes = 3,
                               .target_offset_bytes = 5});
  }
}

void writes_only_target(Trial& trial) {
  OpenInstance instance(trial);
  for (const std::int64_t extent : {1, 13, 100}) {
    try_compact_box(instance, {.extents = {extent}, .source_offset_bytes = 64, .target_offset_bytes = 64});
  }
}

void strided(Trial& trial) {
  OpenInstance instance(trial);
  const std::array boxes{
      // A transpose, a reversed axis, and a sparse source with an axis of stride 0.
      Box{.extents = {6, 7}, .element_bytes = 4, .source_strides = {7, 1}, .target_strides = {1, 6}},
      Box{.extents = {5, 4},
          .element_bytes = 8,
          .source_offset_bytes = 32,
          .target_offset_bytes = 160,
          .source_strides = {1, 5},
          .target_strides = {-1, -5}},
      Box{.extents = {3, 2, 4}, .element_bytes = 2, .source_strides = {8, 0, 2}, .target_strides = {1, 3, 6}},
  };
  bool any = false;
  for (const Box& box : boxes) {
    try_box(instance, box, [&any](const Answer& answer, const std::string&) {
      const bool walks_strides = answer.code != TENURE_UNIMPLEMENTED;
      any = any || walks_strides;
      return walks_strides;
    });
  }
  if (!any) trial.skip("the provider copies compact ends only");
}

// Copies within one storage of every domain that allows it and hands over the content before, the storage,
// and the answer. Skips the rule when no domain does.
template <class Judge>
void copy_within(OpenInstance& instance, std::uint64_t source_offset, std::uint64_t target_offset,
                 std::uint64_t bytes, Judge&& judge) {
  bool any = false;
  const auto domains = instance.domains();
  for (const DomainFacts& domain : domains) {
    if (!instance.can_copy(domain.index, domain.index)) continue;
    Block block(instance, domain, end_bytes);
    if (!block.is_reachable()) continue;
    any = true;
    const auto content = pattern(end_bytes, 23);
    block.write(content);
    const Answer answer = copy_bytes(instance, {block.storage(), nullptr, source_offset, nullptr},
                                     {block.storage(), nullptr, target_offset, nullptr}, bytes);
    judge(domain, content, block, answer);
  }
  if (!any) instance.trial().skip("no domain copies within itself");
}

void overlap_refused(Trial& trial) {
  OpenInstance instance(trial);
  for (const std::uint64_t target_offset : {64u, 0u, 1u}) {
    copy_within(instance, 32, target_offset, 100,
                [&](const DomainFacts& domain, const std::vector<std::byte>& before, Block& block,
                    const Answer& answer) {
                  trial.expect(answer.code == TENURE_INVALID_ARGUMENT,
                               sentence("a copy between overlapping ends in ", domain.name, " answered ",
                                        answer.text(), "; expected INVALID_ARGUMENT"));
                  trial.expect(
                      block.read(end_bytes) == before,
                      sentence("a refused copy between overlapping ends in ", domain.name, " wrote bytes"));
                });
  }
}

void adjacent(Trial& trial) {
  OpenInstance instance(trial);
  copy_within(
      instance, 100, 200, 100,
      [&](const DomainFacts& domain, std::vector<std::byte> wanted, Block& block, const Answer& answer) {
        trial.expect(answer.ok(), sentence("a copy between adjacent ends in one storage of ", domain.name,
                                           " answered ", answer.text()));
        std::copy_n(wanted.begin() + 100, 100, wanted.begin() + 200);
        trial.expect(
            block.read(end_bytes) == wanted,
            sentence("a copy between adjacent ends in one storage of ", domain.name, " left wrong bytes"));
      });
}

constexpr std::array rules{
    Rule{.name = "copy.pairs",
         .sentence = "A copy between two places that can_copy names moves every byte of the box.",
         .if_ignored = "Results are wrong.",
         .advice = "Compare the number of bytes that are moved with extents times element_bytes.",
         .needs = {"mem.pattern"},
         .check = pairs},
    Rule{.name = "copy.matrix-truth",
         .sentence = "can_copy says yes exactly where copy works.",
         .if_ignored = "The host refuses a transfer that would work, or starts one that cannot.",
         .advice = "Decide both in one function.",
         .check = matrix_truth},
    Rule{.name = "copy.zero",
         .sentence = "A copy with an extent of 0 answers OK and moves nothing.",
         .if_ignored = "Every caller needs a special case for empty tensors.",
         .advice = "Return OK before looking at addresses.",
         .needs = {"copy.pairs"},
         .check = zero_extent},
    Rule{.name = "copy.rank-zero",
         .sentence = "A copy of rank 0 moves one element.",
         .if_ignored = "Scalars are lost.",
         .advice = "Start the product of the extents at 1.",
         .needs = {"copy.pairs"},
         .check = rank_zero},
    Rule{.name = "copy.unaligned",
         .sentence = "Ends may begin at any byte, whatever the size of the elements.",
         .if_ignored = "Views into packed data cannot be copied.",
         .advice = "Move bytes, not elements, where an address is not aligned.",
         .needs = {"copy.pairs"},
         .check = unaligned},
    Rule{.name = "copy.writes-only-target",
         .sentence = "A copy writes the bytes of its target box and none beside them.",
         .if_ignored = "Neighbouring tensors are overwritten.",
         .advice = "Handle the rest that is shorter than a vector by itself.",
         .needs = {"copy.pairs"},
         .check = writes_only_target},
    Rule{.name = "copy.overlap-refused",
         .sentence = "A copy between ends that overlap is INVALID_ARGUMENT and writes nothing.",
         .if_ignored = "What arrives depends on the order in which bytes are moved.",
         .advice = "Compare the ranges of both ends before the first byte is moved.",
         .needs = {"mem.pattern"},
         .check = overlap_refused},
    Rule{.name = "copy.adjacent",
         .sentence = "Two ends in one storage that do not overlap can be copied.",
         .if_ignored = "Parts of one allocation cannot be copied to each other.",
         .advice = "Compare ranges of bytes, not storages.",
         .needs = {"mem.pattern"},
         .check = adjacent},
    Rule{.name = "copy.strided",
         .sentence = "A copy honours strides of either sign and 0, or answers UNIMPLEMENTED.",
         .if_ignored = "Views are copied wrongly.",
         .advice = "Walk every index, or refuse what is not compact.",
         .needs = {"copy.pairs"},
         .check = strided},
};

}  // namespace

std::span<const Rule> copy_rules() noexcept { return rules; }

}  // namespace tenure::probe
