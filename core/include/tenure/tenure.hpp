// SPDX-License-Identifier: Apache-2.0
// tenure: everything, for programs that use the runtime. Headers of the project include what they need.
#pragma once

#include "tenure/base/access_error.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/base/log.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/base/provider_error.hpp"
#include "tenure/base/transfer_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/execution/engine.hpp"
#include "tenure/loader/instance.hpp"
#include "tenure/loader/load_error.hpp"
#include "tenure/loader/provider.hpp"
#include "tenure/loader/registry.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/tensor.hpp"
#include "tenure/tensor/transfer.hpp"
#include "tenure/tensor/typed_tensor.hpp"
#include "tenure/tensor/uninitialized_tensor.hpp"
