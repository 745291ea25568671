// SPDX-License-Identifier: Apache-2.0
#include "breadcrumb.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>
#include <thread>

namespace {

using namespace tenure::probe;
using tenure::abi::CallSlot;

}  // namespace

TEST_SUITE("probe/breadcrumb") {
  TEST_CASE("Breadcrumb: a fresh one has no call, no crash and no place") {
    const Breadcrumb breadcrumb = Breadcrumb::create();

    const BreadcrumbReading reading = breadcrumb.read();
    CHECK(reading.call_count == 0);
    CHECK_FALSE(reading.crash.has_value());
    CHECK(reading.place() == nullptr);
  }

  TEST_CASE("Breadcrumb: the one attached to the descriptor is read through the one that was created") {
    const Breadcrumb parent = Breadcrumb::create();
    Breadcrumb child = Breadcrumb::attach(FileDescriptor(::dup(parent.descriptor())));

    child.entering(CallSlot::open);
    child.left();
    child.entering(CallSlot::storage_create);

    const BreadcrumbReading reading = parent.read();
    CHECK(reading.call_count == 2);
    REQUIRE(reading.place() != nullptr);
    CHECK(reading.place()->slot == CallSlot::storage_create);
    CHECK(reading.place()->number == 2);
    CHECK(reading.place()->inside);
  }

  TEST_CASE("Breadcrumb: a thread inside a call is the place, also when another made a later call") {
    Breadcrumb breadcrumb = Breadcrumb::create();

    breadcrumb.entering(CallSlot::storage_map);
    std::thread([&] {
      breadcrumb.entering(CallSlot::copy);
      breadcrumb.left();
    }).join();

    const BreadcrumbReading reading = breadcrumb.read();
    CHECK(reading.threads.size() == 2);
    CHECK(reading.place()->slot == CallSlot::storage_map);
  }

  TEST_CASE("Breadcrumb: the thread that crashed is the place, with the offset in the image") {
    Breadcrumb breadcrumb = Breadcrumb::create();
    breadcrumb.set_image(0x1000, 0x2000);

    breadcrumb.entering(CallSlot::copy);
    std::thread([&] {
      breadcrumb.entering(CallSlot::fill);
      breadcrumb.record_crash(SIGSEGV, 0x10, 0x1234);
      breadcrumb.record_crash(SIGABRT, 0, 0);
    }).join();

    const BreadcrumbReading reading = breadcrumb.read();
    REQUIRE(reading.crash.has_value());
    CHECK(reading.crash->signal == SIGSEGV);
    CHECK(reading.crash->address == 0x10);
    CHECK(reading.crash->in_image);
    CHECK(reading.crash->image_offset == 0x234);
    CHECK(reading.place()->slot == CallSlot::fill);
  }
}
