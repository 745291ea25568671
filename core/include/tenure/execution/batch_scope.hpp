// SPDX-License-Identifier: Apache-2.0
// batch_scope: how the items of a batch share the threads of an engine.
#pragma once

#include <cstdint>

#include "tenure/config.h"

struct tenure_engine;

namespace tenure::inline TENURE_BUILD {

class Engine;

// Items are the products of a `matmul` or `contract`, one for each index of its batch axes, and the matrices
// of linear algebra. The other operations have none. No policy changes a result.
enum class BatchPolicy : std::uint8_t {
  automatic,   // as the engine thinks best
  sequential,  // one item after the other, on the calling thread
  outer,       // several items at once, each on one thread
  inner,       // one item after the other, each on several threads
};

// The policy of the operations that the calling thread runs on one engine while the scope lives. Where
// `outer` or `inner` cannot be done (a serial engine, one item, items too small to be divided) an operation
// throws ExecutionError (unsupported), whose cause says why, and has written nothing. Scopes nest, of those
// of one engine the innermost holds; one is destroyed on the thread that made it, in reverse order. The
// engine may be moved meanwhile.
class TENURE_API BatchScope {
 public:
  // Throws InvalidArgument for a policy that has no name, EmptyOwner for a moved-from engine.
  BatchScope(const Engine& engine, BatchPolicy policy);
  BatchScope(const BatchScope&) = delete;
  BatchScope& operator=(const BatchScope&) = delete;
  ~BatchScope();

 private:
  friend class Engine;
  // Of the calling thread's next operation on this engine.
  static BatchPolicy policy_on(const tenure_engine* engine) noexcept;

  const tenure_engine* engine_;
  BatchPolicy policy_;
  const BatchScope* older_;
};

}  // namespace tenure::inline TENURE_BUILD
