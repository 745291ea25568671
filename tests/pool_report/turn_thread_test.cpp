// SPDX-License-Identifier: Apache-2.0
#include "turn_thread.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>

using tenure::pool_report::TurnThread;

TEST_CASE("TurnThread: what it is given runs on its own thread, one after the other, before run returns") {
  TurnThread first, second;
  std::thread::id first_id, second_id, again_id;
  int order = 0;
  first.run([&] {
    first_id = std::this_thread::get_id();
    order = order * 10 + 1;
  });
  second.run([&] {
    second_id = std::this_thread::get_id();
    order = order * 10 + 2;
  });
  first.run([&] {
    again_id = std::this_thread::get_id();
    order = order * 10 + 3;
  });
  CHECK(order == 123);
  CHECK(first_id == again_id);
  CHECK(first_id != second_id);
  CHECK(first_id != std::this_thread::get_id());
}

TEST_CASE("TurnThread: what is thrown on it reaches who waits, and it goes on") {
  TurnThread thread;
  CHECK_THROWS_AS(thread.run([] { throw std::runtime_error("on the way"); }), std::runtime_error);
  bool is_done = false;
  thread.run([&] { is_done = true; });
  CHECK(is_done);
}
