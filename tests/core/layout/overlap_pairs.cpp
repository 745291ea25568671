// SPDX-License-Identifier: Apache-2.0
// Prints seeded pairs of readings and whether they share a byte, for another implementation to compare:
//
//   overlap_pairs SEED COUNT RANK_MAX
//
// A line for each pair: `yes`, `no` or `undecided`, then of both readings the bytes of an element, the byte
// at which index (0, 0, ...) lies, the rank, the extents and the strides in bytes.
#include <cstdlib>
#include <iostream>
#include <string>

#include "random_pair.hpp"
#include "tenure/layout/overlap.hpp"

namespace {

void print(const tenure::PlacedLayout& placed) {
  const tenure::Layout& layout = placed.layout;
  const auto bytes = static_cast<std::int64_t>(placed.element_bytes);
  std::cout << ' ' << bytes << ' '
            << static_cast<std::int64_t>(placed.address_bytes) + layout.offset() * bytes << ' '
            << layout.rank();
  for (const std::int64_t extent : layout.extents()) std::cout << ' ' << extent;
  for (const std::int64_t stride : layout.strides()) std::cout << ' ' << stride * bytes;
}

const char* word_of(tenure::SearchAnswer answer) {
  switch (answer) {
    case tenure::SearchAnswer::no:
      return "no";
    case tenure::SearchAnswer::yes:
      return "yes";
    default:
      return "undecided";
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) {
    std::cerr << "usage: overlap_pairs SEED COUNT RANK_MAX\n";
    return 2;
  }
  tenure_test::Random random(std::stoull(arguments[1]));
  const long long count = std::atoll(arguments[2]);
  const long long rank_max = std::atoll(arguments[3]);
  for (long long round = 0; round < count; ++round) {
    const tenure_test::RandomPair pair = tenure_test::random_pair(random, rank_max);
    std::cout << word_of(decide_overlap(pair.a(), pair.b()).answer);
    print(pair.a());
    print(pair.b());
    std::cout << '\n';
  }
}
