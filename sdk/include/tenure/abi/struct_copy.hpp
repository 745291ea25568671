// SPDX-License-Identifier: Apache-2.0
// struct_copy: reading and writing headed structs whose other side knows a longer or shorter one.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tenure/provider_abi.h"

namespace tenure::abi {

// What `in` says, as far as its writer knew; members beyond head.bytes are zero. Null reads as zero.
template <class T>
T read_struct(const T* in) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  if (in != nullptr && in->head.bytes >= sizeof(T)) return *in;
  T value{};
  if (in != nullptr) std::memcpy(static_cast<void*>(&value), in, in->head.bytes);
  return value;
}

// Puts there what `in` says.
template <class T>
[[gnu::cold, gnu::noinline]] const T& fill_struct(const T& in, T& room) noexcept {
  room = read_struct(&in);
  return room;
}

// The same without a copy where the writer knew all of T: `in` itself then, otherwise `room`, filled in.
template <class T>
const T& read_struct(const T& in, T& room) noexcept {
  return in.head.bytes >= sizeof(T) ? in : fill_struct(in, room);
}

// Writes `value` into the caller's `out` without passing its head.bytes or changing its head.
template <class T>
void write_struct(T* out, T value) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  value.head = out->head;
  // A copy of known size is a few moves; this is on the path of every pooled output.
  if (value.head.bytes >= sizeof(T)) {
    *out = value;
  } else {
    std::memcpy(static_cast<void*>(out), &value, value.head.bytes);
  }
}

}  // namespace tenure::abi
