// SPDX-License-Identifier: Apache-2.0
#include "contraction.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace tenure::bench {

namespace {

// A tensor of the network: an input, which stays, or an intermediate, which is given back.
struct Term {
  const Tensor* input = nullptr;
  std::optional<Tensor> made;

  const Tensor& tensor() const { return made ? *made : *input; }
};

Term take(std::vector<Term>& terms, std::size_t at) {
  Term term = std::move(terms[at]);
  terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(at));
  return term;
}

void give_back(const Engine& engine, Term&& term) {
  if (term.made) engine.reclaim_buffer(std::move(*term.made));
}

void sum_over(const Engine& engine, Term& term, const std::vector<std::int64_t>& axes) {
  if (axes.empty()) return;
  ReduceOptions options;
  options.axes = AxisSet(std::span<const std::int64_t>(axes));
  Term summed{nullptr, engine.reduce(Reduction::sum, term.tensor(), options)};
  give_back(engine, std::move(term));
  term = std::move(summed);
}

}  // namespace

Contraction::Contraction(const NetworkInstance& instance, std::uint64_t seed)
    : instance_(instance), plan_(make_plan(instance)) {
  std::vector<int> uses(instance.extents.size(), 0);
  for (const Labels& labels : instance.tensors) {
    for (const Label label : labels) ++uses[static_cast<std::size_t>(label)];
  }
  for (const Label label : instance.output) uses[static_cast<std::size_t>(label)] = 0;
  Random random(seed, "network");
  for (const Labels& labels : instance.tensors) {
    // A sum of n values of random sign grows like the square root of n.
    double scale = 1;
    for (const Label label : labels) {
      const auto index = static_cast<std::size_t>(label);
      if (uses[index] > 0)
        scale *= std::pow(static_cast<double>(instance.extents[index]), -0.5 / uses[index]);
    }
    Operand input = random_operand(random, Element::f64, instance.extents_of(labels), 0.5, 1.5);
    double* const elements = static_cast<double*>(input.array.data);
    for (std::int64_t at = 0; at < input.array.count(); ++at) {
      elements[at] *= random.between(0, 1) == 0 ? scale : -scale;
    }
    inputs_.push_back(std::move(input));
  }
}

Tensor Contraction::run(const Engine& engine) const {
  std::vector<Term> terms;
  for (const Operand& input : inputs_) terms.push_back({input.tensor.get(), std::nullopt});
  for (const PlanStep& step : plan_.steps) {
    // The later one first, so that the earlier position stays what it is.
    const bool is_left_later = step.left > step.right;
    Term later = take(terms, std::max(step.left, step.right));
    Term earlier = take(terms, std::min(step.left, step.right));
    Term& left = is_left_later ? later : earlier;
    Term& right = is_left_later ? earlier : later;
    sum_over(engine, left, step.left_summed);
    sum_over(engine, right, step.right_summed);
    terms.push_back({nullptr, engine.contract(left.tensor(), right.tensor(), step.options)});
    give_back(engine, std::move(later));
    give_back(engine, std::move(earlier));
  }
  Term& last = terms.back();
  sum_over(engine, last, plan_.last_summed);
  return last.made ? std::move(*last.made) : engine.copy(last.tensor());
}

std::vector<double> Contraction::elements(const Tensor& result) const {
  return result.as_view().permute(plan_.output_axes).as_typed<double>().to_vec_col_major();
}

std::vector<Array> Contraction::arrays() const {
  std::vector<Array> arrays;
  for (const Operand& input : inputs_) arrays.push_back(input.array);
  return arrays;
}

std::size_t Contraction::bytes(const NetworkInstance& instance) {
  double total = 0;
  for (const Labels& labels : instance.tensors) {
    double count = 1;
    for (const std::int64_t extent : instance.extents_of(labels)) count *= static_cast<double>(extent);
    total += count;
  }
  return static_cast<std::size_t>(4 * total * sizeof(double));
}

}  // namespace tenure::bench
