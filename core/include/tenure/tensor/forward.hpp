// SPDX-License-Identifier: Apache-2.0
// forward: the names of the owners and views.
#pragma once

#include "tenure/config.h"

namespace tenure::inline TENURE_BUILD {

// The rank of a type that learns its rank at run time.
inline constexpr int dynamic_rank = -1;

class Tensor;
template <class T, int Rank = dynamic_rank>
class TypedTensor;
template <class T, int Rank = dynamic_rank>
class HostTensor;

class TensorView;
class TensorViewMut;
template <class T, int Rank = dynamic_rank>
class TypedTensorView;
template <class T, int Rank = dynamic_rank>
class TypedTensorViewMut;

class UninitializedTensor;

}  // namespace tenure::inline TENURE_BUILD
