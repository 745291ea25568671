// SPDX-License-Identifier: Apache-2.0
#include "contraction.hpp"

#include <algorithm>
#include <random>

#include "tenure/abi/struct_head.hpp"

namespace cpu_test {
namespace {

bool is_listed(const std::vector<std::uint32_t>& axes, std::size_t axis) {
  return std::ranges::find(axes, static_cast<std::uint32_t>(axis)) != axes.end();
}

std::int64_t position_of(const Extents& index, const Extents& extents) {
  std::int64_t position = 0;
  for (std::size_t axis = extents.size(); axis-- > 0;) position = position * extents[axis] + index[axis];
  return position;
}

}  // namespace

void set_moderate(Random& random, Box& box) {
  if (is_integer(box.dtype())) return;
  for (std::int64_t i = 0; i < box.count(); ++i) {
    std::uniform_real_distribution<double> real(-1.0, 1.0);
    box.set(i, {real(random), real(random)});
  }
}

tenure_scalar scalar(Dtype dtype, const Number& number) {
  tenure_scalar result{};
  result.dtype = to_abi(dtype);
  write_number(dtype, number, reinterpret_cast<std::byte*>(result.value));
  return result;
}

tenure_contract_attributes Contraction::attributes() const {
  auto attributes = tenure::abi::make_struct<tenure_contract_attributes>();
  attributes.contracted_count = static_cast<std::uint32_t>(left_contracted.size());
  attributes.batch_count = static_cast<std::uint32_t>(left_batch.size());
  attributes.left_contracted = left_contracted.data();
  attributes.right_contracted = right_contracted.data();
  attributes.left_batch = left_batch.data();
  attributes.right_batch = right_batch.data();
  attributes.alpha = scalar(dtype, alpha);
  attributes.beta = scalar(dtype, beta);
  attributes.flags = flags;
  return attributes;
}

void find_out_extents(Contraction& made) {
  made.out.clear();
  for (std::size_t axis = 0; axis < made.left.size(); ++axis) {
    if (!is_listed(made.left_contracted, axis) && !is_listed(made.left_batch, axis))
      made.out.push_back(made.left[axis]);
  }
  for (std::size_t axis = 0; axis < made.right.size(); ++axis) {
    if (!is_listed(made.right_contracted, axis) && !is_listed(made.right_batch, axis))
      made.out.push_back(made.right[axis]);
  }
  for (const std::uint32_t axis : made.left_batch) made.out.push_back(made.left[axis]);
}

void set_scalars(Random& random, Contraction& made) {
  const tenure_dtype dtype = to_abi(made.dtype);
  made.flags = static_cast<std::uint32_t>(random() % 4);
  if (random() % 2 == 0) {
    made.alpha = tenure::abi::is_integer(dtype)   ? Number{3, 0}
                 : tenure::abi::is_complex(dtype) ? Number{0.5L, 2}
                                                  : Number{0.5L, 0};
  }
  if (random() % 2 == 0) made.beta = {dtype.code == TENURE_DTYPE_UINT ? 5.0L : -2.0L, 0};
}

Contraction random_contraction(Random& random, Dtype dtype, std::int64_t extent_max) {
  Contraction made;
  made.dtype = dtype;
  struct Axis {
    char group;
    std::int64_t extent;
    std::uint32_t number;
  };
  std::vector<Axis> left, right;
  const auto add = [&](char group, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Axis axis{group, random() % 24 == 0 ? 0 : pick(random, 1, extent_max),
                      static_cast<std::uint32_t>(i)};
      if (group != 'r') left.push_back(axis);
      if (group != 'l') right.push_back(axis);
    }
  };
  add('l', pick(random, 0, 2));
  add('r', pick(random, 0, 2));
  add('c', pick(random, 0, 2));
  add('b', pick(random, 0, 2));
  std::shuffle(left.begin(), left.end(), random);
  std::shuffle(right.begin(), right.end(), random);
  const auto find = [](const std::vector<Axis>& axes, char group, std::uint32_t number) {
    return static_cast<std::uint32_t>(
        std::ranges::find_if(axes, [&](const Axis& a) { return a.group == group && a.number == number; }) -
        axes.begin());
  };
  for (const Axis& axis : left) {
    made.left.push_back(axis.extent);
    if (axis.group == 'c') {
      made.left_contracted.push_back(find(left, 'c', axis.number));
      made.right_contracted.push_back(find(right, 'c', axis.number));
    } else if (axis.group == 'b') {
      made.left_batch.push_back(find(left, 'b', axis.number));
      made.right_batch.push_back(find(right, 'b', axis.number));
    }
  }
  for (const Axis& axis : right) made.right.push_back(axis.extent);
  find_out_extents(made);
  set_scalars(random, made);
  if (random() % 8 == 0) made.alpha = {0, 0};
  return made;
}

