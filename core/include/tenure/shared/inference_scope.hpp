// SPDX-License-Identifier: Apache-2.0
// inference_scope: a span of time in which a thread makes shared tensors whose changes nobody counts.
#pragma once

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// A storage that the calling thread shares in a scope has no version for ever, and so has every alias of it,
// made anywhere. An alias of a storage that was shared outside counts as before. Scopes nest, the innermost
// holds; one is destroyed on the thread that made it, in reverse order.
class TENURE_API InferenceScope {
 public:
  // With false, an interruption of the scope around it.
  explicit InferenceScope(bool is_inference = true) noexcept;
  InferenceScope(const InferenceScope&) = delete;
  InferenceScope& operator=(const InferenceScope&) = delete;
  ~InferenceScope();

  // Of the calling thread, now.
  static bool is_active() noexcept;

 private:
  bool outside_;
};

}  // namespace tenure::inline TENURE_BUILD
