// SPDX-License-Identifier: Apache-2.0
#include "tenure/memory/data_ptr.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <utility>

using tenure::DataPtr;

namespace {

void count_release(void* context) noexcept { ++*static_cast<int*>(context); }

}  // namespace

TEST_CASE("DataPtr: the deleter gets the context and runs once") {
  int releases = 0;
  double data = 0;
  {
    const DataPtr pointer({.data = &data, .context = &releases, .deleter = count_release});
    CHECK(pointer.data() == &data);
    CHECK(pointer.context() == &releases);
    CHECK((pointer.deleter() == &count_release));
    CHECK_FALSE(pointer.empty());
  }
  CHECK(releases == 1);
}

TEST_CASE("DataPtr: null data with a deleter is still given back") {
  int releases = 0;
  { const DataPtr pointer({.data = nullptr, .context = &releases, .deleter = count_release}); }
  CHECK(releases == 1);
}

TEST_CASE("DataPtr: a moved-from handle is empty and gives nothing back") {
  int releases = 0;
  double data = 0;
  DataPtr first({.data = &data, .context = &releases, .deleter = count_release});
  DataPtr second = std::move(first);
  CHECK(first.empty());
  CHECK(second.data() == &data);
  first.reset();
  CHECK(releases == 0);
  second.reset();
  CHECK(second.empty());
  CHECK(releases == 1);
}

TEST_CASE("DataPtr: assignment gives the old bytes back first, and to itself changes nothing") {
  int old_releases = 0;
  int new_releases = 0;
  double data = 0;
  DataPtr pointer({.data = &data, .context = &old_releases, .deleter = count_release});
  pointer = DataPtr({.data = &data, .context = &new_releases, .deleter = count_release});
  CHECK(old_releases == 1);
  CHECK(new_releases == 0);
  DataPtr& same = pointer;
  pointer = std::move(same);
  CHECK(new_releases == 0);
  CHECK(pointer.data() == &data);
}

TEST_CASE("DataPtr: release gives data, context and deleter and keeps nothing") {
  int releases = 0;
  double data = 0;
  DataPtr pointer({.data = &data, .context = &releases, .deleter = count_release});
  const DataPtr::Parts parts = pointer.release();
  CHECK(pointer.empty());
  CHECK(parts.data == &data);
  CHECK(parts.context == &releases);
  parts.deleter(parts.context);
  CHECK(releases == 1);
}

TEST_CASE("DataPtr: without a deleter nothing is given back") {
  double data = 0;
  DataPtr pointer({.data = &data, .context = nullptr, .deleter = nullptr});
  CHECK_FALSE(pointer.empty());
  pointer.reset();
  CHECK(pointer.empty());
}

static_assert(!std::is_copy_constructible_v<DataPtr> && !std::is_copy_assignable_v<DataPtr>);
static_assert(std::is_nothrow_move_constructible_v<DataPtr>);
static_assert(!std::is_convertible_v<DataPtr, bool>);
