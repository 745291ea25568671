// SPDX-License-Identifier: Apache-2.0
// Borrow rules that are broken where nothing can be thrown.
#include "tenure/memory/borrow_violation.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <utility>
#include <vector>

#include "support/caught.hpp"
#include "support/death.hpp"
#include "tenure/tensor/host_tensor.hpp"

using namespace tenure;
using tenure_test::contains;
using tenure_test::words_of_abort;

namespace {

std::vector<BorrowViolation>* seen = nullptr;

// Collects violations instead of ending the process.
class Watch {
 public:
  Watch() {
    seen = &violations;
    set_borrow_violation_handler(
        [](const BorrowViolation& violation) noexcept { seen->push_back(violation); });
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { set_borrow_violation_handler(nullptr); }

  std::vector<BorrowViolation> violations;
};

}  // namespace

TEST_CASE(
    "violations: destroying a borrowed owner ends the process and says where owner and view were made") {
  const int line = __LINE__;
  const std::string text = words_of_abort([] {
    std::optional tensor(HostTensor<double, 1>::zeros({3}));
    const auto view = tensor->as_view();
    tensor.reset();
  });
  CHECK(contains(text, "tenure borrow: the owner made by zeros at "));
  CHECK(contains(text, "borrow_violation_test.cpp:" + std::to_string(line + 2)));
  CHECK(contains(text, "was destroyed while it is borrowed"));
  CHECK(contains(text, "the view made by as_view at "));
  CHECK(contains(text, "borrow_violation_test.cpp:" + std::to_string(line + 3)));
}

TEST_CASE("violations: moving a borrowed owner ends the process") {
  const std::string text = words_of_abort([] {
    auto tensor = HostTensor<double, 1>::zeros({3});
    const auto view = tensor.as_view_mut();
    const auto moved = std::move(tensor);
  });
  CHECK(contains(text, "was moved while it is borrowed"));
  CHECK(contains(text, "the view made by as_view_mut at "));
}

TEST_CASE("violations: assigning over a borrowed owner ends the process") {
  const std::string text = words_of_abort([] {
    auto tensor = HostTensor<double, 1>::zeros({3});
    const auto view = tensor.as_view();
    tensor = HostTensor<double, 1>::zeros({4});
  });
  CHECK(contains(text, "was destroyed while it is borrowed"));
}

TEST_CASE("violations: a handler is told, and what follows is told too") {
  const Watch watch;
  std::optional tensor(HostTensor<double, 1>::zeros({3}));
  const auto view = tensor->as_view();
  const auto part = view.slice(0, Slice{1, 3});
  tensor.reset();
  REQUIRE(watch.violations.size() == 1);
  CHECK(watch.violations[0].kind == BorrowViolation::Kind::owner_destroyed);
  CHECK(watch.violations[0].owner.operation == "zeros");
  CHECK(part.dtype() == f64);
  REQUIRE(watch.violations.size() == 2);
  CHECK(watch.violations[1].kind == BorrowViolation::Kind::view_dangling);
  CHECK(watch.violations[1].operation == "dtype");
  CHECK(watch.violations[1].view.operation == "as_view");
}

TEST_CASE("violations: using a dangling view ends the process and says by what") {
  const std::string text = words_of_abort([] {
    set_borrow_violation_handler([](const BorrowViolation&) noexcept {});
    std::optional tensor(HostTensor<double, 1>::zeros({3}));
    const auto view = tensor->as_view();
    tensor.reset();
    set_borrow_violation_handler(nullptr);
    view.host_data();
  });
  CHECK(contains(text, "the view made by as_view at "));
  CHECK(contains(text, "was used by host_data after its end"));
  CHECK(contains(text, "the owner made by zeros at "));
}

TEST_CASE("violations: a borrowed owner that was moved all the same lends what it had lent") {
  const Watch watch;
  auto tensor = HostTensor<double, 1>::filled({3}, 2.0);
  const auto view = tensor.as_view();
  const auto moved = std::move(tensor);
  REQUIRE(watch.violations.size() == 1);
  CHECK(watch.violations[0].kind == BorrowViolation::Kind::owner_moved);
  CHECK(view(1) == 2.0);
  CHECK(watch.violations.size() == 1);
}

TEST_CASE("violations: an owner whose views have ended is moved and destroyed in peace") {
  const Watch watch;
  {
    auto tensor = HostTensor<double, 1>::zeros({3});
    tensor.as_view_mut().reborrow().flip(0)(0) = 1.0;
    auto moved = std::move(tensor);
    tensor = HostTensor<double, 1>::zeros({1});
    { const auto view = moved.as_view().transposed(); }
    moved = std::move(tensor);
  }
  CHECK(watch.violations.empty());
}
