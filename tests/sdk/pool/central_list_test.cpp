// SPDX-License-Identifier: Apache-2.0
#include "tenure/sdk/pool/central_list.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

using tenure::sdk::pool::CentralList;

namespace {

struct TestBlock {
  std::uint64_t alignment_bytes = 64;
  std::uint64_t stamp = 0;
  TestBlock* newer = nullptr;
  TestBlock* older = nullptr;
};

using List = CentralList<TestBlock>;

std::vector<TestBlock*> take(List& list, std::uint64_t count, std::uint64_t alignment_bytes) {
  std::vector<TestBlock*> out(count);
  out.resize(list.take(out, alignment_bytes));
  return out;
}

}  // namespace

TEST_CASE("CentralList: the newest block is reused first and the oldest evicted first") {
  std::array<TestBlock, 4> blocks;
  List list;
  list.push(std::array{&blocks[0], &blocks[1]}, 5);
  list.push(std::array{&blocks[2], &blocks[3]}, 6);
  CHECK(list.count() == 4);
  CHECK(list.oldest_stamp() == 5);
  CHECK(take(list, 1, 64) == std::vector{&blocks[3]});
  CHECK(list.take_oldest() == &blocks[0]);
  CHECK(take(list, 8, 64) == std::vector{&blocks[2], &blocks[1]});
  CHECK(list.count() == 0);
  CHECK(list.oldest_stamp() == List::no_stamp);
  CHECK(list.take_oldest() == nullptr);
  CHECK(take(list, 1, 64).empty());
}

TEST_CASE("CentralList: taking stops at a block with too little alignment") {
  std::array<TestBlock, 3> blocks;
  blocks[1].alignment_bytes = 4096;
  blocks[2].alignment_bytes = 4096;
  List list;
  list.push(std::array{&blocks[0], &blocks[1], &blocks[2]}, 0);
  CHECK(take(list, 3, 4096) == std::vector{&blocks[2], &blocks[1]});
  CHECK(take(list, 3, 4096).empty());
  CHECK(list.count() == 1);
}

TEST_CASE("CentralList: once closed it takes no further block that asks, and still gives what it has") {
  std::array<TestBlock, 2> blocks;
  List list;
  CHECK(list.push_unless_closed(&blocks[0], 1));
  list.close();
  CHECK_FALSE(list.push_unless_closed(&blocks[1], 2));
  CHECK(list.take_oldest() == &blocks[0]);
}
