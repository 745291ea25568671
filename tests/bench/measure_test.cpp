// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tenure::bench;

TEST_SUITE("bench/measure") {
  TEST_CASE("quartiles of few samples lie between them") {
    const Quartiles one = quartiles({3});
    CHECK(one.median == 3);
    CHECK(one.p25 == 3);
    CHECK(one.p75 == 3);
    const Quartiles five = quartiles({5, 1, 4, 2, 3});
    CHECK(five.median == 3);
    CHECK(five.p25 == 2);
    CHECK(five.p75 == 4);
    CHECK(quartiles({1, 2}).median == 1.5);
  }

  TEST_CASE("a ratio says how many times better ours is, whichever way is better") {
    Case measured;
    measured.ours = [](std::uint64_t) { return 2.0; };
    measured.peers = {{"peer", [](std::uint64_t) { return 6.0; }}};
    CaseEntry entry;
    entry.name = "suite/case";

    CHECK(measure(entry, measured, 0).peers.at(0).ratio == 3);
    entry.better = Better::higher;
    CHECK(measure(entry, measured, 0).peers.at(0).ratio == doctest::Approx(1.0 / 3));
  }

  TEST_CASE("each round begins with another contender than the one before") {
    std::string order;
    Case measured;
    const auto contender = [&order](char letter) {
      return [&order, letter](std::uint64_t) {
        if (order.empty() || order.back() != letter) order += letter;
        return 1.0;
      };
    };
    measured.ours = contender('o');
    measured.peers = {{"p", contender('p')}, {"q", contender('q')}};
    CaseEntry entry;
    measure(entry, measured, 0);

    // Where one round ends and the next one begins.
    CHECK(order.find("qp") != std::string::npos);
    CHECK(order.find("oq") != std::string::npos);
    CHECK(order.find("po") != std::string::npos);
  }
}
