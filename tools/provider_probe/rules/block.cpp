// SPDX-License-Identifier: Apache-2.0
#include "rules/block.hpp"

#include <cstring>
#include <utility>

#include "sentence.hpp"

namespace tenure::probe {

Block::Block(OpenInstance& instance, const DomainFacts& domain, std::uint64_t bytes)
    : instance_(&instance), domain_(&domain), info_{} {
  const Answer answer = instance.create(domain.index, bytes, 0, 0, info_);
  if (!answer.ok() || info_.storage == nullptr) {
    instance.trial().skip_needs("mem.pattern",
                                sentence("storage_create of ", bytes, " bytes in ", domain.name, " answered ",
                                         answer.text(), " and storage ", info_.storage));
  }
}

Block::Block(Block&& other) noexcept
    : instance_(other.instance_), domain_(other.domain_), info_(other.info_) {
  other.info_.storage = nullptr;
}

Block::~Block() {
  if (info_.storage != nullptr) release();
}

void Block::release() {
  instance_->api().storage_release(instance_->handle(), info_.storage, nullptr);
  info_.storage = nullptr;
}

bool Block::is_reachable() const {
  return domain_->is_host_accessible() || (instance_->can_copy(TENURE_DOMAIN_HOST, domain_->index) &&
                                           instance_->can_copy(domain_->index, TENURE_DOMAIN_HOST));
}

void Block::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (domain_->is_host_accessible()) {
    const HostMapping mapping(*instance_, storage(), TENURE_ACCESS_HOST_WRITE);
    std::memcpy(mapping.address(), bytes.data(), bytes.size());
    return;
  }
  const tenure_place source{nullptr, const_cast<std::byte*>(bytes.data()), 0, nullptr};
  const Answer answer = copy_bytes(*instance_, source, {storage(), nullptr, 0, nullptr}, bytes.size());
  if (!answer.ok()) {
    instance_->trial().skip_needs(
        "copy.pairs", sentence("a copy from the host to ", domain_->name, " answered ", answer.text()));
  }
}

std::vector<std::byte> Block::read(std::uint64_t bytes) {
  std::vector<std::byte> content(bytes);
  if (bytes == 0) return content;
  if (domain_->is_host_accessible()) {
    const HostMapping mapping(*instance_, storage(), TENURE_ACCESS_HOST_READ);
    std::memcpy(content.data(), mapping.address(), bytes);
    return content;
  }
  const Answer answer =
      copy_bytes(*instance_, {storage(), nullptr, 0, nullptr}, {nullptr, content.data(), 0, nullptr}, bytes);
  if (!answer.ok()) {
    instance_->trial().skip_needs(
        "copy.pairs", sentence("a copy from ", domain_->name, " to the host answered ", answer.text()));
  }
  return content;
}

HostMapping::HostMapping(OpenInstance& instance, tenure_storage* storage, std::uint32_t access)
    : instance_(instance), storage_(storage), access_(access), mapping_(abi::make_struct<tenure_mapping>()) {
  Answer answer;
  answer.code = instance.api().storage_map(instance.handle(), storage, access, &mapping_, answer.status());
  if (!answer.ok() || mapping_.address == nullptr) {
    instance.trial().skip_needs("mem.kind-truth", sentence("storage_map with access ", access, " answered ",
                                                           answer.text(), " and address ", mapping_.address));
  }
}

HostMapping::~HostMapping() { instance_.api().storage_unmap(instance_.handle(), storage_, access_); }

std::vector<std::byte> pattern(std::uint64_t bytes, std::uint32_t seed) {
  std::vector<std::byte> content(bytes);
  std::uint32_t state = seed * 2654435761u + 1;
  for (std::byte& byte : content) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator; the high bits vary best
    byte = static_cast<std::byte>(state >> 24);
  }
  return content;
}

Answer copy_bytes(OpenInstance& instance, const tenure_place& source, const tenure_place& target,
                  std::uint64_t bytes) {
  const auto extent = static_cast<std::int64_t>(bytes);
  auto description = abi::make_struct<tenure_copy_desc>();
  description.source = source;
  description.target = target;
  description.extents = &extent;
  description.rank = 1;
  description.element_bytes = 1;
  Answer answer;
  answer.code = instance.api().copy(instance.handle(), &description, nullptr, answer.status());
  return answer;
}

}  // namespace tenure::probe
