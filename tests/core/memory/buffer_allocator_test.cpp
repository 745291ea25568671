// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/buffer_allocator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

using namespace tenure;

namespace {

void count_release(void* context) noexcept { ++*static_cast<int*>(context); }

// Eight doubles 0 ... 7, and how often they were given back.
struct Block {
  double data[8];
  int releases = 0;

  Block() { std::iota(data, data + 8, 0.0); }
  BufferVector<double> vector() {
    return adopt_buffer<double>(
        std::make_shared<BufferAdoption>(),
        Storage::adopt(DataPtr({.data = data, .context = &releases, .deleter = count_release}),
                       sizeof(data)));
  }
};

}  // namespace

TEST_CASE("BufferAllocator: the vector has the block's address and elements and gives it back once") {
  Block block;
  {
    const BufferVector<double> vector = block.vector();
    CHECK(vector.data() == block.data);
    CHECK(vector.size() == 8);
    CHECK(vector[7] == 7.0);
    CHECK(block.releases == 0);
  }
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: a vector that grows beyond the block gives it back and goes on") {
  Block block;
  BufferVector<double> vector = block.vector();
  vector.push_back(8.0);
  CHECK(block.releases == 1);
  CHECK(vector.data() != block.data);
  for (int i = 0; i < 9; ++i) CHECK(vector[static_cast<std::size_t>(i)] == i);
  CHECK(reinterpret_cast<std::uintptr_t>(vector.data()) % Storage::host_alignment_bytes == 0);
  vector.resize(100);
  CHECK(vector[99] == 0.0);
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: only the first elements are left alone, later ones are initialised") {
  Block block;
  BufferVector<double> vector = block.vector();
  vector.clear();
  vector.resize(8);
  CHECK(vector.data() == block.data);
  CHECK(std::ranges::count(vector, 0.0) == 8);
  vector.resize(2);
  vector.insert(vector.end(), 5.0);
  CHECK(vector == BufferVector<double>({0.0, 0.0, 5.0}));
}

TEST_CASE("BufferAllocator: a copy of the vector starts in ordinary memory") {
  Block block;
  BufferVector<double> copy;
  {
    const BufferVector<double> vector = block.vector();
    copy = vector;
    const BufferVector<double> constructed = vector;
    CHECK(constructed.get_allocator().adoption() == nullptr);
    CHECK(constructed == vector);
    CHECK(constructed.data() != block.data);
  }
  CHECK(block.releases == 1);
  CHECK(copy.size() == 8);
  CHECK(copy[7] == 7.0);
}

TEST_CASE("BufferAllocator: moving and swapping hand the block on") {
  Block block;
  BufferVector<double> first = block.vector();
  BufferVector<double> second = std::move(first);
  CHECK(second.data() == block.data);
  BufferVector<double> third(3, 1.0);
  third = std::move(second);
  CHECK(third.data() == block.data);
  BufferVector<double> fourth;
  std::swap(third, fourth);
  CHECK(fourth.data() == block.data);
  CHECK(block.releases == 0);
  fourth = BufferVector<double>();
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: copies share the adoption and only one container gets the block") {
  Block block;
  BufferVector<double> vector = block.vector();
  {
    const BufferVector<double> other(8, vector.get_allocator());
    CHECK(other.get_allocator() == vector.get_allocator());
    CHECK(other.data() != block.data);
    CHECK(std::ranges::count(other, 0.0) == 8);
  }
  CHECK(block.releases == 0);
  CHECK_FALSE(BufferAllocator<double>() == vector.get_allocator());
  CHECK(BufferAllocator<double>() == BufferAllocator<float>());
}

TEST_CASE("BufferAllocator: a released block's address means nothing any more") {
  Block block;
  BufferVector<double> vector = block.vector();
  const auto adoption = vector.get_allocator().adoption();
  CHECK(adoption->holds(block.data));
  vector = BufferVector<double>(1);
  CHECK(block.releases == 1);
  CHECK_FALSE(adoption->holds(block.data));
  CHECK_FALSE(adoption->take_back(block.data));
  CHECK(adoption->hand_out(sizeof(block.data)) == nullptr);
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: a storage without bytes becomes an empty vector and is given back with it") {
  int releases = 0;
  {
    BufferVector<double> vector = adopt_buffer<double>(
        std::make_shared<BufferAdoption>(),
        Storage::adopt(DataPtr({.data = nullptr, .context = &releases, .deleter = count_release}), 0));
    CHECK(vector.empty());
    vector.push_back(1.0);
    CHECK(vector[0] == 1.0);
  }
  CHECK(releases == 1);
}

