// SPDX-License-Identifier: Apache-2.0
#include "rules/copy_end.hpp"

#include <utility>

namespace tenure::probe {

std::string copy_domain_name(CopyDomain domain) { return domain == nullptr ? "the host" : domain->name; }

std::uint64_t copy_domain_index(CopyDomain domain) noexcept {
  return domain == nullptr ? TENURE_DOMAIN_HOST : domain->index;
}

CopyEnd::CopyEnd(OpenInstance& instance, CopyDomain domain, std::vector<std::byte> content)
    : bytes_(content.size()), host_(std::move(content)) {
  if (domain == nullptr) return;
  block_.emplace(instance, *domain, bytes_);
  block_->write(host_);
}

tenure_place CopyEnd::at(std::uint64_t offset_bytes, const std::int64_t* strides) noexcept {
  if (block_) return {block_->storage(), nullptr, offset_bytes, strides};
  return {nullptr, host_.data(), offset_bytes, strides};
}

std::vector<std::byte> CopyEnd::content() { return block_ ? block_->read(bytes_) : host_; }

std::vector<std::pair<CopyDomain, CopyDomain>> copy_pairs(OpenInstance& instance,
                                                          const std::vector<DomainFacts>& domains) {
  std::vector<CopyDomain> ends{nullptr};
  for (const DomainFacts& domain : domains) {
    if (Block(instance, domain, 64).is_reachable()) ends.push_back(&domain);
  }
  std::vector<std::pair<CopyDomain, CopyDomain>> pairs;
  for (const CopyDomain source : ends) {
    for (const CopyDomain target : ends) {
      if (instance.can_copy(copy_domain_index(source), copy_domain_index(target))) {
        pairs.emplace_back(source, target);
      }
    }
  }
  if (pairs.empty()) instance.trial().skip("the provider copies between no two places");
  return pairs;
}

}  // namespace tenure::probe
