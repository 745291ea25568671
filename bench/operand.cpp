// SPDX-License-Identifier: Apache-2.0
#include "operand.hpp"

#include <span>

namespace tenure::bench {

namespace {

// Where an owner's elements begin.
template <class T>
T* first_element(Tensor& tensor) {
  return tensor.as_view_mut().as_typed<T>().host_data_mut().data();
}

Operand described(Tensor&& tensor, Element element, const std::vector<std::int64_t>& extents) {
  Operand operand{std::make_shared<Tensor>(std::move(tensor)), {nullptr, element, extents, {}}};
  if (element == Element::f32) {
    operand.array.data = first_element<float>(*operand.tensor);
  } else {
    operand.array.data = first_element<double>(*operand.tensor);
  }
  return operand;
}

}  // namespace

DType dtype_of_element(Element element) { return element == Element::f32 ? f32 : f64; }

Operand zero_operand(Element element, const std::vector<std::int64_t>& extents) {
  return described(Tensor::zeros(dtype_of_element(element), extents), element, extents);
}

Operand random_operand(Random& random, Element element, const std::vector<std::int64_t>& extents, double low,
                       double high) {
  Operand operand = zero_operand(element, extents);
  const auto count = static_cast<std::size_t>(operand.array.count());
  if (element == Element::f32) {
    random.fill(std::span(static_cast<float*>(operand.array.data), count), low, high);
  } else {
    random.fill(std::span(static_cast<double*>(operand.array.data), count), low, high);
  }
  return operand;
}

std::string count_text(std::int64_t count) {
  constexpr std::int64_t kibi = 1024;
  if (count >= kibi * kibi * kibi && count % (kibi * kibi * kibi) == 0) {
    return std::to_string(count / (kibi * kibi * kibi)) + "Gi";
  }
  if (count >= kibi * kibi && count % (kibi * kibi) == 0) return std::to_string(count / (kibi * kibi)) + "Mi";
  if (count >= kibi && count % kibi == 0) return std::to_string(count / kibi) + "Ki";
  return std::to_string(count);
}

std::string shape_text(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

}  // namespace tenure::bench
