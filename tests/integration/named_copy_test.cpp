// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "tenure/tenure.hpp"

TEST_CASE("named copies: of tensors whose type is known at run time are there for users of libtenure") {
  const auto tensor = tenure::Tensor::from_vec_col_major({2, 2}, std::vector<double>{1, 2, 3, 4});
  CHECK(tensor.duplicate().to_vec_col_major<double>() == std::vector<double>{1, 2, 3, 4});
  const auto transposed = tensor.as_view().transposed().to_col_major();
  CHECK(transposed.to_vec_col_major<double>() == std::vector<double>{1, 3, 2, 4});
}
