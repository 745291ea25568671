// SPDX-License-Identifier: Apache-2.0
// instance_table: the instance functions of the contract over a provider class.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tenure/abi/struct_copy.hpp"
#include "tenure/provider_abi.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/engine_table.hpp"
#include "tenure/sdk/fault_table.hpp"
#include "tenure/sdk/instance.hpp"
#include "tenure/sdk/pool_table.hpp"
#include "tenure/sdk/text.hpp"
#include "tenure/sdk/transfer.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// `table` has every slot; each does what provider_abi.h says, and what P throws becomes its status.
template <class P>
struct InstanceTable {
  using Self = Instance<P>;

  static std::uint64_t device_count(tenure_instance* instance) noexcept {
    return Self::of(instance).devices().size();
  }

  static std::int32_t device_info(tenure_instance* instance, std::uint64_t index, tenure_device_info* out,
                                  tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "device_info: out");
      const auto& devices = Self::require(instance).devices();
      if (index >= devices.size()) {
        throw Error(TENURE_OUT_OF_RANGE, "there is no device " + std::to_string(index) +
                                             "; this instance has " + std::to_string(devices.size()));
      }
      const Device& device = devices[index];
      auto info = abi::make_struct<tenure_device_info>();
      info.name = to_c(device.name);
      info.dlpack_type = device.dlpack_type;
      info.dlpack_id = device.dlpack_id;
      info.default_domain = device.default_domain;
      abi::write_struct(out, info);
    });
  }

  static std::uint64_t domain_count(tenure_instance* instance) noexcept {
    return Self::of(instance).domains().size();
  }

  static std::int32_t domain_info(tenure_instance* instance, std::uint64_t index, tenure_domain_info* out,
                                  tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "domain_info: out");
      const Domain& domain = Self::require(instance).domain(index);
      auto info = abi::make_struct<tenure_domain_info>();
      info.name = to_c(domain.name);
      info.memory = domain.memory;
      info.access = domain.access;
      info.device_index = domain.device_index;
      info.numa_node = domain.numa_node;
      info.dlpack_type = domain.dlpack_type;
      info.dlpack_id = domain.dlpack_id;
      info.alignment_bytes_min = domain.alignment_bytes_min;
      info.granularity_bytes = domain.granularity_bytes;
      info.storage_bytes_max = domain.storage_bytes_max;
      info.total_bytes = domain.total_bytes;
      info.quota_bytes = domain.quota_bytes;
      abi::write_struct(out, info);
    });
  }

  static std::int32_t domain_statistics(tenure_instance* instance, std::uint64_t index,
                                        tenure_domain_statistics* out, tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "domain_statistics: out");
      abi::write_struct(out, Self::require(instance).statistics(index));
    });
  }

  static std::int32_t can_copy(tenure_instance* instance, std::uint64_t source,
                               std::uint64_t target) noexcept {
    return sdk::can_copy(Self::of(instance), source, target) ? 1 : 0;
  }

  static std::int32_t storage_create(tenure_instance* instance, std::uint64_t domain,
                                     const tenure_storage_desc* desc, tenure_storage_info* out,
                                     tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "storage_create: out");
      Self& self = Self::require(instance);
      const auto request = read_argument(desc, "storage_create: desc");
      const std::uint32_t effect = self.counting_failure(
          domain, [&] { return obey_fault(self.provider(), TENURE_FAULT_STORAGE_CREATE); });
      tenure_storage* const storage = self.create(domain, request);
      StorageFacts facts = self.facts(storage);
      distort(facts, effect);
      write_info(out, storage, facts);
    });
  }

  static void storage_release(tenure_instance* instance, tenure_storage* storage,
                              tenure_stream* stream) noexcept {
    Self::of(instance).release(storage, stream);
  }

  static std::int32_t storage_info(tenure_instance* instance, tenure_storage* storage,
                                   tenure_storage_info* out, tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "storage_info: out");
      write_info(out, storage, Self::require(instance).facts(storage));
    });
  }

  static std::int32_t storage_map(tenure_instance* instance, tenure_storage* storage, std::uint32_t access,
                                  tenure_mapping* out, tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "storage_map: out");
      Self& self = Self::require(instance);
      const std::uint32_t effect = obey_fault(self.provider(), TENURE_FAULT_STORAGE_MAP);
      auto mapping = abi::make_struct<tenure_mapping>();
      mapping.address = self.map(storage, access);
      mapping.bytes = self.facts(storage).bytes;
      distort(mapping, effect);
      abi::write_struct(out, mapping);
    });
  }

  static void storage_unmap(tenure_instance* instance, tenure_storage* storage,
                            std::uint32_t access) noexcept {
    Self::of(instance).unmap(storage, access);
  }

  static std::int32_t storage_import(tenure_instance* instance, std::uint64_t domain,
                                     const tenure_import_desc* desc, tenure_storage_info* out,
                                     tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_struct(out, "storage_import: out");
      Self& self = Self::require(instance);
      const auto memory = read_argument(desc, "storage_import: desc");
      self.counting_failure(domain, [&] { return obey_fault(self.provider(), TENURE_FAULT_STORAGE_IMPORT); });
      tenure_storage* const storage = self.import_memory(domain, memory);
      write_info(out, storage, self.facts(storage));
    });
  }

  static std::int32_t copy(tenure_instance* instance, const tenure_copy_desc* desc, tenure_stream* stream,
                           tenure_status* status) noexcept {
    return boundary(status, [&] {
      Self& self = Self::require(instance);
      const auto request = read_argument(desc, "copy: desc");
      obey_fault(self.provider(), TENURE_FAULT_COPY);
      sdk::copy(self, request, stream);
    });
  }

  static std::int32_t fill(tenure_instance* instance, const tenure_fill_desc* desc, tenure_stream* stream,
                           tenure_status* status) noexcept {
    return boundary(status, [&] {
      Self& self = Self::require(instance);
      const auto request = read_argument(desc, "fill: desc");
      obey_fault(self.provider(), TENURE_FAULT_FILL);
      sdk::fill(self, request, stream);
    });
  }

  static std::uint64_t trim(tenure_instance* instance, std::uint64_t domain,
                            std::uint64_t retained_bytes) noexcept {
    Self& self = Self::of(instance);
    if constexpr (TrimsMemory<P>) {
      return domain < self.domains().size() ? self.provider().trim(domain, retained_bytes) : 0;
    } else {
      return 0;
    }
  }

  static const void* get_extension(tenure_instance* instance, const char* id) noexcept {
    if (id == nullptr) return nullptr;
    const std::string_view wanted = id;
    P& provider = Self::of(instance).provider();
    // The author's own table comes first, so that it can stand in for one of the glue's.
    if constexpr (OffersExtensions<P>) {
      if (const void* own = provider.extension(wanted); own != nullptr) return own;
    }
    if constexpr (MakesPools<P>) {
      if (wanted == TENURE_EXT_POOL) return &PoolTable<P>::table;
    }
    if constexpr (MakesEngines<P>) {
      if (wanted == TENURE_EXT_ENGINE) return &EngineTable<P>::table;
    }
    if constexpr (HasFaults<P>) {
      if (wanted == TENURE_EXT_FAULT) return &FaultTable<P>::table;
    }
    return nullptr;
  }

  static constexpr tenure_instance_api table{abi::head_of<tenure_instance_api>(),
                                             &device_count,
                                             &device_info,
                                             &domain_count,
                                             &domain_info,
                                             &domain_statistics,
                                             &can_copy,
                                             &storage_create,
                                             &storage_release,
                                             &storage_info,
                                             &storage_map,
                                             &storage_unmap,
                                             &storage_import,
                                             &copy,
                                             &fill,
                                             &trim,
                                             &get_extension};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
