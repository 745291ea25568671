// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::counting_in;
using tenure_test::FakeProvider;

TEST_CASE("try_multi_slice_mut: columns of a column-major matrix are split and written") {
  auto matrix = HostTensor<double, 2>::zeros({2, 2});
  const auto whole = matrix.as_view_mut();
  {
    const auto columns = whole.try_multi_slice_mut({{{}, {0, 1}}, {{}, {1, 2}}});
    columns[0](1, 0) = 1.0;
    columns[1](0, 0) = 2.0;
  }
  CHECK(whole.host_data()[1] == 1.0);
  CHECK(whole.host_data()[2] == 2.0);
}

TEST_CASE("try_multi_slice_mut: so are its rows, whose elements alternate in memory") {
  auto matrix = HostTensor<double, 2>::zeros({2, 2});
  const LedgerScope scope;
  {
    const auto whole = matrix.as_view_mut();
    const auto rows = whole.try_multi_slice_mut({{{0, 1}, {}}, {{1, 2}, {}}});
    REQUIRE(rows.size() == 2);
    rows[0](0, 1) = 3.0;
    rows[1](0, 0) = 4.0;
  }
  CHECK(matrix(0, 1) == 3.0);
  CHECK(matrix(1, 0) == 4.0);
  CHECK(scope.bytes_copied() == 0);
}

TEST_CASE("try_multi_slice_mut: as many parts as one likes, of any view, typed or not") {
  auto tensor = Tensor::from_vec_col_major({12}, std::vector<int>(12, 0));
  const auto whole = tensor.as_view_mut();
  {
    const auto backwards = whole.flip(0);
    const auto parts =
        backwards.try_multi_slice_mut({{{0, {}, 4}}, {{1, {}, 4}}, {{2, {}, 4}}, {{3, {}, 4}}, {{5, 5}}});
    REQUIRE(parts.size() == 5);
    for (std::size_t part = 0; part < 4; ++part) {
      CHECK(parts[part].element_count() == 3);
      const auto typed = parts[part].as_typed<int, 1>();
      for (int i = 0; i < 3; ++i) typed(i) = static_cast<int>(part);
    }
    CHECK(parts[4].element_count() == 0);
  }
  CHECK(whole.as_typed<int>().host_data()[0] == 3);
  CHECK(whole.as_typed<int>().host_data()[11] == 0);
  CHECK(whole.try_multi_slice_mut(std::span<const std::span<const Slice>>{}).empty());
}

TEST_CASE("try_multi_slice_mut: parts that share an element are refused with the pair and a witness") {
  auto matrix = HostTensor<double, 2>::zeros({4, 4});
  const auto whole = matrix.as_view_mut();
  const auto error = caught<DisjointError>([&] {
    return whole.try_multi_slice_mut({{{0, 1}, {}}, {{2, 4}, {}}, {{1, 4, 2}, {}}});
  });
  CHECK(error.operation() == "try_multi_slice_mut");
  CHECK(error.kind() == DisjointError::Kind::overlap);
  CHECK(error.operands().first == DisjointError::Operand{DisjointError::Role::part, 1});
  CHECK(error.operands().second.number == 2);
  REQUIRE(error.witness() != nullptr);
  CHECK(error.witness()->first[0] == 1);   // row 3 of rows 2, 3
  CHECK(error.witness()->second[0] == 1);  // and of rows 1, 3
  CHECK(error.witness()->first[1] == error.witness()->second[1]);
}

TEST_CASE("try_multi_slice_mut: what is wrong with a slice is said as for slice()") {
  auto matrix = HostTensor<double, 2>::zeros({4, 4});
  auto whole = matrix.as_view_mut();
  CHECK(caught<ValidationError>([&] {
          return whole.try_multi_slice_mut({{{0, 1, 0}, {}}});
        }).get_if<InvalidSliceStep>() != nullptr);
  CHECK(caught<ValidationError>([&] {
          return whole.try_multi_slice_mut({{{0, 1}}});
        }).get_if<RankMismatch>() != nullptr);
  const auto moved = std::move(whole);
  CHECK_THROWS_AS(whole.try_multi_slice_mut({{{}, {}}}), EmptyOwner);
}

TEST_CASE("try_multi_slice_mut: device memory is split as exactly, without a map") {
  FakeProvider provider;
  auto tensor = counting_in<2>(provider, FakeProvider::device, {2, 3});
  const auto whole = tensor.as_view_mut();
  {
    const auto rows = whole.try_multi_slice_mut({{{0, 1}, {}}, {{1, 2}, {}}});
    CHECK(rows[0].allocation_id() == rows[1].allocation_id());
    CHECK(rows[1].offset() == 1);
  }
  CHECK_THROWS_AS(whole.try_multi_slice_mut({{{0, 1}, {}}, {{}, {2, 3}}}), DisjointError);
  CHECK(provider.calls.map == 0);
}

TEST_CASE("try_multi_slice_mut: random pairs of parts agree with the sets of their elements") {
  constexpr std::uint64_t seed = 20261202;
  MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto slice = [&] {
    const std::int64_t step = number(1, 3) * (number(0, 1) == 0 ? 1 : -1);
    return Slice{number(-8, 7), number(-8, 8), step};
  };
  auto tensor = HostTensor<int, 2>::zeros({7, 6});
  int split = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Slice> first{slice(), slice()};
    const std::vector<Slice> second{slice(), slice()};
    const std::vector<std::span<const Slice>> parts{first, second};
    std::vector<bool> seen(42, false);
    bool meets = false;
    for (const auto& part : parts) {
      const Layout layout = tensor.layout().slice(part);
      std::vector<bool> own(42, false);
      for (std::int64_t j = 0; j < layout.extent(1); ++j) {
        for (std::int64_t i = 0; i < layout.extent(0); ++i) {
          const auto element = static_cast<std::size_t>(layout.element_at({i, j}));
          meets |= seen[element];
          own[element] = true;
        }
      }
      for (std::size_t element = 0; element < own.size(); ++element)
        seen[element] = seen[element] || own[element];
    }
    bool refused = false;
    try {
      split += tensor.as_view_mut().try_multi_slice_mut(parts).size() == 2;
    } catch (const DisjointError&) {
      refused = true;
    }
    REQUIRE(refused == meets);
  }
  CHECK(split > 200);
}
