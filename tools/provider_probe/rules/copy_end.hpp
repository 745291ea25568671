// SPDX-License-Identifier: Apache-2.0
// copy_end: one end of a copy under trial, in a domain or in plain host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rules/block.hpp"

namespace tenure::probe {

// A place that copies start or end at. Null stands for plain host memory.
using CopyDomain = const DomainFacts*;

std::string copy_domain_name(CopyDomain domain);
std::uint64_t copy_domain_index(CopyDomain domain) noexcept;

// Memory at one end, which is filled and looked at without the copy under trial.
class CopyEnd {
 public:
  CopyEnd(OpenInstance& instance, CopyDomain domain, std::vector<std::byte> content);

  tenure_place at(std::uint64_t offset_bytes, const std::int64_t* strides = nullptr) noexcept;
  std::vector<std::byte> content();

 private:
  std::uint64_t bytes_;
  std::vector<std::byte> host_;
  std::optional<Block> block_;
};

// The pairs of ends for which can_copy says yes and whose bytes the host can reach in some way. Skips the
// rule when there is none.
std::vector<std::pair<CopyDomain, CopyDomain>> copy_pairs(OpenInstance& instance,
                                                          const std::vector<DomainFacts>& domains);

}  // namespace tenure::probe
