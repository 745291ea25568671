// SPDX-License-Identifier: Apache-2.0
// module_table: the modules of the process, and who is loading which file at the moment.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "loader/module.hpp"
#include "loader/opened_file.hpp"
#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// Never destroyed. Its lock is held for looking and changing only.
class ModuleTable {
 public:
  static ModuleTable& of_process();

  enum class Outcome {
    claimed,       // the caller loads it, then publishes it or gives it up
    loaded,        // it has been loaded before
    id_taken,      // another file is registered under that id
    replaced,      // another file was loaded from that path, which this one has taken since
    loading_here,  // this thread is in the middle of loading it
  };
  struct Answer {
    Outcome outcome;
    const Module* module;  // what is there; null for `claimed` and `loading_here`
  };

  // Waits while another thread loads the same file, or a file of the same id.
  Answer claim(const FileIdentity& identity, const std::string& path, const std::string& registered_id);
  const Module& publish(std::unique_ptr<const Module> module) noexcept;
  void give_up(const FileIdentity& identity) noexcept;

 private:
  struct Slot {
    FileIdentity identity;
    std::string path;
    std::string registered_id;
    std::thread::id loading_thread;
    std::unique_ptr<const Module> module;  // null while it is being loaded
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Slot> slots_;
};

}  // namespace tenure::inline TENURE_BUILD
