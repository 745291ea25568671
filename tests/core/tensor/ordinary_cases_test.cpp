// SPDX-License-Identifier: Apache-2.0
// Shapes at the edge of what there is, through every constructor and every transform: no elements, rank 0,
// rank 24, 64 and 65, extents that are negative or whose product does not fit.
#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>

#include "core/tensor/placed_tensor.hpp"
#include "support/caught.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/tensor/host_tensor.hpp"
#include "tenure/tensor/transfer.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::FakeProvider;

namespace {

using Extents = std::vector<std::int64_t>;

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

// 1s, and 2s at the end, so that there are `elements` of them: 1, 2, 4 or 8.
Extents of_rank(std::size_t rank, std::int64_t elements) {
  Extents extents(rank, 1);
  for (std::size_t axis = rank; elements > 1; elements /= 2) extents[--axis] = 2;
  return extents;
}

std::int64_t product(const Extents& extents) {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
    count *= extent;
  }
  return count;
}

struct Facts {
  Extents extents;
  std::int64_t element_count;
};
Facts facts_of(const Owner& owner) {
  return {{owner.extents().begin(), owner.extents().end()}, owner.element_count()};
}

// What makes a tensor of f64 from extents. Values are given for as many elements as a sound shape has, at
// most 8.
struct Constructor {
  const char* name;
  std::function<Facts(const Extents&)> make;
};

double lent[8];

std::vector<double> values_for(const Extents& extents) {
  const bool small =
      std::ranges::all_of(extents, [](std::int64_t extent) { return extent >= 0 && extent <= 2; }) &&
      std::ranges::count(extents, 2) <= 3;
  return std::vector<double>(small ? static_cast<std::size_t>(product(extents)) : 8);
}

std::vector<Constructor> constructors(FakeProvider& provider, const Pool& pool) {
  const auto pointer = [] { return DataPtr({.data = lent}); };
  return {
      {"Tensor::from_vec_col_major",
       [](const Extents& e) { return facts_of(Tensor::from_vec_col_major(e, values_for(e))); }},
      {"Tensor::from_vec_row_major",
       [](const Extents& e) { return facts_of(Tensor::from_vec_row_major(e, values_for(e))); }},
      {"Tensor::from_data_ptr",
       [=](const Extents& e) { return facts_of(Tensor::from_data_ptr(f64, e, pointer(), sizeof(lent))); }},
      {"Tensor::import_into",
       [=, &provider](const Extents& e) {
         return facts_of(
             Tensor::import_into(provider.domain(FakeProvider::coherent), f64, e, pointer(), sizeof(lent)));
       }},
      {"Tensor::zeros", [](const Extents& e) { return facts_of(Tensor::zeros(f64, e)); }},
      {"HostTensor::from_vec_col_major",
       [](const Extents& e) { return facts_of(HostTensor<double>::from_vec_col_major(e, values_for(e))); }},
      {"HostTensor::from_vec_row_major",
       [](const Extents& e) { return facts_of(HostTensor<double>::from_vec_row_major(e, values_for(e))); }},
      {"HostTensor::from_data_ptr",
       [=](const Extents& e) {
         return facts_of(HostTensor<double>::from_data_ptr(e, pointer(), sizeof(lent)));
       }},
      {"HostTensor::zeros", [](const Extents& e) { return facts_of(HostTensor<double>::zeros(e)); }},
      {"TypedTensor::filled", [](const Extents& e) { return facts_of(TypedTensor<double>::filled(e, 1.0)); }},
      {"UninitializedTensor::on_host",
       [](const Extents& e) { return facts_of(UninitializedTensor::on_host(f64, e)); }},
      {"UninitializedTensor::in a domain",
       [&](const Extents& e) {
         return facts_of(UninitializedTensor::in(provider.domain(FakeProvider::managed), f64, e));
       }},
      {"UninitializedTensor::in a pool",
       [&](const Extents& e) { return facts_of(UninitializedTensor::in(pool, f64, e)); }},
  };
}

// What makes a layout of as many axes from one.
struct Transform {
  const char* name;
  std::function<TensorView(const TensorView&)> apply;
};

Extents extents_of(const TensorView& view) { return {view.extents().begin(), view.extents().end()}; }

