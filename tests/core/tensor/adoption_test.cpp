// SPDX-License-Identifier: Apache-2.0
// Memory that others made, adopted with its deleter: from whatever allocator it comes, it is given back once.
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <memory_resource>
#include <numeric>

#include "support/caught.hpp"
#include "tenure/base/access_error.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/memory/ledger.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::caught;

namespace {

constexpr std::size_t count = 512;
constexpr std::size_t bytes = count * sizeof(double);

// Fills adopted memory, reads it back through a tensor that went the long way, and lets it go.
void check_use(DataPtr&& pointer) {
  auto* const values = static_cast<double*>(pointer.data());
  std::iota(values, values + count, 0.0);
  const LedgerScope scope;
  auto host = HostTensor<double, 2>::from_data_ptr({16, 32}, std::move(pointer), bytes);
  CHECK(pointer.empty());
  CHECK(host(15, 31) == 511.0);
  auto typed = std::move(host).into_dynamic().into_typed<double, 2>();
  CHECK(typed.as_view().transposed().select(0, 1)(0) == 16.0);
  const BufferVector<double> buffer = std::move(typed).into_buffer_vector();
  CHECK(buffer.data() == values);
  CHECK(buffer.back() == 511.0);
  CHECK(scope.bytes_copied() == 0);
}

// Some doubles, and how often they were given back.
struct Lent {
  alignas(64) double values[4] = {1, 2, 3, 4};
  int releases = 0;

  DataPtr pointer() {
    return DataPtr({values, this, [](void* context) noexcept { ++static_cast<Lent*>(context)->releases; }});
  }
  HostTensor<double, 1> tensor() {
    return HostTensor<double, 1>::from_data_ptr({4}, pointer(), sizeof(values));
  }
};

// A mapping of the system's.
struct Mapping {
  void* address;
  std::size_t length;
  static inline int unmapped = 0;

  static void release(void* context) noexcept {
    const std::unique_ptr<Mapping> mapping(static_cast<Mapping*>(context));
    if (munmap(mapping->address, mapping->length) == 0) ++unmapped;
  }
};

}  // namespace

TEST_CASE("from_data_ptr: memory of malloc goes back to free, of a new array to delete") {
  void* const block = std::malloc(bytes);
  check_use(DataPtr({block, block, [](void* context) noexcept { std::free(context); }}));
  auto* const array = new double[count];
  check_use(DataPtr({array, array, [](void* context) noexcept { delete[] static_cast<double*>(context); }}));
}

