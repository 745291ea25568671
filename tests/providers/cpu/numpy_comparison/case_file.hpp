// SPDX-License-Identifier: Apache-2.0
// case_file: inputs and outputs of operations, written for another program to compute again.
//
// Two files in one folder. `data` holds bytes, `index.json` says what they are:
//
//   {"functions": [...], "reductions": [...],   names of the operation table
//    "cases": [{"method": "apply",              of Engine, without _into
//               "operation": "add",             the function or reduction, or the method again
//               "inputs": [ARRAY, ...],
//               "attributes": {...},            arguments that are no tensors
//               "results": {"allocated": [ARRAY, ...], "into": [ARRAY, ...]}}, ...]}
//
// with ARRAY = {"dtype": "f64", "first_byte": B, "bytes": N, "extents": [...], "strides": [...], "offset":
// O}: a reading of N bytes from byte B of `data`; strides and offset count elements, and may be any.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "draw.hpp"

namespace tenure::test {

using Json = nlohmann::ordered_json;

class CaseFile {
 public:
  // Throws std::runtime_error when a file cannot be written.
  explicit CaseFile(const std::filesystem::path& folder);
  CaseFile(const CaseFile&) = delete;
  CaseFile& operator=(const CaseFile&) = delete;

  // Copies the owner's bytes; describes it, or a reading of it.
  Json array(const Tensor& owner);
  Json array(const Sample& sample) { return array(*sample.owner, sample.view.layout()); }
  Json array(const Target& target) {
    // The view ends before the owner is read.
    const Layout layout = target.view().layout();
    return array(*target.owner, layout);
  }
  Json arrays(const std::vector<Tensor>& owners);
  Json arrays(const std::vector<Target>& targets);
  // One value, as an array of rank 0.
  template <ElementType T>
  Json scalar(T value) {
    Tensor tensor = Tensor::zeros(dtype_of<T>(), Extents{});
    tensor.as_view_mut().as_typed<T>().host_data_mut()[0] = value;
    return array(tensor);
  }

  void add(const std::string& method, const std::string& operation, Json inputs, Json attributes,
           Json results);
  // Throws std::runtime_error.
  void finish();

 private:
  Json array(const Tensor& owner, const Layout& layout);

  std::filesystem::path folder_;
  std::ofstream data_;
  std::size_t written_bytes_ = 0;
  Json cases_ = Json::array();
};

}  // namespace tenure::test
