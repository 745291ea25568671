// SPDX-License-Identifier: Apache-2.0
// argument: taking structs from a caller that may know a shorter or a longer one.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

#include "tenure/abi/checked_math.hpp"
#include "tenure/abi/struct_copy.hpp"
#include "tenure/abi/struct_head.hpp"
#include "tenure/sdk/error.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

[[noreturn, gnu::cold]] inline void refuse_null(const char* name, std::source_location where) {
  throw Error(TENURE_INVALID_ARGUMENT, std::string(name) + " is null", where);
}

[[noreturn, gnu::cold]] inline void refuse_head(const tenure_head& found, std::uint16_t kind,
                                                const char* name, std::source_location where) {
  throw Error(TENURE_INVALID_ARGUMENT,
              std::string(name) + " has kind " + std::to_string(found.kind) + " and " +
                  std::to_string(found.bytes) + " bytes; expected kind " + std::to_string(kind) +
                  " and at least a head",
              where);
}

[[noreturn, gnu::cold]] inline void refuse_alignment(std::uint64_t alignment_bytes,
                                                     std::source_location where) {
  throw Error(TENURE_INVALID_ARGUMENT,
              "alignment_bytes is " + std::to_string(alignment_bytes) + "; expected a power of two", where);
}

// Whether `pointer` leads to a struct of T's kind.
template <class T>
bool is_struct(const T* pointer) noexcept {
  return pointer != nullptr && pointer->head.kind == abi::kind_of<T> &&
         pointer->head.bytes >= sizeof(tenure_head);
}

// Throws INVALID_ARGUMENT unless `pointer` leads to a struct of T's kind.
template <class T>
void require_struct(const T* pointer, const char* name,
                    std::source_location where = std::source_location::current()) {
  if (pointer == nullptr) refuse_null(name, where);
  if (pointer->head.kind != abi::kind_of<T> || pointer->head.bytes < sizeof(tenure_head)) {
    refuse_head(pointer->head, abi::kind_of<T>, name, where);
  }
}

// What the caller's struct says, zero where it is shorter than ours; INVALID_ARGUMENT for a null pointer
// or another kind of struct.
template <class T>
T read_argument(const T* in, const char* name, std::source_location where = std::source_location::current()) {
  require_struct(in, name, where);
  return abi::read_struct(in);
}

// The same without a copy: the caller's struct itself, or `room`, filled in, where that is shorter than ours.
template <class T>
const T& read_argument(const T* in, T& room, const char* name,
                       std::source_location where = std::source_location::current()) {
  require_struct(in, name, where);
  return abi::read_struct(*in, room);
}

// Throws INVALID_ARGUMENT when an opaque handle or a plain output pointer is null.
inline void require_pointer(const void* pointer, const char* name,
                            std::source_location where = std::source_location::current()) {
  if (pointer == nullptr) refuse_null(name, where);
}

// Throws INVALID_ARGUMENT for an alignment that is neither a power of two nor 0, which leaves the choice
// to the provider.
inline void require_alignment(std::uint64_t alignment_bytes,
                              std::source_location where = std::source_location::current()) {
  if (alignment_bytes != 0 && !abi::is_power_of_two(alignment_bytes)) {
    refuse_alignment(alignment_bytes, where);
  }
}

}  // namespace tenure::sdk
#pragma GCC visibility pop
