// SPDX-License-Identifier: Apache-2.0
// network: small tensor networks of the kinds that files hold, made from the seed.
#include <string>
#include <vector>

#include "../network/network_case.hpp"
#include "../random.hpp"
#include "suites.hpp"

namespace tenure::bench {

namespace {

// Adds an index and returns its label.
Label add_index(NetworkInstance& instance, std::int64_t extent) {
  instance.extents.push_back(extent);
  return static_cast<Label>(instance.extents.size() - 1);
}

// The tensors in their order: the first two, and then each time the result and the next one.
void sweep(NetworkInstance& instance) {
  for (std::size_t left = instance.tensors.size(); left > 1; --left) {
    instance.path.emplace_back(left == instance.tensors.size() ? 1 : left - 1, 0);
  }
}

NetworkInstance chain(Random& random, const std::string& name, std::int64_t length, std::int64_t low,
                      std::int64_t high) {
  NetworkInstance instance;
  instance.name = name;
  Label before = add_index(instance, random.between(low, high));
  const Label first = before;
  for (std::int64_t at = 0; at < length; ++at) {
    const Label next = add_index(instance, random.between(low, high));
    instance.tensors.push_back({before, next});
    before = next;
  }
  instance.output = {first, before};
  sweep(instance);
  return instance;
}

// The inner product of two matrix product states.
NetworkInstance inner_product(Random& random, const std::string& name, std::int64_t sites,
                              std::int64_t bond) {
  NetworkInstance instance;
  instance.name = name;
  Label upper = add_index(instance, 1), lower = add_index(instance, 1);
  for (std::int64_t site = 0; site < sites; ++site) {
    const Label physical = add_index(instance, random.between(2, 9));
    const bool is_last = site + 1 == sites;
    const Label next_upper = add_index(instance, is_last ? 1 : bond),
                next_lower = add_index(instance, is_last ? 1 : bond);
    instance.tensors.push_back({upper, physical, next_upper});
    instance.tensors.push_back({lower, physical, next_lower});
    upper = next_upper;
    lower = next_lower;
  }
  sweep(instance);
  return instance;
}

// A grid of tensors with bonds to their neighbours, and one index that many of them share.
NetworkInstance grid(Random& random, const std::string& name, std::int64_t rows, std::int64_t columns) {
  NetworkInstance instance;
  instance.name = name;
  const Label shared = add_index(instance, random.between(3, 6));
  std::vector<Label> above(static_cast<std::size_t>(columns), -1);
  for (std::int64_t row = 0; row < rows; ++row) {
    Label left = -1;
    for (std::int64_t column = 0; column < columns; ++column) {
      Labels labels;
      Label& over = above[static_cast<std::size_t>(column)];
      if (over >= 0) labels.push_back(over);
      if (left >= 0) labels.push_back(left);
      if ((row + column) % 3 == 0) labels.push_back(shared);
      over = row + 1 < rows ? add_index(instance, random.between(3, 5)) : -1;
      left = column + 1 < columns ? add_index(instance, random.between(3, 5)) : -1;
      if (over >= 0) labels.push_back(over);
      if (left >= 0) labels.push_back(left);
      instance.tensors.push_back(labels);
    }
  }
  instance.output = {shared};
  sweep(instance);
  return instance;
}

}  // namespace

void add_network_cases(Setup& setup, CaseList& cases) {
  Random random(setup.seed(), "network");
  add_instance_cases(setup,
                     {chain(random, "chain-40x64", 40, 64, 64), inner_product(random, "mps-60x16", 60, 16),
                      chain(random, "drawn-1-chain", random.between(20, 40), 20, 300),
                      grid(random, "drawn-2-grid", random.between(3, 5), 6)},
                     cases);
}

}  // namespace tenure::bench