TEST_CASE("from_data_ptr: memory of an allocator goes back with its size and alignment") {
  struct Block {
    std::pmr::memory_resource* resource;
    void* address;
    std::size_t alignment_bytes;

    static void release(void* context) noexcept {
      const std::unique_ptr<Block> block(static_cast<Block*>(context));
      block->resource->deallocate(block->address, bytes, block->alignment_bytes);
    }
  };
  struct Counting final : std::pmr::memory_resource {
    std::size_t live_bytes = 0;

    void* do_allocate(std::size_t size, std::size_t alignment) override {
      live_bytes += size;
      return std::pmr::new_delete_resource()->allocate(size, alignment);
    }
    void do_deallocate(void* address, std::size_t size, std::size_t alignment) override {
      live_bytes -= size;
      std::pmr::new_delete_resource()->deallocate(address, size, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
      return this == &other;
    }
  } resource;
  void* const address = resource.allocate(bytes, 4096);
  CHECK(resource.live_bytes == bytes);
  check_use(DataPtr({address, new Block{&resource, address, 4096}, Block::release}));
  CHECK(resource.live_bytes == 0);
}

TEST_CASE("from_data_ptr: a mapping of the system's is unmapped, and the tensor may begin within it") {
  constexpr std::size_t header_bytes = 4096;
  void* const address =
      mmap(nullptr, header_bytes + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(address != MAP_FAILED);
  check_use(DataPtr({static_cast<std::byte*>(address) + header_bytes,
                     new Mapping{address, header_bytes + bytes}, Mapping::release}));
  CHECK(Mapping::unmapped == 1);
}

TEST_CASE("from_data_ptr: a buffer of another library lives as long as the tensor") {
  using Buffer = std::vector<double>;
  auto buffer = std::make_shared<Buffer>(count);
  const std::weak_ptr<Buffer> watch = buffer;
  double* const data = buffer->data();
  const auto release = [](void* context) noexcept { delete static_cast<std::shared_ptr<Buffer>*>(context); };
  check_use(DataPtr({data, new std::shared_ptr<Buffer>(buffer), release}));
  CHECK(watch.use_count() == 1);
  {
    const auto tensor = HostTensor<double, 1>::from_data_ptr(
        {512}, DataPtr({data, new std::shared_ptr<Buffer>(std::move(buffer)), release}), bytes);
    CHECK_FALSE(watch.expired());
  }
  CHECK(watch.expired());
}

TEST_CASE("from_data_ptr: the deleter runs once, whichever way the tensor ends") {
  const std::pair<const char*, std::function<void(Lent&)>> endings[] = {
      {"destroyed", [](Lent& lent) { lent.tensor(); }},
      {"moved from and destroyed",
       [](Lent& lent) {
         auto first = lent.tensor();
         auto second = std::move(first);
         const Tensor third = std::move(second).into_dynamic();
       }},
      {"assigned over",
       [](Lent& lent) {
         auto tensor = lent.tensor();
         tensor = HostTensor<double, 1>::zeros({1});
         CHECK(lent.releases == 1);
       }},
      {"taken out as a buffer vector",
       [](Lent& lent) { const auto buffer = lent.tensor().into_buffer_vector(); }},
      {"outgrown by its buffer vector",
       [](Lent& lent) {
         auto buffer = lent.tensor().into_buffer_vector();
         buffer.push_back(5.0);
         CHECK(lent.releases == 1);
         CHECK(buffer == BufferVector<double>({1, 2, 3, 4, 5}));
       }},
      {"left by an exception",
       [](Lent& lent) {
         try {
           const auto tensor = lent.tensor();
           throw 1;
         } catch (int) {
         }
       }},
      {"kept after a refused extraction",
       [](Lent& lent) {
         auto tensor = lent.tensor();
         CHECK(caught<AccessError>([&] { return std::move(tensor).into_vec_col_major(); }).kind() ==
               AccessError::Kind::not_a_vector);
         CHECK(lent.releases == 0);
         CHECK(tensor(3) == 4.0);
       }},
      {"kept after a refused conversion",
       [](Lent& lent) {
         auto tensor = lent.tensor().into_dynamic();
         CHECK_THROWS_AS(std::move(tensor).into_typed<float>(), ValidationError);
         CHECK(lent.releases == 0);
       }},
      {"of no elements",
       [](Lent& lent) {
         const auto none = HostTensor<double, 1>::from_data_ptr({0}, lent.pointer(), sizeof(lent.values));
         CHECK(none.host_data().data() == nullptr);
         CHECK(lent.releases == 0);
       }},
  };
  for (const auto& [name, end] : endings) {
    CAPTURE(name);
    Lent lent;
    end(lent);
    CHECK(lent.releases == 1);
  }
}

TEST_CASE("from_data_ptr: what was not adopted is given back by its handle, once or by who released it") {
  Lent lent;
  {
    DataPtr pointer = lent.pointer();
    CHECK_THROWS_AS((HostTensor<double, 1>::from_data_ptr({5}, std::move(pointer), sizeof(lent.values))),
                    ValidationError);
    CHECK_THROWS_AS((HostTensor<double, 2>::from_data_ptr({4}, std::move(pointer), sizeof(lent.values))),
                    ValidationError);
    CHECK(lent.releases == 0);
  }
  CHECK(lent.releases == 1);
  DataPtr pointer = lent.pointer();
  const DataPtr::Parts parts = pointer.release();
  { const DataPtr ended = std::move(pointer); }
  CHECK(lent.releases == 1);
  parts.deleter(parts.context);
  CHECK(lent.releases == 2);
}

TEST_CASE("from_data_ptr: a deleter may assign to the owner that is being assigned") {
  struct Again {
    HostTensor<double, 1>* owner;
    Lent* third;
    double values[2] = {7, 8};
    int releases = 0;
  };
  Lent second, third;
  HostTensor<double, 1> owner = HostTensor<double, 1>::zeros({1});
  Again again{&owner, &third};
  const auto assign_again = [](void* context) noexcept {
    auto& self = *static_cast<Again*>(context);
    ++self.releases;
    *self.owner =
        HostTensor<double, 1>::from_data_ptr({4}, self.third->pointer(), sizeof(self.third->values));
  };
  owner = HostTensor<double, 1>::from_data_ptr(
      {2}, DataPtr({.data = again.values, .context = &again, .deleter = assign_again}), sizeof(again.values));

  owner = HostTensor<double, 1>::from_data_ptr({3}, second.pointer(), sizeof(second.values));

  CHECK(again.releases == 1);
  CHECK(second.releases == 1);
  CHECK(third.releases == 0);
  CHECK(owner.host_data().data() == third.values);
  CHECK(owner.host_data().size() == 4);
  owner = HostTensor<double, 1>::zeros({1});
  CHECK(third.releases == 1);
}
