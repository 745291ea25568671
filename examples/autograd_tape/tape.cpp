// SPDX-License-Identifier: Apache-2.0
#include "tape.hpp"

#include <utility>
#include <vector>

namespace autograd {
namespace {

using tenure::Engine;
using tenure::SavedTensor;
using tenure::SharedTensor;
using tenure::Tensor;

// Makes `result`, computed from a value with the history `input`, know how it came to be.
template <class Backward>
void record(SharedTensor& result, std::shared_ptr<Step> input, Backward backward) {
  result.attach(std::make_shared<Step>(Step{std::move(input), std::move(backward)}));
}

Tensor unchanged(const Engine&, Tensor&& gradient) { return std::move(gradient); }

}  // namespace

SharedTensor Tape::exp(const SharedTensor& x) const {
  SharedTensor result = SharedTensor::from(engine_.exp(x.read().view()));
  // The derivative is the result, so that is what has to stay as it is. Saved, it has no history: a history
  // that holds itself would never end.
  record(result, x.attachment<Step>(),
         [saved = SavedTensor(result)](const Engine& engine, Tensor&& gradient) {
           return engine.multiply(gradient, saved.read().view());
         });
  return result;
}

void Tape::add_in_place(SharedTensor& x, double value) const {
  auto guard = x.write();
  engine_.add_into(guard.view(), value, guard.view());
  guard.publish();
  record(x, x.attachment<Step>(), unchanged);
}

SharedTensor Tape::add(const SharedTensor& x, double value) const {
  SharedTensor result = SharedTensor::from(engine_.add(x.read().view(), value));
  record(result, x.attachment<Step>(), unchanged);
  return result;
}

SharedTensor Tape::clone(const SharedTensor& x) const {
  SharedTensor result = x.clone();
  record(result, x.attachment<Step>(), unchanged);
  return result;
}

SharedTensor Tape::sum(const SharedTensor& x) const {
  SharedTensor result = SharedTensor::from(engine_.sum(x.read().view()));
  record(result, x.attachment<Step>(),
         [extents = std::vector<std::int64_t>(x.extents().begin(), x.extents().end())](const Engine& engine,
                                                                                       Tensor&& gradient) {
           const std::vector<std::int64_t> ones(extents.size(), 1);
           return engine.copy(gradient.as_view().reshape(ones).broadcast_to(extents));
         });
  return result;
}

Tensor Tape::gradient_of(const SharedTensor& y) const {
  Tensor gradient = Tensor::zeros(y.dtype(), {});
  engine_.fill_into(1.0, gradient);
  for (auto step = y.attachment<Step>(); step != nullptr; step = step->input) {
    gradient = step->backward(engine_, std::move(gradient));
  }
  return gradient;
}

}  // namespace autograd
