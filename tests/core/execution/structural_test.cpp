// SPDX-License-Identifier: Apache-2.0
// Tensors put together from others and taken apart, against loops over their indices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/providers.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::Padding;
using tenure::TypedTensor;
using Numbers = std::vector<std::int64_t>;
using Random = std::mt19937_64;
using View = tenure::TypedTensorView<double>;

std::int64_t uniform(Random& random, std::int64_t lowest, std::int64_t highest) {
  return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random);
}

std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }

tenure::Engine make_engine() {
  return tenure::test::open("cpu").engine(
      {.mode = tenure::EngineMode::parallel, .threads = 2, .pool = {.mode = tenure::PoolMode::poison}});
}

template <class T>
HostTensor<T> tensor(tenure::AxisValues extents, std::vector<T> values) {
  return HostTensor<T>::from_vec_col_major(extents, std::move(values));
}

template <class T, int Rank>
std::vector<T> values(const TypedTensor<T, Rank>& result) {
  return result.to_vec_col_major();
}

template <class Detail, class Call>
bool refused(const Call& call) {
  try {
    call();
  } catch (const tenure::ValidationError& error) {
    return error.get_if<Detail>() != nullptr;
  }
  return false;
}

// Calls visit(index) for every index, the first axis fastest.
template <class Visit>
void for_each_index(const Numbers& extents, const Visit& visit) {
  if (std::ranges::find(extents, 0) != extents.end()) return;
  Numbers index(extents.size(), 0);
  for (;;) {
    visit(index);
    std::size_t axis = 0;
    while (axis < index.size() && ++index[axis] == extents[axis]) index[axis++] = 0;
    if (axis == index.size()) return;
  }
}

double element(const View& view, const Numbers& index) { return *view.get(index); }

Numbers random_extents(Random& random, std::int64_t rank) {
  Numbers extents(at(rank));
  for (std::int64_t& extent : extents) extent = uniform(random, random() % 16 == 0 ? 0 : 1, 5);
  return extents;
}

// Elements and a view of them with these extents, in any order of the axes, backwards, with gaps.
class Elements {
 public:
  Elements(Random& random, const Numbers& extents) : axes_(extents.size()), steps_(extents.size()) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) axes_[axis] = static_cast<std::int64_t>(axis);
    std::shuffle(axes_.begin(), axes_.end(), random);
    Numbers stored(extents.size());
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
      steps_[axis] = uniform(random, 1, 2) * (random() % 2 == 0 ? 1 : -1);
      stored[at(axes_[axis])] = extents[axis] * std::abs(steps_[axis]);
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : stored) count *= extent;
    std::vector<double> all(static_cast<std::size_t>(count));
    for (double& value : all) value = static_cast<double>(uniform(random, -1000, 1000));
    owner_ = HostTensor<double>::from_vec_col_major(stored, std::move(all));
  }

  View view() const { return shaped(owner_.as_view()); }
  tenure::TypedTensorViewMut<double> view_mut() { return shaped(owner_.as_view_mut()); }
  HostTensor<double>& owner() { return owner_; }

 private:
  template <class V>
  V shaped(V&& all) const {
    std::vector<tenure::Slice> slices;
    for (const std::int64_t step : steps_) slices.push_back({.step = step});
    return all.permute(axes_).slice(std::span<const tenure::Slice>(slices));
  }

  Numbers axes_;
  Numbers steps_;
  HostTensor<double> owner_ = HostTensor<double>::filled({}, 0);
};

// Both forms give what `expected` says for each index.
template <class Make, class MakeInto, class Expected>
void check(Random& random, const Numbers& extents, const Make& make, const MakeInto& make_into,
           const Expected& expected) {
  const auto made = make();
  REQUIRE(Numbers(made.extents().begin(), made.extents().end()) == extents);
  Elements out(random, extents);
  make_into(out.view_mut());
  const auto host = made.as_view();
  for_each_index(extents, [&](const Numbers& index) {
    REQUIRE(element(host, index) == expected(index));
    REQUIRE(element(out.view(), index) == expected(index));
  });
}

}  // namespace

