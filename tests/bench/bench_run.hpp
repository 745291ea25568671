// SPDX-License-Identifier: Apache-2.0
// bench_run: tenure-bench as a function.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace tenure::test {

struct BenchRun {
  int exit_status = -1;
  std::string out;
  std::string error;
};

// With this build's CPU provider, a seed and two threads unless the words say otherwise.
inline BenchRun run_bench(std::initializer_list<std::string> words) {
  std::vector<std::string> arguments{"tenure-bench"};
  arguments.insert(arguments.end(), words);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  std::ostringstream out, error;
  BenchRun run;
  run.exit_status = bench::run_command_line(static_cast<int>(arguments.size()), pointers.data(), out, error);
  run.out = out.str();
  run.error = error.str();
  return run;
}

// A file that is removed with this.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("tenure_bench_" + std::to_string(::getpid()) + '_' + std::to_string(next()++) + ".json")) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  std::string path() const { return path_.string(); }
  std::string text() const {
    std::ifstream file(path_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

 private:
  static int& next() {
    static int number = 0;
    return number;
  }
  std::filesystem::path path_;
};

}  // namespace tenure::test
