// SPDX-License-Identifier: Apache-2.0
#include "execution/operation_name.hpp"

#include <array>
#include <string_view>

#include "tenure/abi/operation_table.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

struct ChosenName {
  std::array<char, 32> allocating{};
  std::array<char, 32> into{};
};

// "apply(add)"
constexpr std::array<char, 32> joined(std::string_view operation, std::string_view chosen) {
  std::array<char, 32> text{};
  std::size_t end = 0;
  const auto append = [&](std::string_view part) {
    for (const char letter : part) text[end++] = letter;
  };
  append(operation);
  append("(");
  append(chosen);
  append(")");
  return text;
}

template <class Table>
constexpr auto names_of(const Table& table, std::string_view operation, std::string_view into) {
  std::array<ChosenName, std::tuple_size_v<Table>> names{};
  for (std::size_t row = 0; row < table.size(); ++row) {
    names[row] = {joined(operation, table[row].name), joined(into, table[row].name)};
  }
  return names;
}

constexpr auto function_names = names_of(abi::function_table, "apply", "apply_into");
constexpr auto reduction_names = names_of(abi::reduction_table, "reduce", "reduce_into");

}  // namespace

OperationName chosen_name(Function function) noexcept {
  const abi::FunctionRow* const row = abi::find_function(static_cast<std::uint32_t>(function));
  if (row == nullptr) return {"apply", "apply_into"};
  const ChosenName& name = function_names[static_cast<std::size_t>(row - abi::function_table.data())];
  return {name.allocating.data(), name.into.data()};
}

OperationName chosen_name(Reduction reduction) noexcept {
  const abi::ReductionRow* const row = abi::find_reduction(static_cast<std::uint32_t>(reduction));
  if (row == nullptr) return {"reduce", "reduce_into"};
  const ChosenName& name = reduction_names[static_cast<std::size_t>(row - abi::reduction_table.data())];
  return {name.allocating.data(), name.into.data()};
}

}  // namespace tenure::inline TENURE_BUILD