Contraction matrix_product(Dtype dtype, std::int64_t m, std::int64_t k, std::int64_t n) {
  Contraction made;
  made.dtype = dtype;
  made.left = {m, k};
  made.right = {k, n};
  made.out = {m, n};
  made.left_contracted = {1};
  made.right_contracted = {0};
  return made;
}

std::uint64_t wrap(const Number& number) {
  return number.re < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(number.re))
                       : static_cast<std::uint64_t>(number.re);
}

std::vector<ExpectedSum> expected_out(const Contraction& made, const Box& left, const Box& right,
                                      const Box& out) {
  std::vector<ExpectedSum> expected;
  std::int64_t terms = 1;
  for (const std::uint32_t axis : made.left_contracted) terms *= made.left[axis];
  for (std::int64_t position = 0; position < out.count(); ++position) {
    Extents index;
    std::int64_t rest = position;
    for (const std::int64_t extent : made.out) {
      index.push_back(rest % extent);
      rest /= extent;
    }
    std::size_t next = 0;
    Extents left_index(made.left.size()), right_index(made.right.size());
    for (std::size_t axis = 0; axis < made.left.size(); ++axis) {
      if (!is_listed(made.left_contracted, axis) && !is_listed(made.left_batch, axis))
        left_index[axis] = index[next++];
    }
    for (std::size_t axis = 0; axis < made.right.size(); ++axis) {
      if (!is_listed(made.right_contracted, axis) && !is_listed(made.right_batch, axis))
        right_index[axis] = index[next++];
    }
    for (std::size_t i = 0; i < made.left_batch.size(); ++i) {
      left_index[made.left_batch[i]] = index[next];
      right_index[made.right_batch[i]] = index[next++];
    }
    Complex sum;
    long double size = 0;
    std::uint64_t wrapped = 0;
    for (std::int64_t term = 0; term < terms; ++term) {
      std::int64_t left_over = term;
      for (std::size_t i = 0; i < made.left_contracted.size(); ++i) {
        const std::int64_t extent = made.left[made.left_contracted[i]];
        left_index[made.left_contracted[i]] = right_index[made.right_contracted[i]] = left_over % extent;
        left_over /= extent;
      }
      const Number factors[] = {left.get(position_of(left_index, made.left)),
                                right.get(position_of(right_index, made.right))};
      if (is_integer(made.dtype)) wrapped += wrap(factors[0]) * wrap(factors[1]);
      Complex a = to_complex(factors[0]);
      Complex b = to_complex(factors[1]);
      if ((made.flags & TENURE_CONTRACT_CONJUGATE_LEFT) != 0) a = std::conj(a);
      if ((made.flags & TENURE_CONTRACT_CONJUGATE_RIGHT) != 0) b = std::conj(b);
      sum += a * b;
      size += std::abs(a) * std::abs(b);
    }
    const Complex old = to_complex(made.beta) * to_complex(out.get(position));
    if (is_integer(made.dtype)) {
      wrapped = wrap(made.alpha) * wrapped + wrap(made.beta) * wrap(out.get(position));
    }
    expected.push_back({to_complex(made.alpha) * sum + old,
                        std::abs(to_complex(made.alpha)) * size + std::abs(old), wrapped});
  }
  return expected;
}

}  // namespace cpu_test
