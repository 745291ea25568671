// SPDX-License-Identifier: Apache-2.0
#include "loader/shared_object.hpp"

#define BOOST_DLL_USE_STD_FS
#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace tenure::inline TENURE_BUILD {

namespace {

// Never destroyed, as nothing may be unmapped, and never copied, as a copy opens the file by its path again.
void keep_for_ever(std::unique_ptr<boost::dll::shared_library> library) {
  static auto& mutex = *new std::mutex;
  static auto& libraries = *new std::vector<std::unique_ptr<boost::dll::shared_library>>;
  const std::lock_guard lock(mutex);
  libraries.push_back(std::move(library));
}

}  // namespace

std::variant<SharedObject, std::string> map_shared_object(const std::string& real_path) {
  using boost::dll::load_mode::rtld_local;
  using boost::dll::load_mode::rtld_now;
  // Boost.DLL hands bits that it does not know to dlopen.
  const auto mode = static_cast<boost::dll::load_mode::type>(rtld_now | rtld_local | RTLD_NODELETE);
  auto library = std::make_unique<boost::dll::shared_library>();
  std::error_code only_ever_says_bad_file_descriptor;
  ::dlerror();
  library->load(std::filesystem::path(real_path), mode, only_ever_says_bad_file_descriptor);
  if (!library->is_loaded()) {
    const char* const words = ::dlerror();
    return std::string(words == nullptr ? "the dynamic linker gives no reason" : words);
  }
  SharedObject object;
  if (library->has(TENURE_ENTRY_SYMBOL)) {
    object.entry = &library->get<std::remove_pointer_t<tenure_provider_entry_function>>(TENURE_ENTRY_SYMBOL);
  }
  keep_for_ever(std::move(library));
  return object;
}

}  // namespace tenure::inline TENURE_BUILD
