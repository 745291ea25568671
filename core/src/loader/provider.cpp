// SPDX-License-Identifier: Apache-2.0
#include "tenure/loader/provider.hpp"

#include "loader/instance_opening.hpp"
#include "loader/module.hpp"

namespace tenure::inline TENURE_BUILD {

std::string_view Provider::id() const noexcept { return module_->id(); }
std::string_view Provider::registered_id() const noexcept { return module_->facts().registered_id; }
std::string_view Provider::name() const noexcept { return module_->facts().table.name; }
std::string_view Provider::version() const noexcept { return module_->facts().table.version; }
std::string_view Provider::vendor() const noexcept { return module_->facts().table.vendor; }
std::string_view Provider::path() const noexcept { return module_->facts().path; }
std::string_view Provider::build_id() const noexcept { return module_->facts().build_id; }

Availability Provider::availability() const { return ask_availability(*module_); }

Instance Provider::open(const OpenOptions& options) const {
  return Instance(&open_instance(*module_, options));
}

}  // namespace tenure::inline TENURE_BUILD
