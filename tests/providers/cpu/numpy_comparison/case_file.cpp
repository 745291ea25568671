// SPDX-License-Identifier: Apache-2.0
#include "case_file.hpp"

#include <array>
#include <stdexcept>

#include "element_type.hpp"
#include "tenure/abi/operation_table.hpp"

namespace tenure::test {

namespace {

const char* bytes_of(const Tensor& tensor) {
  return visit_element_type(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    return reinterpret_cast<const char*>(tensor.as_view().as_typed<T>().host_data().data());
  });
}

template <class Table>
Json names_of(const Table& table) {
  Json names = Json::array();
  for (const auto& row : table) names.push_back(row.name);
  return names;
}

}  // namespace

CaseFile::CaseFile(const std::filesystem::path& folder)
    : folder_(folder), data_(folder / "data", std::ios::binary) {
  if (!data_) throw std::runtime_error("cannot write into " + folder.string());
}

Json CaseFile::array(const Tensor& owner) { return array(owner, owner.layout()); }

Json CaseFile::array(const Tensor& owner, const Layout& layout) {
  constexpr std::size_t alignment_bytes = 16;
  static constexpr std::array<char, alignment_bytes> padding{};
  const std::size_t first_byte = written_bytes_;
  const std::size_t padding_bytes = (alignment_bytes - owner.bytes() % alignment_bytes) % alignment_bytes;
  if (owner.bytes() > 0) data_.write(bytes_of(owner), static_cast<std::streamsize>(owner.bytes()));
  data_.write(padding.data(), static_cast<std::streamsize>(padding_bytes));
  written_bytes_ += owner.bytes() + padding_bytes;
  return {{"dtype", owner.dtype().name()}, {"first_byte", first_byte},    {"bytes", owner.bytes()},
          {"extents", layout.extents()},   {"strides", layout.strides()}, {"offset", layout.offset()}};
}

Json CaseFile::arrays(const std::vector<Tensor>& owners) {
  Json described = Json::array();
  for (const Tensor& owner : owners) described.push_back(array(owner));
  return described;
}

Json CaseFile::arrays(const std::vector<Target>& targets) {
  Json described = Json::array();
  for (const Target& target : targets) described.push_back(array(target));
  return described;
}

void CaseFile::add(const std::string& method, const std::string& operation, Json inputs, Json attributes,
                   Json results) {
  cases_.push_back({{"method", method},
                    {"operation", operation},
                    {"inputs", std::move(inputs)},
                    {"attributes", std::move(attributes)},
                    {"results", std::move(results)}});
}

void CaseFile::finish() {
  data_.close();
  std::ofstream index(folder_ / "index.json");
  index << Json{{"functions", names_of(abi::function_table)},
                {"reductions", names_of(abi::reduction_table)},
                {"cases", cases_}};
  index.close();
  if (!data_ || !index) throw std::runtime_error("cannot write into " + folder_.string());
}

}  // namespace tenure::test
