// SPDX-License-Identifier: Apache-2.0
// struct_head: the kind number that belongs to each struct of the contract, and structs that start with it.
#pragma once

#include <cstdint>

#include "tenure/provider_abi.h"
#include "tenure/provider_engine.h"
#include "tenure/provider_fault.h"
#include "tenure/provider_pool.h"

namespace tenure::abi {

// TENURE_KIND_* of a struct that starts with a tenure_head; 0 for anything else.
template <class T>
inline constexpr std::uint16_t kind_of = 0;

template <>
inline constexpr std::uint16_t kind_of<tenure_status> = TENURE_KIND_STATUS;
template <>
inline constexpr std::uint16_t kind_of<tenure_host> = TENURE_KIND_HOST;
template <>
inline constexpr std::uint16_t kind_of<tenure_provider> = TENURE_KIND_PROVIDER;
template <>
inline constexpr std::uint16_t kind_of<tenure_instance_api> = TENURE_KIND_INSTANCE_API;
template <>
inline constexpr std::uint16_t kind_of<tenure_availability> = TENURE_KIND_AVAILABILITY;
template <>
inline constexpr std::uint16_t kind_of<tenure_open_args> = TENURE_KIND_OPEN_ARGS;
template <>
inline constexpr std::uint16_t kind_of<tenure_device_info> = TENURE_KIND_DEVICE_INFO;
template <>
inline constexpr std::uint16_t kind_of<tenure_domain_info> = TENURE_KIND_DOMAIN_INFO;
template <>
inline constexpr std::uint16_t kind_of<tenure_domain_statistics> = TENURE_KIND_DOMAIN_STATISTICS;
template <>
inline constexpr std::uint16_t kind_of<tenure_storage_desc> = TENURE_KIND_STORAGE_DESC;
template <>
inline constexpr std::uint16_t kind_of<tenure_storage_info> = TENURE_KIND_STORAGE_INFO;
template <>
inline constexpr std::uint16_t kind_of<tenure_mapping> = TENURE_KIND_MAPPING;
template <>
inline constexpr std::uint16_t kind_of<tenure_import_desc> = TENURE_KIND_IMPORT_DESC;
template <>
inline constexpr std::uint16_t kind_of<tenure_copy_desc> = TENURE_KIND_COPY_DESC;
template <>
inline constexpr std::uint16_t kind_of<tenure_fill_desc> = TENURE_KIND_FILL_DESC;
template <>
inline constexpr std::uint16_t kind_of<tenure_pool_api> = TENURE_KIND_POOL_API;
template <>
inline constexpr std::uint16_t kind_of<tenure_pool_options> = TENURE_KIND_POOL_OPTIONS;
template <>
inline constexpr std::uint16_t kind_of<tenure_pool_statistics> = TENURE_KIND_POOL_STATISTICS;
template <>
inline constexpr std::uint16_t kind_of<tenure_pool_snapshot> = TENURE_KIND_POOL_SNAPSHOT;
template <>
inline constexpr std::uint16_t kind_of<tenure_engine_api> = TENURE_KIND_ENGINE_API;
template <>
inline constexpr std::uint16_t kind_of<tenure_engine_options> = TENURE_KIND_ENGINE_OPTIONS;
template <>
inline constexpr std::uint16_t kind_of<tenure_op> = TENURE_KIND_OP;
template <>
inline constexpr std::uint16_t kind_of<tenure_operand> = TENURE_KIND_OPERAND;
template <>
inline constexpr std::uint16_t kind_of<tenure_fill_attributes> = TENURE_KIND_FILL_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_program_attributes> = TENURE_KIND_PROGRAM_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_reduce_attributes> = TENURE_KIND_REDUCE_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_contract_attributes> = TENURE_KIND_CONTRACT_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_triangle_attributes> = TENURE_KIND_TRIANGLE_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_axis_attributes> = TENURE_KIND_AXIS_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_linalg_attributes> = TENURE_KIND_LINALG_ATTRIBUTES;
template <>
inline constexpr std::uint16_t kind_of<tenure_fault_api> = TENURE_KIND_FAULT_API;
template <>
inline constexpr std::uint16_t kind_of<tenure_fault_script> = TENURE_KIND_FAULT_SCRIPT;

// The head of a T.
template <class T>
constexpr tenure_head head_of() noexcept {
  static_assert(kind_of<T> != 0, "this struct has no head");
  return TENURE_HEAD(T, kind_of<T>);
}

// A T that is zero but for its head: the start of every struct that is handed across.
template <class T>
constexpr T make_struct() noexcept {
  T value{};
  value.head = head_of<T>();
  return value;
}

}  // namespace tenure::abi
