// SPDX-License-Identifier: Apache-2.0
// module_loading: the load sequence, from a path to a registered module.
#pragma once

#include <filesystem>

#include "tenure/config.h"
#include "tenure/loader/load_options.hpp"
#include "tenure/loader/load_report.hpp"

namespace tenure::inline TENURE_BUILD {

LoadReport load_module(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace tenure::inline TENURE_BUILD
