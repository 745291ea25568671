// SPDX-License-Identifier: Apache-2.0
// usage_error: what is wrong with an argument or with a file that an argument names.
#pragma once

#include <stdexcept>
#include <string>

namespace tenure::bench {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file that is not what it should be: names the file, the place in it, what was wanted and what was found.
class FileError : public UsageError {
 public:
  FileError(const std::string& file, const std::string& place, const std::string& problem)
      : UsageError(file + ": " + (place.empty() ? "" : place + ": ") + problem) {}
};

}  // namespace tenure::bench
