// SPDX-License-Identifier: Apache-2.0
// provider_table: the tables that a provider's entry function gave, checked and copied.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "loader/module_image.hpp"
#include "tenure/config.h"
#include "tenure/loader/identity_card.hpp"
#include "tenure/loader/problem.hpp"
#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_pool.h"

namespace tenure::inline TENURE_BUILD {

// The texts are copies, so that they can be printed whatever happens to the provider.
struct ProviderTable {
  tenure_provider provider{};      // completed to this build's length; its strings are not to be used
  tenure_instance_api instance{};  // completed
  std::string id;
  std::string name;
  std::string version;
  std::string vendor;
};

// Heads, kinds, required functions, texts; that all of it lies in the provider's image; that it says what
// the identity card says.
std::variant<ProviderTable, Problem> check_provider_table(const tenure_provider* table,
                                                          const ModuleImage& image, const IdentityCard& card);

// The same for the tables of extensions, which live with an instance. A Problem names the missing function.
std::variant<tenure_pool_api, Problem> check_pool_table(const void* table);
std::variant<tenure_engine_api, Problem> check_engine_table(const void* table);

}  // namespace tenure::inline TENURE_BUILD
