// SPDX-License-Identifier: Apache-2.0
// What vectors are refused as. Each section is refused in the words that its first line expects.
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"

using namespace tenure;

namespace adopt_lvalue_vector {
auto adopt(std::vector<double>& values) {
  return HostTensor<double, 1>::from_vec_col_major({2}, std::move(values));
}
#ifdef REFUSE_adopt_lvalue_vector  // expect: rvalue|lvalue
auto adopt_silently(std::vector<double>& values) {
  return HostTensor<double, 1>::from_vec_col_major({2}, values);
}
#endif
}  // namespace adopt_lvalue_vector

namespace adopt_vector_of_bool {
auto adopt() { return HostTensor<std::uint8_t, 1>::from_vec_col_major({2}, std::vector<std::uint8_t>(2)); }
auto filled() { return HostTensor<bool, 1>::filled({2}, true); }
#ifdef REFUSE_adopt_vector_of_bool  // expect: packs its elements into bits
auto adopt_bits() { return HostTensor<bool, 1>::from_vec_col_major({2}, std::vector<bool>(2)); }
#endif
}  // namespace adopt_vector_of_bool

namespace extract_vector_of_bool {
auto extract(HostTensor<std::uint8_t, 1>&& tensor) { return std::move(tensor).into_vec_col_major(); }
#ifdef REFUSE_extract_vector_of_bool  // expect: packs its elements into bits
auto extract_bits(HostTensor<bool, 1>&& tensor) { return std::move(tensor).into_vec_col_major(); }
#endif
}  // namespace extract_vector_of_bool

namespace copy_out_vector_of_bool {
auto copy(const HostTensor<std::uint8_t, 1>& tensor) { return tensor.to_vec_col_major(); }
#ifdef REFUSE_copy_out_vector_of_bool  // expect: packs its elements into bits
auto copy_bits(const HostTensor<bool, 1>& tensor) { return tensor.to_vec_col_major(); }
#endif
}  // namespace copy_out_vector_of_bool

namespace copy_in_vector_of_bool {
auto copy(std::span<const bool> values) { return HostTensor<bool, 1>::from_vec_row_major({2}, values); }
auto copy_dynamic(std::span<const bool> values) { return Tensor::from_vec_row_major({2}, values); }
#ifdef REFUSE_copy_in_vector_of_bool  // expect: packs its elements into bits
void copy_bits(const std::vector<bool>& values) { HostTensor<bool, 1>::from_vec_row_major({2}, values); }
#endif
}  // namespace copy_in_vector_of_bool

namespace copy_in_vector_of_bool_of_any_type {
auto copy(const std::vector<double>& values) { return Tensor::from_vec_row_major({2}, values); }
#ifdef REFUSE_copy_in_vector_of_bool_of_any_type  // expect: packs its elements into bits
auto copy_bits(const std::vector<bool>& values) { return Tensor::from_vec_row_major({2}, values); }
#endif
}  // namespace copy_in_vector_of_bool_of_any_type
