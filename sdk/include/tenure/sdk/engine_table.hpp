// SPDX-License-Identifier: Apache-2.0
// engine_table: "tenure.ext.engine/1" over a provider class that makes engines.
//
// The class has
//   create_engine(const tenure_engine_options&)                     its std::unique_ptr<Engine>; an engine
//                                                                   that threads_of names is one of these
// and its Engine, a class of the author's, has
//   supports(std::uint32_t code, std::uint32_t function, std::span<const tenure_dtype>) const noexcept
//   execute(const Operation&, tenure_stream*)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "tenure/abi/struct_copy.hpp"
#include "tenure/provider_engine.h"
#include "tenure/sdk/argument.hpp"
#include "tenure/sdk/boundary.hpp"
#include "tenure/sdk/instance.hpp"

#pragma GCC visibility push(hidden)
namespace tenure::sdk {

// One operation as the caller described it; borrows the description and what that points to.
class Operation {
 public:
  // INVALID_ARGUMENT for a description without a head, or operands without an address or a sound stride.
  explicit Operation(const tenure_op* op) : op_(read_argument(op, room_, "execute: op")) {
    if (op_.operand_count != 0 &&
        (op_.operands == nullptr || op_.operand_stride_bytes < sizeof(tenure_head))) {
      throw Error(TENURE_INVALID_ARGUMENT, "execute: the operands are null or overlap one another");
    }
  }

  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  std::uint32_t code() const noexcept { return op_.code; }  // TENURE_OP_*
  std::uint32_t operand_count() const noexcept { return op_.operand_count; }
  std::uint32_t batch_policy() const noexcept { return op_.batch_policy; }  // TENURE_BATCH_*

  // The operand of a number below operand_count: the inputs in order, then the outputs. The caller's struct
  // itself, or `room`, filled in, where that is shorter than ours.
  const tenure_operand& operand(std::uint32_t number, tenure_operand& room) const noexcept {
    const auto* first = reinterpret_cast<const std::byte*>(op_.operands);
    return abi::read_struct(
        *reinterpret_cast<const tenure_operand*>(first + number * op_.operand_stride_bytes), room);
  }

  // The same by value.
  tenure_operand operand(std::uint32_t number) const noexcept {
    tenure_operand room;
    return operand(number, room);
  }

  // The family's attributes as T: the caller's struct itself, or `room`, filled in, where that is shorter
  // than ours; null when they are of another kind.
  template <class T>
  const T* find_attributes(T& room) const noexcept {
    const auto* const found = static_cast<const T*>(op_.attributes);
    return is_struct(found) ? &abi::read_struct(*found, room) : nullptr;
  }
  // The same by value; INVALID_ARGUMENT when they are of another kind.
  template <class T>
  T attributes() const {
    return read_argument(static_cast<const T*>(op_.attributes), "execute: the attributes");
  }

 private:
  tenure_op room_;
  const tenure_op& op_;
};

// `table` is what get_extension answers for TENURE_EXT_ENGINE.
template <class P>
struct EngineTable {
  using Engine = typename decltype(std::declval<P&>().create_engine(
      std::declval<const tenure_engine_options&>()))::element_type;

  static Engine& engine_of(tenure_engine* engine) noexcept { return *reinterpret_cast<Engine*>(engine); }

  static std::int32_t engine_create(tenure_instance* instance, const tenure_engine_options* options,
                                    tenure_engine** out, tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_pointer(out, "engine_create: out");
      Instance<P>& self = Instance<P>::require(instance);
      auto engine = self.provider().create_engine(read_argument(options, "engine_create: options"));
      *out = reinterpret_cast<tenure_engine*>(engine.release());
    });
  }

  static void engine_release(tenure_engine* engine) noexcept { delete reinterpret_cast<Engine*>(engine); }

  static std::int32_t supports(tenure_engine* engine, std::uint32_t code, std::uint32_t function,
                               const tenure_dtype* dtypes, std::uint64_t dtype_count) noexcept {
    const Engine& self = engine_of(engine);
    return self.supports(code, function, std::span<const tenure_dtype>(dtypes, dtype_count)) ? 1 : 0;
  }

  static std::int32_t execute(tenure_engine* engine, const tenure_op* op, tenure_stream* stream,
                              tenure_status* status) noexcept {
    return boundary(status, [&] {
      require_pointer(engine, "the engine");
      engine_of(engine).execute(Operation(op), stream);
    });
  }

  static constexpr tenure_engine_api table{abi::head_of<tenure_engine_api>(), &engine_create, &engine_release,
                                           &supports, &execute};
};

}  // namespace tenure::sdk
#pragma GCC visibility pop
