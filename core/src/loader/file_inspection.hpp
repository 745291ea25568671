// SPDX-License-Identifier: Apache-2.0
// file_inspection: the part of a load that runs no code of the file.
#pragma once

#include <filesystem>
#include <optional>

#include "loader/opened_file.hpp"
#include "tenure/config.h"
#include "tenure/loader/file_report.hpp"
#include "tenure/loader/load_options.hpp"

namespace tenure::inline TENURE_BUILD {

struct FileInspection {
  FileReport report;
  std::optional<OpenedFile> file;  // still open, so that its identity cannot be taken by another file
};

FileInspection inspect_and_keep_open(const std::filesystem::path& path, const LoadOptions& options);

}  // namespace tenure::inline TENURE_BUILD
