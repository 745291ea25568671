// SPDX-License-Identifier: Apache-2.0
// autograd_tape: the gradient of sum(exp(x) + 1), and what an in-place change of a saved value does to it.
//
//   autograd_tape <CPU provider>
//
// Exits 0 only when the change is found, and the gradient is right without it.
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <vector>

#include "tape.hpp"

namespace {

using autograd::Tape;
using tenure::SharedTensor;

const std::vector<double> inputs{1.0, 2.0, -0.5};

SharedTensor make_x() {
  return SharedTensor::from(tenure::Tensor::from_vec_col_major({3}, std::vector<double>(inputs)));
}

void print_version(const char* name, const SharedTensor& tensor) {
  std::printf("  %s is at version %llu\n", name, static_cast<unsigned long long>(tensor.version()));
}

// exp(x) + 1 has the gradient exp(x).
bool is_right(const tenure::Tensor& gradient) {
  const std::vector<double> found = gradient.to_vec_col_major<double>();
  bool right = found.size() == inputs.size();
  for (std::size_t i = 0; right && i < found.size(); ++i) {
    const double expected = std::exp(inputs[i]);
    right = std::abs(found[i] - expected) <= 1e-14 * expected;
    std::printf("  d/dx[%zu] = %.15g, expected %.15g\n", i, found[i], expected);
  }
  if (!right) std::printf("  WRONG\n");
  return right;
}

bool refuses_changed_value(const Tape& tape) {
  std::printf("h = exp(x); h += 1; y = sum(h)\n");
  SharedTensor h = tape.exp(make_x());
  print_version("h", h);
  tape.add_in_place(h, 1.0);
  print_version("h", h);
  const SharedTensor y = tape.sum(h);
  try {
    static_cast<void>(tape.gradient_of(y));
  } catch (const tenure::VersionError& error) {
    std::printf("  %s\n", error.what());
    return error.saved_version() == 0 && error.current_version() == 1;
  }
  std::printf("  WRONG: the gradient was computed from a value that had changed\n");
  return false;
}

bool computes_without_change(const Tape& tape) {
  std::printf("h = exp(x); k = h + 1; y = sum(k)\n");
  const SharedTensor h = tape.exp(make_x());
  return is_right(tape.gradient_of(tape.sum(tape.add(h, 1.0))));
}

// What the message advises.
bool computes_with_clone(const Tape& tape) {
  std::printf("h = exp(x); k = clone(h); k += 1; y = sum(k)\n");
  const tenure::LedgerScope scope;
  const SharedTensor h = tape.exp(make_x());
  SharedTensor k = tape.clone(h);
  tape.add_in_place(k, 1.0);
  const SharedTensor y = tape.sum(k);
  print_version("h", h);
  print_version("k", k);
  std::printf("  %llu named copy\n", static_cast<unsigned long long>(scope.copies()));
  return scope.copies() == 1 && is_right(tape.gradient_of(y));
}

int run(const char* cpu_file) {
  tenure::Registry registry;
  const tenure::Engine engine = registry.load(cpu_file).open().engine({});
  const Tape tape(engine);
  bool as_expected = refuses_changed_value(tape);
  as_expected &= computes_without_change(tape);
  as_expected &= computes_with_clone(tape);
  std::printf("%s\n", as_expected ? "everything is as expected" : "SOMETHING IS WRONG");
  return as_expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: autograd_tape <CPU provider>\n");
    return 2;
  }
  try {
    return run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autograd_tape: %s\n", error.what());
    return 1;
  }
}
