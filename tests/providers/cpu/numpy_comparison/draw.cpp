// SPDX-License-Identifier: Apache-2.0
#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <type_traits>

#include "element_type.hpp"

namespace tenure::test {

namespace {

std::byte* bytes_of(Tensor& tensor) {
  return visit_element_type(tensor.dtype(), [&]<class T>(std::type_identity<T>) {
    return reinterpret_cast<std::byte*>(tensor.as_view_mut().as_typed<T>().host_data_mut().data());
  });
}

}  // namespace

Extents Draw::extents(std::int64_t rank_min, std::int64_t rank_max, std::int64_t extent_min) {
  Extents drawn(static_cast<std::size_t>(between(rank_min, rank_max)));
  const std::int64_t extent_max = drawn.size() <= 2 ? 24 : 6;
  for (std::int64_t& extent : drawn) {
    extent = one_in(20) ? extent_min : between(std::max<std::int64_t>(extent_min, 1), extent_max);
  }
  return drawn;
}

std::vector<std::int64_t> Draw::order(std::int64_t rank) {
  std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  std::ranges::shuffle(axes, random_);
  return axes;
}

Reading Draw::reading(const Extents& extents, bool may_broadcast) {
  Reading drawn{order(std::ssize(extents)), {}};
  for (const std::int64_t extent : extents) {
    const Walk walk = one_in(2) ? Walk::whole : static_cast<Walk>(between(1, may_broadcast ? 4 : 3));
    drawn.walks.push_back({walk, extent});
  }
  return drawn;
}

double Draw::number(Values values) {
  static constexpr double special[] = {0.0,
                                       -0.0,
                                       1.0,
                                       -1.0,
                                       0.5,
                                       2.5,
                                       -3.5,
                                       std::numeric_limits<double>::infinity(),
                                       -std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};
  const double sign = one_in(2) ? 1 : -1;
  switch (values) {
    case Values::any:
      if (one_in(6)) return special[between(0, std::ssize(special) - 1)];
      [[fallthrough]];
    case Values::finite:
      return std::normal_distribution<double>(0, 2)(random_);
    case Values::nonzero:
      return sign * std::exp2(std::uniform_real_distribution<double>(-2, 2)(random_));
    case Values::positive:
      break;
  }
  return std::exp2(std::uniform_real_distribution<double>(-2, 2)(random_));
}

std::int64_t Draw::integer(Values values, bool is_signed) {
  const std::int64_t sign = is_signed && one_in(2) ? -1 : 1;
  switch (values) {
    case Values::any:
      if (one_in(2)) return static_cast<std::int64_t>(random_());
      [[fallthrough]];
    case Values::finite:
      return sign * between(0, 9);
    case Values::nonzero:
      return sign * between(1, 9);
    case Values::positive:
      break;
  }
  return between(0, 6);
}

template <class T>
T Draw::element(Values values) {
  if constexpr (std::is_same_v<T, bool>) {
    return one_in(2);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(integer(values, std::is_signed_v<T>));
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    using Part = typename T::value_type;
    if (values == Values::nonzero) {
      return std::polar(static_cast<Part>(number(Values::positive)),
                        static_cast<Part>(number(Values::finite)));
    }
    // Infinities and NaN in one part of a complex number are left to each library.
    const Values part = values == Values::any ? Values::finite : values;
    const auto real = static_cast<Part>(number(part));
    return {real, static_cast<Part>(number(Values::finite))};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number(values));
  } else {
    return T(static_cast<float>(number(values)));
  }
}

Tensor Draw::tensor(DType dtype, const Extents& extents, Values values) {
  Tensor tensor = Tensor::zeros(dtype, extents);
  visit_element_type(dtype, [&]<class T>(std::type_identity<T>) {
    for (T& each : tensor.as_view_mut().as_typed<T>().host_data_mut()) each = element<T>(values);
  });
  return tensor;
}

Sample Draw::sample(DType dtype, const Extents& extents, Values values, bool may_broadcast) {
  const bool is_compact = one_in(3);
  const Reading drawn = is_compact ? Reading{} : reading(extents, may_broadcast);
  const auto owner =
      std::make_shared<Tensor>(tensor(dtype, is_compact ? extents : drawn.owner_extents(), values));
  std::byte* const bytes = bytes_of(*owner);
  const TensorView view = owner->as_view();
  return {owner, bytes, is_compact ? view : drawn.of(view).broadcast_to(extents)};
}

Target Draw::target(DType dtype, const Extents& extents) {
  Reading drawn = reading(extents, false);
  return {std::make_shared<Tensor>(tensor(dtype, drawn.owner_extents(), Values::finite)), std::move(drawn)};
}

Sample Draw::broadcasting(DType dtype, Extents extents, Values values) {
  for (std::int64_t& extent : extents) {
    if (one_in(6)) extent = 1;
  }
  return sample(dtype, extents, values);
}

#define TENURE_INSTANTIATE(T) template T Draw::element<T>(Values);
TENURE_INSTANTIATE(bool)
TENURE_INSTANTIATE(std::int8_t)
TENURE_INSTANTIATE(std::int16_t)
TENURE_INSTANTIATE(std::int32_t)
TENURE_INSTANTIATE(std::int64_t)
TENURE_INSTANTIATE(std::uint8_t)
TENURE_INSTANTIATE(std::uint16_t)
TENURE_INSTANTIATE(std::uint32_t)
TENURE_INSTANTIATE(std::uint64_t)
TENURE_INSTANTIATE(float16)
TENURE_INSTANTIATE(bfloat16)
TENURE_INSTANTIATE(float)
TENURE_INSTANTIATE(double)
TENURE_INSTANTIATE(std::complex<float>)
TENURE_INSTANTIATE(std::complex<double>)

}  // namespace tenure::test
