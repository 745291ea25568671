// SPDX-License-Identifier: Apache-2.0
// inspection_json: the members of an inspection as they stand in JSON.
#pragma once

#include "inspection.hpp"
#include "json_archive.hpp"

namespace tenure::probe {

constexpr auto json_members(std::type_identity<FileFacts>) {
  using T = FileFacts;
  return std::tuple(
      JsonMember{"file_bytes", &T::file_bytes}, JsonMember{"id", &T::id}, JsonMember{"version", &T::version},
      JsonMember{"abi_built", &T::abi_built}, JsonMember{"abi_host_min", &T::abi_host_min},
      JsonMember{"is_draft", &T::is_draft}, JsonMember{"compiler", &T::compiler}, JsonMember{"sdk", &T::sdk},
      JsonMember{"isa_level", &T::isa_level}, JsonMember{"sanitizers", &T::sanitizers},
      JsonMember{"host_abi", &T::host_abi}, JsonMember{"host_isa_level", &T::host_isa_level},
      JsonMember{"host_sanitizers", &T::host_sanitizers}, JsonMember{"machine", &T::machine},
      JsonMember{"type", &T::type}, JsonMember{"build_id", &T::build_id},
      JsonMember{"run_path", &T::run_path}, JsonMember{"exports_entry", &T::exports_entry},
      JsonMember{"export_count", &T::export_count}, JsonMember{"undefined_count", &T::undefined_count},
      JsonMember{"initialiser_count", &T::initialiser_count}, JsonMember{"tls_bytes", &T::tls_bytes},
      JsonMember{"executable_stack", &T::executable_stack}, JsonMember{"relro", &T::relro},
      JsonMember{"bind_now", &T::bind_now}, JsonMember{"text_relocations", &T::text_relocations},
      JsonMember{"static_tls", &T::static_tls}, JsonMember{"policy_findings", &T::policy_findings});
}

constexpr auto json_members(std::type_identity<LibraryFacts>) {
  using T = LibraryFacts;
  return std::tuple(JsonMember{"name", &T::name}, JsonMember{"needed_by", &T::needed_by},
                    JsonMember{"path", &T::path}, JsonMember{"versions", &T::versions},
                    JsonMember{"searched", &T::searched});
}

constexpr auto json_members(std::type_identity<RuntimeFacts>) {
  using T = RuntimeFacts;
  return std::tuple(JsonMember{"kind", &T::kind}, JsonMember{"path", &T::path});
}

constexpr auto json_members(std::type_identity<DeviceFacts>) {
  using T = DeviceFacts;
  return std::tuple(JsonMember{"name", &T::name}, JsonMember{"default_domain", &T::default_domain});
}

constexpr auto json_members(std::type_identity<RunDomain>) {
  using T = RunDomain;
  return std::tuple(JsonMember{"name", &T::name}, JsonMember{"memory", &T::memory},
                    JsonMember{"access", &T::access}, JsonMember{"device_index", &T::device_index},
                    JsonMember{"alignment_bytes_min", &T::alignment_bytes_min},
                    JsonMember{"storage_bytes_max", &T::storage_bytes_max},
                    JsonMember{"total_bytes", &T::total_bytes}, JsonMember{"quota_bytes", &T::quota_bytes},
                    JsonMember{"live_bytes", &T::live_bytes},
                    JsonMember{"reserved_bytes", &T::reserved_bytes}, JsonMember{"copies_to", &T::copies_to});
}

constexpr auto json_members(std::type_identity<RunFacts>) {
  using T = RunFacts;
  return std::tuple(JsonMember{"name", &T::name}, JsonMember{"vendor", &T::vendor},
                    JsonMember{"is_available", &T::is_available}, JsonMember{"reason", &T::reason},
                    JsonMember{"devices", &T::devices}, JsonMember{"domains", &T::domains},
                    JsonMember{"host_copies_to", &T::host_copies_to},
                    JsonMember{"extensions", &T::extensions}, JsonMember{"trouble", &T::trouble});
}

constexpr auto json_members(std::type_identity<LoadTrail>) {
  using T = LoadTrail;
  return std::tuple(JsonMember{"is_loaded", &T::is_loaded}, JsonMember{"summary", &T::summary},
                    JsonMember{"problem", &T::problem}, JsonMember{"stage", &T::stage},
                    JsonMember{"searched", &T::searched}, JsonMember{"steps", &T::steps},
                    JsonMember{"trouble", &T::trouble});
}

constexpr auto json_members(std::type_identity<Inspection>) {
  using T = Inspection;
  return std::tuple(JsonMember{"file", &T::file}, JsonMember{"libraries", &T::libraries},
                    JsonMember{"runtimes", &T::runtimes}, JsonMember{"run", &T::run},
                    JsonMember{"load", &T::load});
}

}  // namespace tenure::probe
