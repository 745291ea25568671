// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "../usage_error.hpp"

namespace tenure::bench {

namespace {

bool holds(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

std::int64_t place_of(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) - labels.begin();
}

// The labels of the two operands of one step by what becomes of them, each list in its operand's order.
struct StepLabels {
  Labels left, right;  // the operands
  Labels left_summed, right_summed;
  Labels left_free, right_free;
  Labels contracted, batch;

  Labels left_kept() const { return without(left, left_summed); }
  Labels right_kept() const { return without(right, right_summed); }

 private:
  static Labels without(const Labels& labels, const Labels& gone) {
    Labels kept;
    for (const Label label : labels) {
      if (!holds(gone, label)) kept.push_back(label);
    }
    return kept;
  }
};

// Counts in how many places of what is left each label stands, so that a step knows what is needed after it.
class Walk {
 public:
  explicit Walk(const NetworkInstance& instance)
      : tensors_(instance.tensors), uses_(instance.extents.size(), 0) {
    for (const Labels& labels : tensors_) count(labels, 1);
    count(instance.output, 1);
  }

  // Takes the operands out of the list.
  StepLabels take(std::size_t left, std::size_t right) {
    StepLabels step;
    step.left = tensors_[left];
    step.right = tensors_[right];
    count(step.left, -1);
    count(step.right, -1);
    tensors_.erase(tensors_.begin() + static_cast<std::ptrdiff_t>(std::max(left, right)));
    tensors_.erase(tensors_.begin() + static_cast<std::ptrdiff_t>(std::min(left, right)));
    for (const Label label : step.left) {
      const bool is_needed = uses_[static_cast<std::size_t>(label)] > 0;
      if (holds(step.right, label)) {
        (is_needed ? step.batch : step.contracted).push_back(label);
      } else {
        (is_needed ? step.left_free : step.left_summed).push_back(label);
      }
    }
    for (const Label label : step.right) {
      if (holds(step.left, label)) continue;
      const bool is_needed = uses_[static_cast<std::size_t>(label)] > 0;
      (is_needed ? step.right_free : step.right_summed).push_back(label);
    }
    return step;
  }
  void put(Labels result) {
    count(result, 1);
    tensors_.push_back(std::move(result));
  }
  const Labels& last() const { return tensors_.back(); }

 private:
  void count(const Labels& labels, int change) {
    for (const Label label : labels) uses_[static_cast<std::size_t>(label)] += change;
  }
  std::vector<Labels> tensors_;
  std::vector<int> uses_;
};

std::vector<std::int64_t> places_of(const Labels& labels, const Labels& wanted) {
  std::vector<std::int64_t> places;
  for (const Label label : wanted) places.push_back(place_of(labels, label));
  return places;
}

Labels joined(std::initializer_list<Labels> lists) {
  Labels all;
  for (const Labels& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Labels reversed(Labels labels) {
  std::reverse(labels.begin(), labels.end());
  return labels;
}

// Letters for the labels of one step.
class Letters {
 public:
  std::string text(const Labels& labels) {
    std::string letters;
    for (const Label label : labels) {
      constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
      const std::size_t number = numbers_.emplace(label, numbers_.size()).first->second;
      if (number >= alphabet.size()) throw UsageError("a step of the network has more than 52 indices");
      letters += alphabet[number];
    }
    return letters;
  }

 private:
  std::map<Label, std::size_t> numbers_;
};

}  // namespace

Plan make_plan(const NetworkInstance& instance) {
  Walk walk(instance);
  Plan plan;
  for (const auto& [left, right] : instance.path) {
    const StepLabels labels = walk.take(left, right);
    PlanStep step{left,
                  right,
                  places_of(labels.left, labels.left_summed),
                  places_of(labels.right, labels.right_summed),
                  {}};
    const Labels left_kept = labels.left_kept(), right_kept = labels.right_kept();
    step.options.left_contracted = places_of(left_kept, labels.contracted);
    step.options.right_contracted = places_of(right_kept, labels.contracted);
    step.options.left_batch = places_of(left_kept, labels.batch);
    step.options.right_batch = places_of(right_kept, labels.batch);
    walk.put(joined({labels.left_free, labels.right_free, labels.batch}));
    plan.steps.push_back(std::move(step));
  }
  Labels kept;
  for (const Label label : walk.last()) {
    if (holds(instance.output, label)) {
      kept.push_back(label);
    } else {
      plan.last_summed.push_back(place_of(walk.last(), label));
    }
  }
  plan.output_axes = places_of(kept, instance.output);
  return plan;
}

NetworkJob make_peer_job(const NetworkInstance& instance, std::vector<Array> tensors) {
  NetworkInstance peers = instance;
  for (Labels& labels : peers.tensors) labels = reversed(labels);
  peers.output = reversed(peers.output);
  NetworkJob job;
  job.tensors = std::move(tensors);
  for (Array& tensor : job.tensors) std::reverse(tensor.extents.begin(), tensor.extents.end());
  Walk walk(peers);
  for (const auto& [left, right] : peers.path) {
    const StepLabels labels = walk.take(left, right);
    // What its batched product gives without another order of axes.
    const Labels result = joined({labels.batch, labels.left_free, labels.right_free});
    Letters letters;
    const std::string left_text = letters.text(labels.left), right_text = letters.text(labels.right);
    job.steps.push_back({left, right, left_text + ',' + right_text + "->" + letters.text(result)});
    walk.put(result);
  }
  Letters letters;
  const std::string last = letters.text(walk.last());
  job.output = last + "->" + letters.text(peers.output);
  return job;
}

}  // namespace tenure::bench
