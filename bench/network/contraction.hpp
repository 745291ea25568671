// SPDX-License-Identifier: Apache-2.0
// contraction: a network with its data, contracted on an engine.
#pragma once

#include <cstdint>
#include <vector>

#include "../operand.hpp"
#include "../setup.hpp"
#include "instance.hpp"
#include "plan.hpp"

namespace tenure::bench {

class Contraction {
 public:
  // Inputs are drawn from the seed: none is zero, both signs, scaled so that the result is of the size of
  // one.
  Contraction(const NetworkInstance& instance, std::uint64_t seed);

  // Along the path, pair by pair. Each intermediate is given back right after its last use.
  Tensor run(const Engine& engine) const;
  // The elements in the order of the output, the first axis fastest: a copy.
  std::vector<double> elements(const Tensor& result) const;

  const NetworkInstance& instance() const noexcept { return instance_; }
  std::vector<Array> arrays() const;
  // Of inputs and of the largest two intermediates, about.
  static std::size_t bytes(const NetworkInstance& instance);

 private:
  NetworkInstance instance_;
  Plan plan_;
  std::vector<Operand> inputs_;
};

}  // namespace tenure::bench