std::vector<Transform> transforms() {
  const auto all_axes = [](const TensorView& view) {
    Extents axes;
    for (std::int64_t axis = 0; axis < view.rank(); ++axis) axes.push_back(axis - view.rank());
    return axes;
  };
  return {
      {"permute", [=](const TensorView& view) { return view.permute(all_axes(view)); }},
      {"transposed twice", [](const TensorView& view) { return view.transposed().transposed(); }},
      {"slice of all axes",
       [](const TensorView& view) {
         return view.slice(std::vector<Slice>(static_cast<std::size_t>(view.rank())));
       }},
      {"reshape", [](const TensorView& view) { return view.reshape(extents_of(view)); }},
      {"broadcast_to", [](const TensorView& view) { return view.broadcast_to(extents_of(view)); }},
      {"as_typed and back", [](const TensorView& view) { return view.as_typed<double>().as_dynamic(); }},
      {"a copy of it", [](const TensorView& view) { return TensorView(view); }},
  };
}

// Needs an axis.
std::vector<Transform> axis_transforms() {
  return {
      {"flip twice", [](const TensorView& view) { return view.flip(-1).flip(-1); }},
      {"slice of the last axis", [](const TensorView& view) { return view.slice(-1, Slice{}); }},
      {"select and insert_axis of the first, of extent 1",
       [](const TensorView& view) {
         return view.extent(0) == 1 ? view.select(0, -1).insert_axis(0) : TensorView(view);
       }},
      {"remove_axis and insert_axis of the first, of extent 1",
       [](const TensorView& view) {
         return view.extent(0) == 1 ? view.remove_axis(0).insert_axis(0) : TensorView(view);
       }},
  };
}

}  // namespace

TEST_CASE("ordinary cases: every constructor makes every sound shape") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::managed));
  for (const Constructor& constructor : constructors(provider, pool)) {
    for (const Extents& extents :
         {Extents{}, Extents{1}, Extents{2, 2, 2}, Extents{0}, Extents{2, 0, 2}, Extents{0, huge, huge},
          of_rank(6, 4), of_rank(7, 4), of_rank(24, 8), of_rank(64, 8), Extents(64, 0)}) {
      CAPTURE(constructor.name);
      CAPTURE(extents.size());
      const bool is_vector = std::string(constructor.name).find("from_vec") != std::string::npos;
      if (is_vector && extents == Extents{0, huge, huge}) continue;  // values_for makes none of these
      const Facts facts = constructor.make(extents);
      CHECK(facts.extents == extents);
      CHECK(facts.element_count == product(extents));
    }
  }
  CHECK(provider.live_count() == 0);
}

TEST_CASE("ordinary cases: every constructor refuses every impossible shape, and nothing was made") {
  FakeProvider provider(FakeProvider::Pools::recycling);
  const Pool pool(provider.domain(FakeProvider::managed));
  for (const Constructor& constructor : constructors(provider, pool)) {
    CAPTURE(constructor.name);
    const auto refused = [&](const Extents& extents) {
      return caught<ValidationError>([&] { return constructor.make(extents); });
    };
    for (const Extents& extents : {Extents{-1}, Extents{2, -2}, Extents{0, -1}, Extents{-huge - 1}}) {
      REQUIRE(refused(extents).get_if<NegativeExtent>() != nullptr);
      CHECK(refused(extents).get_if<NegativeExtent>()->extent == extents.back());
    }
    for (const Extents& extents : {Extents{huge, 2}, Extents{huge}, Extents{huge / 4}, Extents(64, 2)}) {
      CHECK(refused(extents).get_if<IntegerOverflow>() != nullptr);
    }
    for (const Extents& extents : {of_rank(65, 1), Extents(65, 0), Extents(1000, -1)}) {
      REQUIRE(refused(extents).get_if<RankTooLarge>() != nullptr);
      CHECK(refused(extents).get_if<RankTooLarge>()->rank == static_cast<std::int64_t>(extents.size()));
    }
  }
  CHECK(provider.calls.create + provider.calls.acquire + provider.calls.import == 0);
}

TEST_CASE("ordinary cases: every transform takes every shape and keeps its elements") {
  for (const Extents& extents :
       {Extents{}, Extents{1}, Extents{2, 2, 2}, Extents{0}, Extents{1, 0, 2}, of_rank(6, 4), of_rank(7, 4),
        of_rank(24, 8), of_rank(64, 8), Extents(64, 0)}) {
    const Tensor tensor = Tensor::zeros(f64, extents);
    const TensorView view = tensor.as_view();
    std::vector<Transform> all = transforms();
    if (!extents.empty()) std::ranges::move(axis_transforms(), std::back_inserter(all));
    for (const Transform& transform : all) {
      CAPTURE(transform.name);
      CAPTURE(extents.size());
      const TensorView result = transform.apply(view);
      CHECK(extents_of(result) == extents);
      CHECK(result.element_count() == product(extents));
      CHECK(result.layout() == view.layout());
    }
    CHECK(tensor.duplicate().element_count() == product(extents));
    CHECK(view.to_col_major().element_count() == product(extents));
    CHECK(download(view).element_count() == product(extents));
    CHECK(tensor.map_read().view().rank() == view.rank());
  }
}

