// SPDX-License-Identifier: Apache-2.0
// shared_object: a mapped file. The only place that maps one, and where Boost.DLL is.
#pragma once

#include <string>
#include <variant>

#include "tenure/config.h"
#include "tenure/provider_abi.h"

namespace tenure::inline TENURE_BUILD {

struct SharedObject {
  tenure_provider_entry_function entry = nullptr;  // null: no such symbol, although the file has been mapped
};

// Maps the file, binds all its symbols, keeps them from other files, for the rest of the process. The path
// must be absolute and real. The other answer is the dynamic linker's own words.
std::variant<SharedObject, std::string> map_shared_object(const std::string& real_path);

}  // namespace tenure::inline TENURE_BUILD
