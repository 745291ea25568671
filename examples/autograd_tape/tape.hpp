// SPDX-License-Identifier: Apache-2.0
// tape: records what is computed on shared tensors, to go back through it for a gradient.
#pragma once

#include <functional>
#include <memory>

#include "tenure/tenure.hpp"

namespace autograd {

// How a value came to be: the gradient history of its handle. Aliases and clones start without one.
struct Step {
  static constexpr tenure::AttachmentPolicy attachment_policy = tenure::AttachmentPolicy::never_copied;

  std::shared_ptr<Step> input;  // of the value that it was computed from; null where the tape begins
  // From the gradient of the result to that of the input.
  std::function<tenure::Tensor(const tenure::Engine&, tenure::Tensor&&)> backward;
};

// Functions of one variable, recorded as they run on the engine, which must outlive the tape.
class Tape {
 public:
  explicit Tape(const tenure::Engine& engine) : engine_(engine) {}

  tenure::SharedTensor exp(const tenure::SharedTensor& x) const;
  // Changes x itself.
  void add_in_place(tenure::SharedTensor& x, double value) const;
  tenure::SharedTensor add(const tenure::SharedTensor& x, double value) const;
  tenure::SharedTensor clone(const tenure::SharedTensor& x) const;
  // Of all elements, of rank 0.
  tenure::SharedTensor sum(const tenure::SharedTensor& x) const;

  // Of y, which has rank 0, with respect to the value that its history began with. Throws VersionError when
  // what a step has saved was changed in place.
  tenure::Tensor gradient_of(const tenure::SharedTensor& y) const;

 private:
  const tenure::Engine& engine_;
};

}  // namespace autograd