TEST_SUITE("execution/structural") {
  TEST_CASE("concatenate: parts of any layout follow one another along any axis") {
    Random random(1);
    const auto engine = make_engine();
    for (int round = 0; round < 100; ++round) {
      Numbers extents = random_extents(random, uniform(random, 1, 4));
      const auto rank = static_cast<std::int64_t>(extents.size());
      const std::int64_t axis = uniform(random, 0, rank - 1);
      std::vector<Elements> parts;
      std::vector<std::pair<std::size_t, std::int64_t>> places;  // part and its index, for each index
      for (std::int64_t part = uniform(random, 1, 4); part > 0; --part) {
        extents[at(axis)] = uniform(random, 0, 3);
        for (std::int64_t i = 0; i < extents[at(axis)]; ++i) places.emplace_back(parts.size(), i);
        parts.emplace_back(random, extents);
      }
      extents[at(axis)] = static_cast<std::int64_t>(places.size());
      std::vector<tenure::TensorRead> operands;
      for (const Elements& part : parts) operands.emplace_back(part.view());
      check(
          random, extents, [&] { return engine.concatenate(operands, axis - rank).into_typed<double>(); },
          [&](const auto& out) { engine.concatenate_into(operands, axis, out); },
          [&](Numbers index) {
            const auto& [part, place] = places[at(index[at(axis)])];
            index[at(axis)] = place;
            return element(parts[part].view(), index);
          });
    }
  }

  TEST_CASE("concatenate of listed arguments keeps their element type and rank") {
    const auto engine = make_engine();
    const auto a = HostTensor<double, 2>::from_vec_col_major({2, 1}, {1, 2});
    const auto b = HostTensor<double, 2>::from_vec_col_major({2, 1}, {3, 4});
    const auto both = engine.concatenate(1, a, b.as_view());
    static_assert(std::is_same_v<decltype(both), const TypedTensor<double, 2>>);
    CHECK(both.to_vec_col_major() == std::vector<double>{1, 2, 3, 4});
    const auto alone = engine.concatenate(0, a);
    CHECK(alone.to_vec_col_major() == std::vector<double>{1, 2});
    const auto mixed = engine.concatenate(0, tenure::Tensor::from_vec_col_major<double>({1, 1}, {0}),
                                          a.as_view().slice(0, {.stop = 1}));
    static_assert(std::is_same_v<decltype(mixed), const TypedTensor<double, 2>>);
    CHECK(mixed.to_vec_col_major() == std::vector<double>{0, 1});
  }

  TEST_CASE("concatenate: what does not go together is refused before there is an output") {
    const auto engine = make_engine();
    const auto a = tensor<double>({2, 1}, {1, 2});
    const auto flat = tensor<double>({2}, {1, 2});
    const auto taller = tensor<double>({3, 1}, {1, 2, 3});
    const auto narrow = tensor<float>({2, 1}, {1, 2});

    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.concatenate({}, 0); }));
    CHECK(refused<tenure::RankMismatch>([&] { (void)engine.concatenate({a, flat}, 0); }));
    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.concatenate({a, taller}, 1); }));
    CHECK(refused<tenure::DTypeMismatch>([&] { (void)engine.concatenate({a, narrow}, 0); }));
    CHECK(refused<tenure::AxisOutOfBounds>([&] { (void)engine.concatenate({a, a}, 2); }));
    CHECK(engine.pool_statistics().misses == 0);

    auto whole = tensor<double>({4, 1}, {5, 6, 7, 8});
    CHECK(refused<tenure::ShapeMismatch>([&] { engine.concatenate_into({a, taller}, 0, whole); }));
    engine.concatenate_into({a, a}, 0, whole);
    CHECK_THROWS_AS(engine.concatenate_into({tenure::TensorRead(whole)}, 0, whole), tenure::DisjointError);
    CHECK(std::vector(whole.host_data().begin(), whole.host_data().end()) == std::vector<double>{1, 2, 1, 2});
  }

  TEST_CASE("pad: the value stands around elements of any layout") {
    Random random(2);
    const auto engine = make_engine();
    for (int round = 0; round < 100; ++round) {
      Numbers extents = random_extents(random, uniform(random, 0, 4));
      const Elements a(random, extents);
      std::vector<Padding> padding;
      for (std::int64_t& extent : extents) {
        padding.push_back({uniform(random, 0, 3), uniform(random, 0, 3)});
        extent += padding.back().before + padding.back().after;
      }
      const std::span<const Padding> sides(padding);
      check(
          random, extents, [&] { return engine.pad(a.view(), sides, -7.5); },
          [&](const auto& out) { engine.pad_into(a.view(), sides, -7.5, out); },
          [&](Numbers index) {
            bool is_inside = true;
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
              index[axis] -= padding[axis].before;
              is_inside &= index[axis] >= 0 && index[axis] < a.view().extents()[axis];
            }
            return is_inside ? element(a.view(), index) : -7.5;
          });
    }
  }

  TEST_CASE("pad: negative numbers, other ranks, values and sizes that do not fit are refused") {
    const auto engine = make_engine();
    const auto a = tensor<std::int32_t>({2}, {1, 2});
    constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.pad(a, {{-1, 3}}, 0); }));
    CHECK(refused<tenure::RankMismatch>([&] { (void)engine.pad(a, {{1, 1}, {0, 0}}, 0); }));
    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.pad(a, {{1, 1}}, 0.5); }));
    CHECK(refused<tenure::IntegerOverflow>([&] { (void)engine.pad(a, {{huge, 0}}, 0); }));
    CHECK(refused<tenure::IntegerOverflow>([&] { (void)engine.pad(a, {{huge, huge}}, 0); }));
    CHECK(values(engine.pad(a, {{1, 2}}, -1)) == std::vector<std::int32_t>{-1, 1, 2, -1, -1});
  }

  TEST_CASE("reverse: the listed axes run backwards, all of them by default") {
    Random random(3);
    const auto engine = make_engine();
    for (int round = 0; round < 60; ++round) {
      const Numbers extents = random_extents(random, uniform(random, 0, 4));
      const Elements a(random, extents);
      std::vector<bool> is_reversed;
      Numbers listed;
      for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        is_reversed.push_back(round % 4 == 0 || random() % 2 == 0);
        if (is_reversed[axis]) listed.push_back(static_cast<std::int64_t>(axis));
      }
      const tenure::AxisSet axes = round % 4 == 0 ? tenure::AxisSet() : tenure::AxisSet(std::span(listed));
      check(
          random, extents, [&] { return engine.reverse(a.view(), axes); },
          [&](const auto& out) { engine.reverse_into(a.view(), out, axes); },
          [&](Numbers index) {
            for (std::size_t axis = 0; axis < index.size(); ++axis) {
              if (is_reversed[axis]) index[axis] = extents[axis] - 1 - index[axis];
            }
            return element(a.view(), index);
          });
    }
    auto a = tensor<double>({4}, {1, 2, 3, 4});
    CHECK_THROWS_AS(engine.reverse_into(a, a), tenure::DisjointError);
    CHECK(refused<tenure::DuplicateAxis>([&] { (void)engine.reverse(a, {0, -1}); }));
  }

  TEST_CASE("tril and triu: each matrix in the first two axes keeps one side of a diagonal") {
    Random random(4);
    const auto engine = make_engine();
    for (int round = 0; round < 60; ++round) {
      const Numbers extents = random_extents(random, uniform(random, 2, 4));
      const Elements a(random, extents);
      const std::int64_t diagonal = uniform(random, -6, 6);
      check(
          random, extents, [&] { return engine.tril(a.view(), diagonal); },
          [&](const auto& out) { engine.tril_into(a.view(), out, diagonal); },
          [&](const Numbers& i) { return i[1] - i[0] <= diagonal ? element(a.view(), i) : 0.0; });
      check(
          random, extents, [&] { return engine.triu(a.view(), diagonal); },
          [&](const auto& out) { engine.triu_into(a.view(), out, diagonal); },
          [&](const Numbers& i) { return i[1] - i[0] >= diagonal ? element(a.view(), i) : 0.0; });
    }
    auto a = tensor<double>({1, 1}, {1});
    CHECK_THROWS_AS(engine.tril_into(a, a), tenure::DisjointError);
    CHECK(refused<tenure::InvalidArgument>([&] { (void)engine.triu(tensor<double>({2}, {1, 2})); }));
  }

  TEST_CASE("embed_diagonal: the view diagonal takes out what was put in, the rest is 0") {
    Random random(5);
    const auto engine = make_engine();
    for (int round = 0; round < 60; ++round) {
      const Numbers extents = random_extents(random, uniform(random, 1, 3));
      const Elements a(random, extents);
      const auto rank = static_cast<std::int64_t>(extents.size()) + 1;
      tenure::DiagonalOptions diagonal{.axis = uniform(random, 0, rank - 1),
                                       .offset = uniform(random, -3, 3)};
      diagonal.other_axis = (diagonal.axis + uniform(random, 1, rank - 1)) % rank;
      Numbers square = extents;
      square.insert(square.begin() + diagonal.other_axis, 0);
      square[at(diagonal.axis)] += std::abs(diagonal.offset);
      square[at(diagonal.other_axis)] = square[at(diagonal.axis)];
      check(
          random, square, [&] { return engine.embed_diagonal(a.view(), diagonal); },
          [&](const auto& out) { engine.embed_diagonal_into(a.view(), out, diagonal); },
          [&](Numbers index) {
            const std::int64_t i = index[at(diagonal.axis)];
            const std::int64_t j = index[at(diagonal.other_axis)];
            if (j - i != diagonal.offset) return 0.0;
            index[at(diagonal.axis)] = std::min(i, j);
            index.erase(index.begin() + diagonal.other_axis);
            return element(a.view(), index);
          });
      const auto square_again = engine.embed_diagonal(a.view(), diagonal);
      const auto taken =
          engine.copy(square_again.as_view().diagonal(diagonal.axis, diagonal.other_axis, diagonal.offset));
      CHECK(values(taken) == a.view().to_vec_col_major());
    }
  }

  TEST_CASE("embed_diagonal: static ranks grow by one, bad axes and sizes are refused") {
    const auto engine = make_engine();
    const auto a = HostTensor<bool, 1>::filled({2}, true);
    const auto square = engine.embed_diagonal(a);
    static_assert(std::is_same_v<decltype(square), const TypedTensor<bool, 2>>);
    CHECK(values(engine.cast<std::uint8_t>(square)) == std::vector<std::uint8_t>{1, 0, 0, 1});
    const auto diagonal = square.as_view().diagonal(0, 1);
    static_assert(std::is_same_v<decltype(diagonal), const tenure::TypedTensorView<bool, 1>>);

    const auto embed = [&](tenure::DiagonalOptions options) { (void)engine.embed_diagonal(a, options); };
    CHECK(refused<tenure::DuplicateAxis>([&] { embed({.axis = 1, .other_axis = -1}); }));
    CHECK(refused<tenure::AxisOutOfBounds>([&] { embed({.other_axis = 2}); }));
    CHECK(refused<tenure::IntegerOverflow>(
        [&] { embed({.offset = std::numeric_limits<std::int64_t>::max()}); }));
    CHECK(refused<tenure::IntegerOverflow>(
        [&] { embed({.offset = std::numeric_limits<std::int64_t>::min()}); }));
  }

  TEST_CASE("gather: indices name elements along an axis and broadcast on the others") {
    Random random(6);
    const auto engine = make_engine();
    for (int round = 0; round < 100; ++round) {
      const Numbers extents = random_extents(random, uniform(random, 1, 4));
      const std::int64_t axis = uniform(random, 0, static_cast<std::int64_t>(extents.size()) - 1);
      Numbers source = extents;
      source[at(axis)] = uniform(random, 1, 6);
      Numbers chosen = extents;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i != at(axis) && random() % 2 == 0) (random() % 2 == 0 ? source : chosen)[i] = 1;
      }
      const Elements a(random, source);
      HostTensor<std::int64_t> indices = HostTensor<std::int64_t>::filled(chosen, 0);
      for (std::int64_t& index : indices.host_data_mut()) index = uniform(random, 0, source[at(axis)] - 1);
      Numbers expected = extents;
      for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i != at(axis)) expected[i] = source[i] == 1 ? chosen[i] : source[i];
      }
      check(
          random, expected, [&] { return engine.gather(a.view(), indices, axis); },
          [&](const auto& out) { engine.gather_into(a.view(), indices, axis, out); },
          [&](const Numbers& index) {
            Numbers where = index, from = index;
            for (std::size_t i = 0; i < index.size(); ++i) {
              if (chosen[i] == 1) where[i] = 0;
              if (source[i] == 1) from[i] = 0;
            }
            from[at(axis)] = *indices.as_view().get(where);
            return element(a.view(), from);
          });
    }
  }

  TEST_CASE("scatter: updates replace the elements that indices name, the last one along the axis stays") {
    const auto engine = make_engine();
    const auto a = tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto indices = tensor<std::int64_t>({1, 3}, {2, 0, 2});
    const auto updates = tensor<double>({2, 3}, {10, 20, 30, 40, 50, 60});

    CHECK(values(engine.scatter(a, indices, updates, 1)) == std::vector<double>{30, 40, 3, 4, 50, 60});
    CHECK(values(engine.scatter(a, indices, tensor<double>({1, 1}, {9}), -1)) ==
          std::vector<double>{9, 9, 3, 4, 9, 9});
    auto out = tensor<double>({2, 3}, {0, 0, 7, 8, 0, 0});
    engine.scatter_into(indices, updates, 1, out.as_view_mut().flip(1));
    CHECK(std::vector(out.host_data().begin(), out.host_data().end()) ==
          std::vector<double>{50, 60, 7, 8, 30, 40});
    const auto nothing = HostTensor<std::int64_t>::filled({1, 0}, 0);
    CHECK(values(engine.scatter(a, nothing, HostTensor<double>::filled({2, 0}, 0), 1)) ==
          std::vector<double>{1, 2, 3, 4, 5, 6});
  }

  TEST_CASE(
      "gather and scatter: an index out of range names itself and its place, and loses the output only") {
    const auto engine = make_engine();
    const auto a = tensor<double>({3}, {1, 2, 3});
    const auto wrong = tensor<std::int64_t>({2}, {0, 3});
    auto out = tensor<double>({2}, {8, 9});
    const auto check_refusal = [](const auto& call) {
      try {
        call();
        FAIL("should have thrown");
      } catch (const tenure::ExecutionError& error) {
        CHECK(error.kind() == tenure::ExecutionError::Kind::refused);
        REQUIRE(error.cause() != nullptr);
        CHECK(std::string(error.cause()->what()).find("the index at [1] is 3") != std::string::npos);
      }
    };
    check_refusal([&] { (void)engine.gather(a, wrong, 0); });
    check_refusal([&] { engine.gather_into(a, wrong, 0, out); });
    check_refusal([&] { (void)engine.scatter(a, wrong, out, 0); });
    CHECK(std::vector(out.host_data().begin(), out.host_data().end()) == std::vector<double>{8, 9});
    CHECK(engine.pool_statistics().live_count == 0);
    CHECK(values(engine.gather(a, tensor<std::int64_t>({2}, {2, 0}), 0)) == std::vector<double>{3, 1});
  }

  TEST_CASE("gather and scatter: operands that do not go together are refused") {
    const auto engine = make_engine();
    const auto a = tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto indices = tensor<std::int64_t>({2, 1}, {0, 0});
    const auto few = tensor<std::int32_t>({2, 1}, {0, 0});
    const auto taller = tensor<std::int64_t>({3, 1}, {0, 0, 0});
    const auto updates = tensor<double>({2, 1}, {7, 8});

    CHECK(refused<tenure::DTypeMismatch>([&] { (void)engine.gather(a, few, 1); }));
    CHECK(refused<tenure::ShapeMismatch>([&] { (void)engine.gather(a, taller, 1); }));
    CHECK(refused<tenure::RankMismatch>([&] { (void)engine.gather(a, tensor<std::int64_t>({1}, {0}), 1); }));
    CHECK(refused<tenure::AxisOutOfBounds>([&] { (void)engine.gather(a, indices, 2); }));
    CHECK(refused<tenure::ShapeMismatch>([&] { (void)engine.scatter(a, taller, updates, 1); }));
    CHECK(refused<tenure::DTypeMismatch>([&] {
      (void)engine.scatter(a, indices, tensor<float>({2, 1}, {7, 8}), 1);
    }));
    const auto row = tensor<double>({1, 3}, {1, 2, 3});
    CHECK(refused<tenure::ShapeMismatch>([&] { (void)engine.scatter(row, indices, updates, 1); }));

    auto target = tensor<double>({2, 1}, {1, 2});
    CHECK_THROWS_AS(engine.gather_into(target, indices, 1, target), tenure::DisjointError);
    CHECK_THROWS_AS(engine.scatter_into(indices, target, 1, target), tenure::DisjointError);
  }

  TEST_CASE("structural operations compute in place on memory of another provider and count no copies") {
    const auto fake = tenure::test::open("fake_shared");
    const auto shared = fake.domain("fake:0/managed");
    const auto engine = tenure::test::open("cpu").engine({.domain = shared});
    const auto on_host = tensor<double>({2, 2}, {1, 2, 3, 4});
    const auto a = tenure::upload(on_host.as_view(), shared);
    tenure::LedgerScope scope;

    const auto wide = engine.concatenate({a, a}, 1).into_typed<double>();
    const auto padded = engine.pad(wide, {{0, 0}, {1, 0}}, 0.0);
    const auto lower = engine.tril(engine.reverse(padded, {0}));

    CHECK(scope.bytes_copied() == 0);
    CHECK(lower.domain() == shared);
    CHECK(tenure::download(lower.as_view()).to_vec_col_major() ==
          std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  }
}
