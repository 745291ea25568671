// SPDX-License-Identifier: Apache-2.0
#include "tenure/shared/attachment.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "core/shared/shared_values.hpp"
#include "support/caught.hpp"
#include "tenure/base/validation_error.hpp"
#include "tenure/shared/saved_tensor.hpp"

using namespace tenure;
using tenure_test::caught;
using tenure_test::share;

namespace {

struct History {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::never_copied;
  int depth = 0;
};
struct Digest {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::dropped_by_clone;
  int value = 0;
};
struct Scale {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::shared;
  double factor = 0;
};
struct ChannelScales {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::shared;
  static constexpr bool depends_on_axes = true;
  std::int64_t axis = 0;
};
struct ChannelHistory {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::never_copied;
  static constexpr bool depends_on_axes = true;
};

// One step of a computation that keeps the step before it.
struct Step {
  static constexpr AttachmentPolicy attachment_policy = AttachmentPolicy::never_copied;
  SharedTensor before;
  std::int64_t* ended;
  Step(SharedTensor&& input, std::int64_t* count) : before(std::move(input)), ended(count) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() { ++*ended; }
};

// Ordered against the policies, so that the list has to sort them.
SharedTensor with_everything() {
  SharedTensor tensor = share({2, 2}, {1, 2, 3, 4});
  tensor.attach(std::make_shared<Scale>(Scale{2.0}));
  tensor.attach(std::make_shared<Digest>(Digest{5}));
  tensor.attach(std::make_shared<History>(History{3}));
  return tensor;
}

}  // namespace

static_assert(Attachment<History> && !Attachment<int> && !Attachment<const History>);

TEST_CASE("attachments: are found by type, replaced by type and detached from one handle") {
  SharedTensor tensor = with_everything();
  CHECK(tensor.attachment<Scale>()->factor == 2.0);
  CHECK(tensor.attachment<Digest>()->value == 5);
  CHECK(tensor.attachment<History>()->depth == 3);
  CHECK(tensor.attachment<ChannelScales>() == nullptr);
  const SharedTensor alias = tensor;
  tensor.attach(std::make_shared<Digest>(Digest{6}));
  CHECK(tensor.attachment<Digest>()->value == 6);
  CHECK(alias.attachment<Digest>()->value == 5);
  tensor.detach<Scale>();
  tensor.detach<ChannelScales>();
  CHECK(tensor.attachment<Scale>() == nullptr);
  CHECK(alias.attachment<Scale>()->factor == 2.0);
  CHECK(tensor.attachment<History>()->depth == 3);
  tensor.attach(std::shared_ptr<History>());
  CHECK(tensor.attachment<History>() == nullptr);
  CHECK(tensor.attachment<Digest>()->value == 6);
}

TEST_CASE("attachments: an aliasing copy starts without gradient history and shares the rest") {
  const SharedTensor tensor = with_everything();
  SharedTensor assigned = share({1}, {0});
  assigned = tensor;
  const SharedTensor constructed = tensor;
  const SharedTensor view = tensor.transposed();
  const SharedTensor strided = tensor.as_strided({4}, {1});
  for (const SharedTensor* alias :
       std::initializer_list<const SharedTensor*>{&assigned, &constructed, &view, &strided}) {
    CHECK(alias->attachment<History>() == nullptr);
    CHECK(alias->attachment<Digest>() == tensor.attachment<Digest>());
    CHECK(alias->attachment<Scale>() == tensor.attachment<Scale>());
  }
  CHECK(SavedTensor(tensor).unpack().attachment<History>() == nullptr);
  CHECK(tensor.attachment<History>()->depth == 3);
}

TEST_CASE("attachments: a clone shares what is shared and drops the rest") {
  const SharedTensor clone = with_everything().clone();
  CHECK(clone.attachment<History>() == nullptr);
  CHECK(clone.attachment<Digest>() == nullptr);
  CHECK(clone.attachment<Scale>()->factor == 2.0);
}

TEST_CASE("attachments: a move keeps them all") {
  SharedTensor tensor = with_everything();
  const SharedTensor moved = std::move(tensor);
  CHECK(moved.attachment<History>()->depth == 3);
  CHECK(moved.attachment<Digest>()->value == 5);
  CHECK(moved.attachment<Scale>()->factor == 2.0);
}

TEST_CASE("attachments: one that depends on axes refuses views that change them until it is detached") {
  SharedTensor tensor = share({2, 2}, {1, 2, 3, 4});
  tensor.attach(std::make_shared<ChannelScales>(ChannelScales{1}));
  const auto error = caught<ValidationError>([&] { return tensor.permute({1, 0}); });
  CHECK(error.operation() == "permute");
  REQUIRE(error.get_if<InvalidArgument>() != nullptr);
  CHECK(error.get_if<InvalidArgument>()->argument == "attachment");
  CHECK_THROWS_AS(tensor.select(0, 0), ValidationError);
  CHECK_THROWS_AS(tensor.slice(1, Slice{0, 1}), ValidationError);
  CHECK_THROWS_AS(tensor.as_strided({4}, {1}), ValidationError);
  CHECK(tensor.as_strided(tensor.extents(), tensor.strides()).attachment<ChannelScales>()->axis == 1);
  CHECK(tensor.clone(MemoryFormat::row_major).attachment<ChannelScales>()->axis == 1);
  tensor.detach<ChannelScales>();
  CHECK(tensor.permute({1, 0}).is_view());
}

TEST_CASE("attachments: one that no alias gets refuses no view") {
  SharedTensor tensor = share({2, 2}, {1, 2, 3, 4});
  tensor.attach(std::make_shared<ChannelHistory>());
  CHECK(tensor.transposed().attachment<ChannelHistory>() == nullptr);
}

TEST_CASE("attachments: live as long as the last handle that has them") {
  auto digest = std::make_shared<Digest>(Digest{1});
  const std::weak_ptr<Digest> watched = digest;
  SharedTensor tensor = share({2}, {1, 2});
  tensor.attach(std::move(digest));
  SharedTensor alias = tensor;
  tensor.detach<Digest>();
  CHECK_FALSE(watched.expired());
  alias = share({1}, {0});
  CHECK(watched.expired());
}

TEST_CASE(
    "attachments: a chain of a million steps ends link by link, all of it before the last handle is gone") {
  constexpr std::int64_t count = 1000000;
  std::int64_t ended = 0;
  {
    SharedTensor last = share({1}, {0});
    for (std::int64_t i = 0; i < count; ++i) {
      auto step = std::make_shared<Step>(std::move(last), &ended);
      last = step->before;
      last.attach(std::move(step));
    }
    CHECK(ended == 0);
    last.detach<Step>();
    CHECK(ended == count);
  }
  CHECK(ended == count);
}

TEST_CASE("attachments: chains that end on several threads at once do not meet") {
  constexpr std::int64_t count = 1000;
  std::vector<std::int64_t> ended(4);
  std::vector<std::thread> threads;
  for (std::int64_t& mine : ended) {
    threads.emplace_back([&mine] {
      SharedTensor last = share({1}, {0});
      for (std::int64_t i = 0; i < count; ++i) {
        auto step = std::make_shared<Step>(std::move(last), &mine);
        last = step->before;
        last.attach(std::move(step));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t each : ended) CHECK(each == count);
}
