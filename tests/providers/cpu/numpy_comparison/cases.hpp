// SPDX-License-Identifier: Apache-2.0
// cases: seeded cases of each family, computed by an engine.
#pragma once

#include <utility>
#include <vector>

#include "case_file.hpp"
#include "draw.hpp"

namespace tenure::test {

struct CaseMaker {
  Draw& draw;
  CaseFile& file;
  const Engine& serial;
  const Engine& parallel;

  const Engine& engine() const { return draw.one_in(2) ? serial : parallel; }
};

void add_elementwise_cases(CaseMaker& maker);
void add_program_cases(CaseMaker& maker);
void add_reduction_cases(CaseMaker& maker);
void add_copy_cases(CaseMaker& maker);
void add_structural_cases(CaseMaker& maker);
void add_index_cases(CaseMaker& maker);
void add_contraction_cases(CaseMaker& maker);
void add_linear_algebra_cases(CaseMaker& maker);

inline std::vector<DType> all_dtypes() {
  std::vector<DType> dtypes;
  for (const abi::DtypeRow& row : abi::dtype_table) dtypes.emplace_back(row.dtype);
  return dtypes;
}
// What contractions and linear algebra take.
inline std::vector<DType> matrix_dtypes() { return {f32, f64, complex64, complex128}; }

// The results of one operation, computed twice: into a new output and into a reading of existing memory.
template <class Allocating, class Into>
Json both_forms(CaseMaker& maker, const Allocating& allocating, const Into& into) {
  const Tensor made = allocating(maker.engine());
  const Target target =
      maker.draw.target(made.dtype(), Extents(made.extents().begin(), made.extents().end()));
  into(maker.engine(), target.view());
  return {{"allocated", Json::array({maker.file.array(made)})},
          {"into", Json::array({maker.file.array(target)})}};
}

}  // namespace tenure::test
