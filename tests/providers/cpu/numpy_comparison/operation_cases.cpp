// SPDX-License-Identifier: Apache-2.0
// Computes seeded cases of every operation and writes them as case_file.hpp says:
//
//   operation_cases PROVIDER SEED FOLDER
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "cases.hpp"

int main(int argument_count, char** arguments) {
  if (argument_count != 4) {
    std::cerr << "usage: operation_cases PROVIDER SEED FOLDER\n";
    return 2;
  }
  try {
    tenure::Registry registry;
    const tenure::Instance instance = registry.load(arguments[1]).open();
    tenure::EngineOptions options;
    // What an operation does not write is seen in its result.
    options.pool.mode = tenure::PoolMode::poison;
    const tenure::Engine serial = instance.engine(options);
    options.mode = tenure::EngineMode::parallel;
    options.threads = 2;
    const tenure::Engine parallel = instance.engine(options);

    tenure::test::Draw draw(std::stoull(arguments[2]));
    tenure::test::CaseFile file(arguments[3]);
    tenure::test::CaseMaker maker{draw, file, serial, parallel};
    tenure::test::add_elementwise_cases(maker);
    tenure::test::add_program_cases(maker);
    tenure::test::add_reduction_cases(maker);
    tenure::test::add_copy_cases(maker);
    tenure::test::add_structural_cases(maker);
    tenure::test::add_index_cases(maker);
    tenure::test::add_contraction_cases(maker);
    tenure::test::add_linear_algebra_cases(maker);
    file.finish();
  } catch (const std::exception& error) {
    std::cerr << "operation_cases: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
