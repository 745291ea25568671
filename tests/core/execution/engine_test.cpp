// SPDX-License-Identifier: Apache-2.0
// What the core decides for every engine: validation, broadcasting, destinations, outputs, maps.
#include "tenure/execution/engine.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/execution/throws_validation.hpp"
#include "support/providers.hpp"
#include "tenure/base/disjoint_error.hpp"
#include "tenure/base/empty_owner.hpp"
#include "tenure/base/execution_error.hpp"
#include "tenure/base/out_of_memory.hpp"
#include "tenure/tenure.hpp"

namespace {

using tenure::HostTensor;
using tenure::ValidationError;
using tenure_test::throws_validation;

tenure::Engine make_engine() {
  return tenure::test::open("cpu").engine({.pool = {.mode = tenure::PoolMode::count}});
}

HostTensor<double> tensor(tenure::AxisValues extents, std::vector<double> values) {
  return HostTensor<double>::from_vec_col_major(extents, std::move(values));
}

std::vector<double> values(const tenure::TypedTensor<double>& result) { return result.to_vec_col_major(); }

}  // namespace

TEST_SUITE("execution/engine") {
  TEST_CASE("add: extents of 1 broadcast on either side") {
    const auto engine = make_engine();
    const auto column = tensor({3, 1}, {1, 2, 3});
    const auto row = tensor({1, 2}, {10, 20});

    const auto sum = engine.add(column, row);

    CHECK(std::vector(sum.extents().begin(), sum.extents().end()) == std::vector<std::int64_t>{3, 2});
    CHECK(values(sum) == std::vector<double>{11, 12, 13, 21, 22, 23});
  }

  TEST_CASE("add: other extents and other ranks are typed errors that name both sides") {
    const auto engine = make_engine();
    const auto a = tensor({3}, {1, 2, 3});

    CHECK(throws_validation<tenure::ShapeMismatch>([&] { (void)engine.add(a, tensor({2}, {1, 2})); }));
    CHECK(throws_validation<tenure::RankMismatch>([&] { (void)engine.add(a, tensor({3, 1}, {1, 2, 3})); }));
    CHECK(engine.pool_statistics().misses == 0);
  }

  TEST_CASE("add: different element types are an error that names cast") {
    const auto engine = make_engine();
    const auto a = tensor({2}, {1, 2});
    const auto b = tenure::Tensor::from_vec_col_major<float>({2}, {1, 2});
    try {
      (void)engine.add(a, b);
      FAIL("should have thrown");
    } catch (const ValidationError& error) {
      const auto* detail = error.get_if<tenure::DTypeMismatch>();
      REQUIRE(detail != nullptr);
      CHECK(detail->expected == "f64");
      CHECK(detail->actual == "f32");
      CHECK(std::string(error.what()).find("cast") != std::string::npos);
    }
  }

  TEST_CASE("functions refuse element types outside their row and list those that would do") {
    const auto engine = make_engine();
    const auto flags = HostTensor<bool>::filled({2}, true);
    const auto integers = HostTensor<std::int32_t>::filled({2}, 4);

    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.add(flags, flags); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.sqrt(integers); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.mean(integers); }));
  }

  TEST_CASE("scalars take the tensor's element type on either side") {
    const auto engine = make_engine();
    const auto a = tensor({2}, {1, 4});

    CHECK(values(engine.multiply(a, 0.5)) == std::vector<double>{0.5, 2});
    CHECK(values(engine.subtract(10, a)) == std::vector<double>{9, 6});
    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)engine.add(HostTensor<std::int32_t>::filled({2}, 1), 0.5); }));
  }

  TEST_CASE("comparisons give bool and where chooses by it") {
    const auto engine = make_engine();
    const auto a = tensor({4}, {1, 2, 3, 4});

    const auto is_large = engine.greater(a, 2);
    static_assert(std::is_same_v<decltype(is_large), const tenure::TypedTensor<bool>>);

    CHECK(values(engine.where(is_large, a, 0.0)) == std::vector<double>{0, 0, 3, 4});
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { (void)engine.where(a, a, a); }));
  }

  TEST_CASE("views of any layout are operands without a copy") {
    const auto engine = make_engine();
    const auto a = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
    tenure::LedgerScope scope;

    CHECK(values(engine.copy(a.as_view().transposed())) == std::vector<double>{1, 3, 5, 2, 4, 6});
    CHECK(values(engine.neg(a.as_view().slice(1, {.step = -1}))) ==
          std::vector<double>{-5, -6, -3, -4, -1, -2});
    CHECK(values(engine.add(a.as_view().select(1, 0), a.as_view().select(1, -1))) ==
          std::vector<double>{6, 8});
    CHECK(scope.copies() == 3 + 1);  // engine.copy is one, and to_vec_col_major of each result
  }

  TEST_CASE("a destination may be an input index by index and nothing else") {
    const auto engine = make_engine();
    auto a = tensor({4}, {1, 2, 3, 4});

    engine.add_into(a, a, a);
    CHECK(std::vector(a.host_data().begin(), a.host_data().end()) == std::vector<double>{2, 4, 6, 8});
    {
      const auto view = a.as_view_mut();
      engine.neg_into(view, view);
      const auto parts = view.try_multi_slice_mut({{{.step = 2}}, {{.start = 1, .step = 2}}});
      engine.neg_into(parts[0], parts[1]);
    }
    CHECK(std::vector(a.host_data().begin(), a.host_data().end()) == std::vector<double>{-2, 2, -6, 6});

    // Of the same memory, as views of parts that do not exclude each other are.
    const auto state = tenure::StateAccess::state(a).view();
    const auto part = [&](const tenure::Slice& slice) {
      return tenure::StateAccess::make<tenure::TensorView>(state.with_layout(state.layout().slice(0, slice)));
    };
    CHECK_THROWS_AS(engine.neg_into(part({.step = -1}), a), tenure::DisjointError);
    CHECK_THROWS_AS(engine.neg_into(part({.stop = 3}), a.as_view_mut().slice(0, {.start = 1})),
                    tenure::DisjointError);
    CHECK_THROWS_AS(engine.copy_into(a, a), tenure::DisjointError);
  }

  TEST_CASE("a destination is never resized or converted") {
    const auto engine = make_engine();
    const auto a = tensor({4}, {1, 2, 3, 4});
    auto small = tensor({3}, {0, 0, 0});
    auto narrow = HostTensor<float>::filled({4}, 0);

    CHECK(throws_validation<tenure::ShapeMismatch>([&] { engine.neg_into(a, small); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { engine.neg_into(a, narrow); }));
    CHECK(throws_validation<tenure::DTypeMismatch>([&] { engine.copy_into(a, narrow); }));
    engine.cast_into(a, narrow);
    CHECK(narrow(3) == 4.0F);
  }

  TEST_CASE("tensors without elements are computed on without asking the provider") {
    const auto engine = make_engine();
    const auto none = tensor({0, 3}, {});

    CHECK(engine.add(none, none).element_count() == 0);
    CHECK(values(engine.sum(none, {.axes = {0}})) == std::vector<double>{0, 0, 0});
    CHECK(values(engine.matmul(none.as_view().transposed(), none).into_rank<tenure::dynamic_rank>()) ==
          std::vector<double>(9, 0));
    CHECK(throws_validation<tenure::InvalidArgument>([&] { (void)engine.max(none, {.axes = {0}}); }));
    CHECK(engine.max(none, {.axes = {1}}).element_count() == 0);
  }

  TEST_CASE("reductions drop axes or keep them with extent 1") {
    const auto engine = make_engine();
    const auto a = tensor({2, 3}, {1, 2, 3, 4, 5, 6});

    CHECK(values(engine.sum(a)) == std::vector<double>{21});
    CHECK(engine.sum(a).rank() == 0);
    CHECK(values(engine.sum(a, {.axes = {0}})) == std::vector<double>{3, 7, 11});
    CHECK(values(engine.max(a, {.axes = {-1}})) == std::vector<double>{5, 6});
    const auto kept = engine.mean(a, {.axes = {1}, .keep_axes = true});
    CHECK(kept.rank() == 2);
    CHECK(kept.extent(1) == 1);
    CHECK(values(kept) == std::vector<double>{3, 4});
    auto destination = tensor({3}, {0, 0, 0});
    engine.reduce_into(tenure::Reduction::min, a, destination, {.axes = {0}});
    CHECK(std::vector(destination.host_data().begin(), destination.host_data().end()) ==
          std::vector<double>{1, 3, 5});
    CHECK(throws_validation<tenure::AxisOutOfBounds>([&] { (void)engine.sum(a, {.axes = {2}}); }));
  }

  TEST_CASE("matmul takes transposed operands and refuses extents and ranks that do not fit") {
    const auto engine = make_engine();
    const auto a = HostTensor<double, 2>::from_vec_row_major({2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6});

    const auto product = engine.matmul(a, a.as_view().transposed());
    static_assert(std::is_same_v<decltype(product), const tenure::TypedTensor<double, 2>>);
    CHECK(product.to_vec_row_major() == std::vector<double>{14, 32, 32, 77});

    CHECK(throws_validation<tenure::PairedExtentMismatch>([&] { (void)engine.matmul(a, a); }));
    CHECK(throws_validation<tenure::RankMismatch>([&] { (void)engine.matmul(a.as_view().select(0, 0), a); }));
  }

  TEST_CASE("matmul_into accumulates with alpha and beta, and with beta 0 does not read the destination") {
    const auto engine = make_engine();
    const auto a = HostTensor<double, 2>::filled({2, 2}, 1);
    auto out = HostTensor<double, 2>::filled({2, 2}, 10);

    engine.matmul_into(a, a, out, {.alpha = 0.5, .beta = 2});
    CHECK(out(0, 0) == 21);
    out(0, 0) = std::numeric_limits<double>::quiet_NaN();
    engine.matmul_into(a, a, out);
    CHECK(out(0, 0) == 2);
    CHECK_THROWS_AS(engine.matmul_into(out, a, out), tenure::DisjointError);
  }

  TEST_CASE("contract pairs the axes it is told to and puts batch axes last") {
    const auto engine = make_engine();
    const auto a = tensor({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});

    // out[i, j, b] = sum over k of a[i, k, b] * a[k, j, b]
    const auto product = engine.contract(
        a, a, {.left_contracted = {1}, .right_contracted = {0}, .left_batch = {2}, .right_batch = {2}});

    CHECK(values(product) == std::vector<double>{7, 10, 15, 22, 67, 78, 91, 106});
    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)engine.contract(a, a, {.left_contracted = {1}}); }));
    CHECK(throws_validation<tenure::DuplicateAxis>([&] {
      (void)engine.contract(a, a, {.left_contracted = {1, 1}, .right_contracted = {0, 1}});
    }));
  }

  TEST_CASE("a program computes several functions in one pass and gives all its outputs") {
    const auto engine = make_engine();
    const auto a = tensor({3}, {1, 4, 9});
    tenure::Program program;
    const auto x = program.input(tenure::f64);
    const auto root = program.apply(tenure::Function::sqrt, {x});
    program.output(program.apply(tenure::Function::multiply, {root, program.constant(tenure::f64, 2)}));
    program.output(program.apply(tenure::Function::greater, {root, program.constant(tenure::f64, 1.5)}));

    const auto outputs = engine.run(program, {a});

    REQUIRE(outputs.size() == 2);
    CHECK(outputs[0].to_vec_col_major<double>() == std::vector<double>{2, 4, 6});
    CHECK(outputs[1].dtype() == tenure::boolean);
    CHECK(throws_validation<tenure::InvalidArgument>([&] { (void)engine.run(program, {a, a}); }));
    CHECK(throws_validation<tenure::InvalidArgument>([&] { program.apply(tenure::Function::add, {x}); }));
  }

  TEST_CASE("what can be refused is refused before an output is taken from the pool") {
    const auto engine = make_engine();
    const auto fake = tenure::test::open("fake_shared");
    const auto a = tensor({2}, {1, 2});
    const auto there = tenure::upload(a.as_view(), fake.domain("fake:0/device"));
    const auto none = tensor({0, 3}, {});
    const auto devices = tenure::test::open("cpu").engine({.domain = fake.domain("fake:0/device")});

    CHECK_THROWS_AS((void)engine.max(none, {.axes = {0}}), ValidationError);
    CHECK_THROWS_AS((void)engine.add(a, there), tenure::AccessError);
    CHECK_THROWS_AS((void)engine.copy(there), tenure::AccessError);
    CHECK_THROWS_AS((void)engine.contract(a, there, {}), tenure::AccessError);
    CHECK(engine.pool_statistics().misses == 0);
    CHECK_THROWS_AS((void)devices.neg(a), tenure::AccessError);
    CHECK(devices.pool_statistics().misses == 0);
  }

  TEST_CASE("a number that is no function is a typed error") {
    const auto engine = make_engine();
    const auto a = tensor({2}, {1, 2});
    const auto function = static_cast<tenure::Function>(99);

    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)engine.apply(function, {tenure::TensorRead(a)}); }));
    CHECK(
        throws_validation<tenure::InvalidArgument>([&] { (void)engine.supports(function, {tenure::f64}); }));
    CHECK(throws_validation<tenure::InvalidArgument>(
        [&] { (void)engine.reduce(static_cast<tenure::Reduction>(99), a); }));
  }

  TEST_CASE("run_into writes over an input index by index while other outputs still need it") {
    const auto engine = make_engine();
    auto x = tensor({3}, {1, 2, 3});
    auto z = tensor({3}, {0, 0, 0});
    tenure::Program program;
    const auto value = program.input(tenure::f64);
    program.output(program.apply(tenure::Function::multiply, {value, program.constant(tenure::f64, 2)}));
    program.output(program.apply(tenure::Function::multiply, {value, program.constant(tenure::f64, 3)}));

    engine.run_into(program, {x}, {x, z});

    CHECK(std::vector(x.host_data().begin(), x.host_data().end()) == std::vector<double>{2, 4, 6});
    CHECK(std::vector(z.host_data().begin(), z.host_data().end()) == std::vector<double>{3, 6, 9});
    CHECK_THROWS_AS(engine.run_into(program, {x}, {z, z}), tenure::DisjointError);
  }

  TEST_CASE("a value of another program is refused, also when that program is gone") {
    std::optional<tenure::Program> first(std::in_place);
    (void)first->input(tenure::f64);
    const auto stale = first->input(tenure::f64);
    first.emplace();
    (void)first->input(tenure::f64);

    CHECK(throws_validation<tenure::InvalidArgument>([&] { first->output(stale); }));
  }

  TEST_CASE("an engine is not used in a process that was forked from its own") {
    const auto engine = make_engine();
    const auto a = tensor({2}, {1, 2});
    auto out = tensor({2}, {0, 0});
    const pid_t child = fork();
    if (child == 0) {
      try {
        engine.neg_into(a, out);
      } catch (const tenure::ProviderError& error) {
        _exit(error.status_code() == TENURE_FAILED_PRECONDITION ? 0 : 2);
      }
      _exit(1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }

  TEST_CASE("reclaim_buffer of a moved-from tensor is a typed error") {
    const auto engine = make_engine();
    auto a = tensor({2}, {1, 2});
    engine.reclaim_buffer(std::move(a));
    CHECK_THROWS_AS(engine.reclaim_buffer(std::move(a)),
                    tenure::EmptyOwner);  // NOLINT(bugprone-use-after-move)
  }

  TEST_CASE("an integer divisor of zero is refused before anything is written") {
    const auto engine = make_engine();
    const auto a = HostTensor<std::int32_t>::filled({4}, 8);
    auto divisors = HostTensor<std::int32_t>::filled({4}, 2);
    auto out = HostTensor<std::int32_t>::filled({4}, -1);
    divisors(3) = 0;
    try {
      engine.divide_into(a, divisors, out);
      FAIL("should have thrown");
    } catch (const tenure::ExecutionError& error) {
      CHECK(error.kind() == tenure::ExecutionError::Kind::refused);
      CHECK(error.cause() != nullptr);
    }
    CHECK(out(0) == -1);
  }

  TEST_CASE("memory that the host cannot map is refused before anything is touched") {
    const auto engine = make_engine();
    const auto fake = tenure::test::open("fake_shared");
    const auto device = fake.domain("fake:0/device");
    const auto a = tensor({2}, {1, 2});
    const auto there = tenure::upload(a.as_view(), device);

    CHECK_THROWS_AS((void)engine.add(there, there), tenure::AccessError);
    CHECK(engine.pool_statistics().live_count == 0);
  }

  TEST_CASE("an output that finds no memory is OutOfMemory of the operation that was called") {
    tenure::Registry registry;
    const auto small =
        registry.load(tenure::test::provider_file("fake_shared")).open({{"memory_bytes", "12288"}});
    const auto domain = small.domain("fake:0/managed");
    const auto engine = tenure::test::open("cpu").engine({.domain = domain});
    const auto a = HostTensor<double, 2>::zeros({32, 32});
    const auto held = tenure::upload(a.as_view(), domain);
    try {
      (void)engine.matmul(a, a);
      FAIL("should have thrown");
    } catch (const tenure::OutOfMemory& error) {
      CHECK(error.operation() == "matmul");
      CHECK(error.domain() == "fake:0/managed");
    }
  }

  TEST_CASE("memory that is mapped is refused, and the output goes back to the pool") {
    const auto fake = tenure::test::open("fake_shared");
    const auto domain = fake.domain("fake:0/managed-noncoherent");
    const auto engine = make_engine();
    const auto a = tensor({2}, {1, 2});
    auto shared = tenure::upload(a.as_view(), domain);
    {
      const auto& storage = tenure::StateAccess::state(shared).storage();
      const tenure::StorageMap map("map", storage.address(), storage.record(), tenure::MapAccess::write);
      CHECK_THROWS_AS((void)engine.neg(shared), tenure::AccessError);
    }
    CHECK(engine.pool_statistics().live_count == 0);
    CHECK(values(engine.neg(shared)) == std::vector<double>{-1, -2});
  }

  TEST_CASE("a moved-from engine and a moved-from operand are typed errors") {
    auto engine = make_engine();
    auto a = tensor({2}, {1, 2});
    const auto taken = std::move(a);
    CHECK_THROWS_AS((void)engine.neg(a), tenure::EmptyOwner);  // NOLINT(bugprone-use-after-move)

    const auto other = std::move(engine);
    CHECK_THROWS_AS((void)engine.neg(taken), tenure::EmptyOwner);  // NOLINT(bugprone-use-after-move)
    CHECK(values(other.neg(taken)) == std::vector<double>{-1, -2});
  }

  TEST_CASE("engines of a provider without the extension are refused in words") {
    try {
      (void)tenure::test::open("fake_shared").engine({});
      FAIL("should have thrown");
    } catch (const tenure::ProviderError& error) {
      CHECK(error.status_code() == TENURE_UNIMPLEMENTED);
    }
  }

  TEST_CASE("an instance with an engine does not close and says what lives") {
    auto cpu = tenure::test::open("cpu");
    {
      const auto engine = cpu.engine({});
      try {
        cpu.close();
        FAIL("should have thrown");
      } catch (const tenure::ProviderError& error) {
        CHECK(error.status_code() == TENURE_FAILED_PRECONDITION);
        CHECK(std::string(error.what()).find("engine") != std::string::npos);
      }
    }
    cpu.close();
    CHECK(cpu.is_closed());
  }

  TEST_CASE("one engine serves several threads at once") {
    const auto engine = make_engine();
    std::vector<std::thread> threads;
    std::vector<double> totals(4);
    for (std::size_t i = 0; i < totals.size(); ++i) {
      threads.emplace_back([&, i] {
        const auto a = HostTensor<double, 1>::filled({1000}, static_cast<double>(i));
        for (int round = 0; round < 50; ++round)
          totals[i] += engine.sum(engine.add(a, a)).to_vec_col_major()[0];
      });
    }
    for (auto& thread : threads) thread.join();
    for (std::size_t i = 0; i < totals.size(); ++i) CHECK(totals[i] == 50 * 2000.0 * static_cast<double>(i));
  }
}
