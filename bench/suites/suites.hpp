// SPDX-License-Identifier: Apache-2.0
// suites: the rows of each suite. One third of the shapes of each are drawn from ranges, by the seed.
#pragma once

#include <string>
#include <vector>

#include "../case.hpp"
#include "../setup.hpp"

namespace tenure::bench {

// `setup` must outlive the list.
void add_elementwise_cases(Setup& setup, CaseList& cases);
void add_linalg_cases(Setup& setup, CaseList& cases);
void add_matmul_cases(Setup& setup, CaseList& cases);
void add_network_cases(Setup& setup, CaseList& cases);
void add_permute_cases(Setup& setup, CaseList& cases);
void add_pool_cases(Setup& setup, CaseList& cases);
void add_reduce_cases(Setup& setup, CaseList& cases);
void add_small_cases(Setup& setup, CaseList& cases);
void add_view_cases(Setup& setup, CaseList& cases);

inline CaseList all_cases(Setup& setup) {
  CaseList cases;
  add_pool_cases(setup, cases);
  add_view_cases(setup, cases);
  add_elementwise_cases(setup, cases);
  add_reduce_cases(setup, cases);
  add_matmul_cases(setup, cases);
  add_linalg_cases(setup, cases);
  add_permute_cases(setup, cases);
  add_small_cases(setup, cases);
  add_network_cases(setup, cases);
  return cases;
}

// "1t"
inline std::string threads_text(unsigned threads) { return std::to_string(threads) + "t"; }

}  // namespace tenure::bench
