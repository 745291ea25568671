// SPDX-License-Identifier: Apache-2.0
#include "tenure/tensor/element_copy.hpp"

#include <algorithm>
#include <vector>

#include "tensor/copy_route.hpp"
#include "tensor/disjoint.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/tensor/forward.hpp"

namespace tenure::inline TENURE_BUILD {
namespace {

CopyEnd end_of(const ViewState& state) noexcept { return {state.address(), state.record(), state.layout()}; }

// Copies all elements of `source` into a fresh owner of the same extents.
OwnerState filled_from(const char* operation, const ViewState& source, OwnerState&& target) {
  const ViewState all = target.view();
  copy_elements(operation, source.dtype().bytes(), end_of(source), end_of(all));
  return std::move(target);
}

// Of a copy of `source`, once it is known that the copy can be made: memory that is short must not hide that.
OwnerShape shape_of_copy(const char* operation, const ViewState& source, const DomainRecord* target) {
  OwnerShape shape(operation, source.live(operation).dtype(), source.layout().extents());
  if (shape.bytes != 0) require_copy_route(operation, source.record(), target);
  return shape;
}

std::vector<std::int64_t> extents_of(const ViewState& state) {
  const auto extents = state.layout().extents();
  return {extents.begin(), extents.end()};
}

}  // namespace

OwnerState duplicate_elements(const char* operation, const ViewState& source) {
  source.require_compact(operation);
  return compact_elements(operation, source);
}

OwnerState compact_elements(const char* operation, const ViewState& source) {
  return arranged_elements(operation, source,
                           Layout::column_major(source.live(operation).layout().extents()));
}

OwnerState arranged_elements(const char* operation, const ViewState& source, const Layout& target) {
  const auto domain = domain_of(source.record());
  OwnerShape shape = shape_of_copy(operation, source, domain ? domain->record() : nullptr);
  OwnerState owner = domain ? OwnerState::in(operation, *domain, std::move(shape))
                            : OwnerState::on_host(operation, std::move(shape));
  const Storage& storage = owner.storage();
  copy_elements(operation, source.dtype().bytes(), end_of(source),
                {storage.address(), storage.record(), target});
  return owner;
}

OwnerState upload_elements(const ViewState& source, const AllocationDomain& domain) {
  constexpr const char* operation = "upload";
  OwnerShape shape = shape_of_copy(operation, source, domain.record());
  return filled_from(operation, source, OwnerState::in(operation, domain, std::move(shape)));
}

OwnerState download_elements(const ViewState& source) {
  constexpr const char* operation = "download";
  OwnerShape shape = shape_of_copy(operation, source, nullptr);
  return filled_from(operation, source, OwnerState::on_host(operation, std::move(shape)));
}

OwnerState import_row_major(const char* operation, OwnerShape&& shape, const void* values) {
  const std::span<const std::int64_t> extents(shape.axes.extents(),
                                              static_cast<std::size_t>(shape.axes.rank()));
  // Only read, as the source of a copy.
  auto* const address = static_cast<std::byte*>(const_cast<void*>(values));
  const ViewState source(address, nullptr, Layout::row_major(extents), shape.dtype);
  return filled_from(operation, source, OwnerState::on_host(operation, std::move(shape)));
}

void export_elements(const char* operation, const ViewState& source, void* address, const Layout& target) {
  copy_elements(operation, source.live(operation).dtype().bytes(), end_of(source),
                {static_cast<std::byte*>(address), nullptr, target});
}

void copy_elements_into(const ViewState& source, const ViewState& target) {
  constexpr const char* operation = "copy_into";
  target.require_type(operation, source.live(operation).dtype(), dynamic_rank);
  if (!std::ranges::equal(source.layout().extents(), target.layout().extents())) {
    throw ValidationError(operation,
                          ShapeMismatch{extents_of(source), extents_of(target), ShapeRule::destination});
  }
  require_disjoint(operation, source, target,
                   {{DisjointError::Role::input, 0}, {DisjointError::Role::output, 0}});
  copy_elements(operation, source.dtype().bytes(), end_of(source), end_of(target));
}

}  // namespace tenure::inline TENURE_BUILD
