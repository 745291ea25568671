// SPDX-License-Identifier: Apache-2.0
// eigen_linalg: Eigen's decompositions.
#pragma once

#include "../peer.hpp"

namespace tenure::bench {

Work eigen_linalg(const LinalgJob& job);

}  // namespace tenure::bench
