// SPDX-License-Identifier: Apache-2.0
// element_copy: the named copies, on states. Owners, views and transfers give them their types.
#pragma once

#include "tenure/memory/allocation_domain.hpp"
#include "tenure/tensor/owner_state.hpp"
#include "tenure/tensor/view_state.hpp"

namespace tenure::inline TENURE_BUILD {

// Every function reads all elements of `source` and writes as many elsewhere, once, and notes the bytes in
// the ledger. Host memory is copied by the core, on the calling thread; memory of a provider by that
// provider, in one call that is complete on return. Nothing passes through a third place: a pair of domains
// that the provider does not copy between, or a layout that it cannot walk, is a TransferError that names the
// steps which would do. All throw OutOfMemory, ProviderError, AccessError (mapped).

// A new owner in the same domain, compact. `duplicate` demands that the source is compact already
// (NotCompact).
TENURE_API OwnerState duplicate_elements(const char* operation, const ViewState& source);
TENURE_API OwnerState compact_elements(const char* operation, const ViewState& source);
// A new owner in the same domain with the elements as `target` lays them out, from its first byte: dense, of
// the extents of the source. The owner itself knows nothing of that layout.
TENURE_API OwnerState arranged_elements(const char* operation, const ViewState& source, const Layout& target);
// A new owner in the domain, in the core's host memory.
TENURE_API OwnerState upload_elements(const ViewState& source, const AllocationDomain& domain);
TENURE_API OwnerState download_elements(const ViewState& source);
// A new owner on the host from elements that lie in row-major order.
TENURE_API OwnerState import_row_major(const char* operation, OwnerShape&& shape, const void* values);
// Into host memory that `target` describes; element 0 lies at `address`.
TENURE_API void export_elements(const char* operation, const ViewState& source, void* address,
                                const Layout& target);
// Between equal extents and dtypes (ShapeMismatch, DTypeMismatch). Throws DisjointError when the two share a
// byte or it cannot be excluded; nothing was written then.
TENURE_API void copy_elements_into(const ViewState& source, const ViewState& target);

}  // namespace tenure::inline TENURE_BUILD
