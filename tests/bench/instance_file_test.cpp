// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "bench_run.hpp"
#include "network/contraction.hpp"
#include "network/instance.hpp"
#include "usage_error.hpp"

namespace {

using namespace tenure::bench;
using tenure::test::run_bench;
using tenure::test::TemporaryFile;

const std::string provider = std::string(TENURE_TEST_PROVIDERS) + "/libtenure_cpu.so";

std::string file_of(const std::string& equation, const std::string& shapes, const std::string& path) {
  return R"({"name": "n", "dtype": "float64", "format_string": ")" + equation + R"(", "shapes": )" + shapes +
         R"(, "paths": {"opt_flops": {"path": )" + path + "}}}";
}

std::string refusal_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_instance(file.path(), "opt_flops");
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

// Every index of a network, one combination after the other.
std::vector<double> brute_force(const NetworkInstance& instance, const std::vector<Array>& arrays) {
  std::vector<std::int64_t> index(instance.extents.size(), 0);
  const auto place = [&](const Labels& labels) {
    std::int64_t at = 0, stride = 1;
    for (const Label label : labels) {
      at += index[static_cast<std::size_t>(label)] * stride;
      stride *= instance.extents[static_cast<std::size_t>(label)];
    }
    return static_cast<std::size_t>(at);
  };
  std::size_t count = 1;
  for (const std::int64_t extent : instance.extents_of(instance.output))
    count *= static_cast<std::size_t>(extent);
  std::vector<double> result(count, 0);
  for (;;) {
    double product = 1;
    for (std::size_t tensor = 0; tensor < arrays.size(); ++tensor) {
      product *= static_cast<const double*>(arrays[tensor].data)[place(instance.tensors[tensor])];
    }
    result[place(instance.output)] += product;
    std::size_t label = 0;
    while (label < index.size() && ++index[label] == instance.extents[label]) index[label++] = 0;
    if (label == index.size()) return result;
  }
}

}  // namespace

TEST_SUITE("bench/instance_file") {
  TEST_CASE("a contraction along a path gives what summing over every index gives") {
    Setup setup({provider, 1, 3});
    for (const std::string& text :
         {file_of("ij,jk,kl->il", "[[2,3],[3,4],[4,5]]", "[[0,1],[0,1]]"),
          // An index of three tensors, one of a single tensor, one that the output keeps, a path from the
          // end.
          file_of("aij,jk,kjb,xa->ba", "[[2,3,4],[4,5],[5,4,2],[3,2]]", "[[3,1],[0,2],[1,0]]"),
          file_of("i,j->ij", "[[3],[4]]", "[[1,0]]"), file_of("ij,ij->ji", "[[3,4],[3,4]]", "[[0,1]]"),
          file_of("ijk->kj", "[[2,3,4]]", "[]"), file_of("ab,ab->", "[[3,4],[3,4]]", "[[0,1]]"),
          // Letters beyond ASCII.
          file_of("\xc3\xa7\xc3\xa8,\xc3\xa8\xd1\x8c->\xd1\x8c", "[[2,3],[3,4]]", "[[0,1]]")}) {
      CAPTURE(text);
      const TemporaryFile file(text);
      const NetworkInstance instance = read_instance(file.path(), "opt_flops");
      const Contraction contraction(instance, 11);
      const auto found = contraction.elements(contraction.run(setup.engine(1)));
      const auto wanted = brute_force(instance, contraction.arrays());

      REQUIRE(found.size() == wanted.size());
      for (std::size_t at = 0; at < found.size(); ++at)
        CHECK(found[at] == doctest::Approx(wanted[at]).epsilon(1e-12));
    }
  }

  TEST_CASE("what is wrong is named with its place in the file") {
    CHECK(refusal_of("nonsense").find("JSON") != std::string::npos);
    CHECK(refusal_of("{}").find("'name' is missing") != std::string::npos);
    CHECK(refusal_of(R"({"name": "n", "dtype": "float32"})").find("dtype: wanted float64") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk", "[[2,3],[3,4]]", "[[0,1]]")).find("arrow") != std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->iz", "[[2,3],[3,4]]", "[[0,1]]")).find("'z'") != std::string::npos);
    CHECK(refusal_of(file_of("ii,ik->k", "[[2,2],[2,4]]", "[[0,1]]")).find("twice") != std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3]]", "[[0,1]]")).find("one shape for each of 2") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[3]]", "[[0,1]]")).find("shapes[1]: wanted 2 extents") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[5,4]]", "[[0,1]]")).find("shapes[1]") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,0],[0,4]]", "[[0,1]]")).find("at least 1") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[3,4]]", "[[0,2]]")).find("list of 2") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[3,4]]", "[[0,0]]")).find("one twice") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[3,4]]", "[[0]]")).find("pair of positions") !=
          std::string::npos);
    CHECK(refusal_of(file_of("ij,jk->ik", "[[2,3],[3,4]]", "[]")).find("one tensor is left") !=
          std::string::npos);
    CHECK(refusal_of(
              R"({"name": "n", "dtype": "float64", "format_string": "i->i", "shapes": [[2]], "paths": {}})")
              .find("'opt_flops' is missing") != std::string::npos);
  }

  TEST_CASE("the command contracts a file twice and the second run takes nothing from the system") {
    const TemporaryFile good(file_of("ij,jk,kl->il", "[[20,30],[30,40],[40,50]]", "[[0,1],[0,1]]"));
    const auto run = run_bench({"network", "--instance", good.path(), "--path", "opt_flops", "--seed", "5",
                                "--provider", provider, "--min-time", "0.001", "--threads", "1"});
    CHECK(run.error == "");
    CHECK(run.exit_status == 0);
    const std::size_t second = run.out.find("second run");
    REQUIRE(second != std::string::npos);
    CHECK(run.out.find("0 allocations from the system", second) != std::string::npos);

    const auto missing =
        run_bench({"network", "--instance", good.path(), "--path", "opt_size", "--provider", provider});
    CHECK(missing.exit_status == 2);
    CHECK(missing.error.find("opt_size") != std::string::npos);
  }
}