TEST_CASE("BufferAllocator: a storage without bytes is no block, so elements are initialised after it") {
  const auto adoption = std::make_shared<BufferAdoption>();
  adoption->adopt(Storage::adopt(DataPtr({.data = nullptr}), 0));
  CHECK(adoption->hand_out(0) == nullptr);
  CHECK_FALSE(adoption->is_filling());
  CHECK_FALSE(adoption->holds(nullptr));
}

TEST_CASE("BufferAllocator: an adopted std::vector can become one, too") {
  std::vector<int> source{1, 2, 3};
  const int* const data = source.data();
  const BufferVector<int> vector =
      adopt_buffer<int>(std::make_shared<BufferAdoption>(), Storage::adopt(std::move(source)));
  CHECK(vector.data() == data);
  CHECK(vector == BufferVector<int>({1, 2, 3}));
}

TEST_CASE(
    "BufferAllocator: a vector that shrinks within the block keeps it, one that asks to fit leaves it") {
  Block block;
  BufferVector<double> vector = block.vector();
  vector.erase(vector.begin(), vector.begin() + 4);
  vector.reserve(8);
  CHECK(vector.data() == block.data);
  CHECK(vector == BufferVector<double>({4, 5, 6, 7}));
  CHECK(block.releases == 0);
  vector.shrink_to_fit();
  CHECK(vector.data() != block.data);
  CHECK(vector == BufferVector<double>({4, 5, 6, 7}));
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: growth that fails leaves the elements in the block") {
  Block block;
  BufferVector<double> vector = block.vector();
  CHECK_THROWS(vector.resize(vector.max_size() + 1));
  CHECK(vector.data() == block.data);
  CHECK(vector[7] == 7.0);
  CHECK(block.releases == 0);
}

TEST_CASE("BufferAllocator: two vectors of two blocks swap and move them, and each goes back once") {
  Block first;
  Block second;
  {
    BufferVector<double> a = first.vector();
    BufferVector<double> b = second.vector();
    a.swap(b);
    CHECK(a.data() == second.data);
    CHECK(b.data() == first.data);
    a = std::move(b);
    CHECK(a.data() == first.data);
    CHECK(second.releases == 1);
    CHECK(first.releases == 0);
    a = BufferVector<double>(a);
    CHECK(first.releases == 1);
    CHECK(a[7] == 7.0);
  }
  CHECK(first.releases == 1);
  CHECK(second.releases == 1);
}

TEST_CASE("BufferAllocator: a move by another allocator moves the elements one by one") {
  Block block;
  BufferVector<double> vector = block.vector();
  const BufferVector<double> other(std::move(vector), BufferAllocator<double>());
  CHECK(other.data() != block.data);
  CHECK(other[7] == 7.0);
  vector = BufferVector<double>();
  CHECK(block.releases == 1);
}

TEST_CASE("BufferAllocator: an allocator of another type shares the adoption and cannot get the block") {
  Block block;
  const BufferVector<double> vector = block.vector();
  {
    std::vector<float, BufferAllocator<float>> floats(16, BufferAllocator<float>(vector.get_allocator()));
    CHECK(floats.get_allocator() == vector.get_allocator());
    CHECK(static_cast<const void*>(floats.data()) != block.data);
    CHECK(std::ranges::count(floats, 0.0f) == 16);
  }
  CHECK(block.releases == 0);
  CHECK(vector[7] == 7.0);
}

TEST_CASE("BufferAllocator: an allocator that outlives the vector and its block allocates ordinary memory") {
  Block block;
  BufferAllocator<double> allocator = block.vector().get_allocator();
  CHECK(block.releases == 1);
  double* const memory = allocator.allocate(8);
  CHECK(memory != block.data);
  allocator.deallocate(memory, 8);
  CHECK(block.releases == 1);
  const BufferVector<double> vector(3, 1.5, allocator);
  CHECK(vector == BufferVector<double>({1.5, 1.5, 1.5}));
}