TEST_CASE("ordinary cases: rank 65 is refused wherever an axis could be added, and rank 0 has none to lose") {
  const Tensor deep = Tensor::zeros(complex128, of_rank(64, 2));
  const auto refused = [](auto call) { return caught<ValidationError>(call); };
  CHECK(refused([&] { return deep.as_view().insert_axis(0); }).get_if<RankTooLarge>() != nullptr);
  CHECK(refused([&] { return deep.as_view().as_real(); }).get_if<RankTooLarge>() != nullptr);
  CHECK(refused([&] { return deep.as_view().reshape(of_rank(65, 2)); }).get_if<RankTooLarge>() != nullptr);
  CHECK(refused([&] { return deep.as_view().broadcast_to(of_rank(65, 2)); }).get_if<RankMismatch>() !=
        nullptr);
  CHECK(refused([&] { return Layout::strided(of_rank(65, 1), of_rank(65, 1)); }).get_if<RankTooLarge>() !=
        nullptr);
  const Tensor scalar = Tensor::zeros(f64, {});
  const TensorView view = scalar.as_view();
  for (const auto& error :
       {refused([&] { return view.select(0, 0); }), refused([&] { return view.remove_axis(-1); }),
        refused([&] { return view.flip(0); }), refused([&] { return view.slice(0, Slice{}); })}) {
    REQUIRE(error.get_if<AxisOutOfBounds>() != nullptr);
    CHECK(error.get_if<AxisOutOfBounds>()->rank == 0);
  }
  CHECK(refused([&] { return view.as_complex(); }).get_if<InvalidArgument>() != nullptr);
}

TEST_CASE("ordinary cases: transforms refuse extents that are negative or do not fit") {
  const auto tensor = HostTensor<double, 2>::zeros({1, 4});
  const auto view = tensor.as_view();
  const auto refused = [](auto call) { return caught<ValidationError>(call); };
  CHECK(refused([&] { return view.reshape({-2, -2}); }).get_if<NegativeExtent>() != nullptr);
  CHECK(refused([&] { return view.reshape({huge, 4}); }).get_if<IntegerOverflow>() != nullptr);
  CHECK(refused([&] { return view.broadcast_to({-1, 4}); }).get_if<NegativeExtent>() != nullptr);
  CHECK(refused([&] { return view.broadcast_to({huge, 4}); }).get_if<IntegerOverflow>() != nullptr);
  CHECK(refused([&] { return Layout::strided({2}, {huge}, huge); }).get_if<IntegerOverflow>() != nullptr);
  CHECK(refused([&] { return Layout::strided({3}, {-huge}); }).get_if<IntegerOverflow>() != nullptr);
  CHECK(view.slice(1, Slice{huge, -huge - 1, -huge - 1}).extent(1) == 1);
  CHECK(view.slice(1, Slice{-huge - 1, huge, huge}).extent(1) == 1);
}

TEST_CASE("ordinary cases: memory that is aligned for less than its elements is refused for every type") {
  alignas(64) std::byte memory[64] = {};
  for (const DType dtype : {i8, boolean, i16, f16, bf16, i32, f32, i64, f64, complex64, complex128}) {
    for (std::size_t offset = 0; offset <= 16; ++offset) {
      CAPTURE(dtype.name());
      CAPTURE(offset);
      DataPtr pointer({.data = memory + offset});
      if (offset % dtype.alignment_bytes() == 0) {
        CHECK(Tensor::from_data_ptr(dtype, {2}, std::move(pointer), 48).element_count() == 2);
        continue;
      }
      const auto error =
          caught<ValidationError>([&] { return Tensor::from_data_ptr(dtype, {2}, std::move(pointer), 48); });
      REQUIRE(error.get_if<Misaligned>() != nullptr);
      CHECK(error.get_if<Misaligned>()->required_bytes == dtype.alignment_bytes());
      CHECK(Tensor::from_data_ptr(dtype, {0}, std::move(pointer), 48).element_count() == 0);
    }
  }
}
