// SPDX-License-Identifier: Apache-2.0
// iris: mean, covariance and correlation of Fisher's measurements, in plain host memory and then in a domain
// that host and device share, with every copy accounted for.
//
//   iris <CPU provider> <provider of a shared domain> <iris.csv>
//
// Exits 0 only when the figures, the ledger and the pools are as expected.
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "expected_values.hpp"
#include "measurements.hpp"
#include "tenure/tenure.hpp"

namespace {

using Matrix = tenure::TypedTensorView<double, 2>;

struct Statistics {
  tenure::TypedTensor<double> mean;
  tenure::TypedTensor<double, 2> covariance;
  tenure::TypedTensor<double, 2> correlation;
};

// Mean of the columns, their covariance and their correlation. No step copies an operand.
Statistics describe(const tenure::Engine& engine, const Matrix& measured) {
  const double degrees_of_freedom = static_cast<double>(measured.extent(0) - 1);
  auto mean = engine.mean(measured, {.axes = {0}, .keep_axes = true});
  const auto centred = engine.subtract(measured, mean);
  const auto products = engine.matmul(centred.as_view().transposed(), centred);
  auto covariance = engine.multiply(products, 1 / degrees_of_freedom);
  const auto sum_of_squares = engine.sum(engine.multiply(centred, centred), {.axes = {0}, .keep_axes = true});
  const auto deviation = engine.sqrt(engine.multiply(sum_of_squares, 1 / degrees_of_freedom));
  const auto scale = engine.multiply(deviation.as_view().transposed(), deviation);
  auto correlation = engine.divide(covariance, scale);
  return {std::move(mean), std::move(covariance), std::move(correlation)};
}

bool is_near(const char* name, std::span<const double> found, std::span<const double> expected) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) worst = std::max(worst, std::abs(found[i] - expected[i]));
  const bool is_right = found.size() == expected.size() && worst < 1e-9;
  std::printf("  %-12s %s   largest difference %.1e\n", name, is_right ? "as expected" : "WRONG", worst);
  return is_right;
}

template <class T>
void print_place(const char* name, const T& tensor) {
  const auto domain = tensor.domain();
  const auto id = tensor.allocation_id();
  std::printf("  %-12s %s", name, std::string(memory_kind_name(tensor.placement().memory)).c_str());
  if (domain) std::printf(" in %s", std::string(domain->name()).c_str());
  if (id) std::printf(", allocation %llu", static_cast<unsigned long long>(id->value));
  std::printf("\n");
}

void print_matrix(const char* name, std::span<const double> column_major) {
  std::printf("  %s\n", name);
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column)
      std::printf("  %10.7f", column_major[column * 4 + row]);
    std::printf("\n");
  }
}

void print_pool(const char* when, const tenure::PoolStatistics& pool) {
  std::printf("  pool %-14s idle %llu blocks, %llu bytes; %llu hits, %llu upstream allocations\n", when,
              static_cast<unsigned long long>(pool.buffers),
              static_cast<unsigned long long>(pool.capacity_bytes),
              static_cast<unsigned long long>(pool.hits), static_cast<unsigned long long>(pool.misses));
}

// Computes twice on one engine; the second round finds every buffer of the first in the pool.
bool run(const char* title, const tenure::Engine& engine, const Matrix& measured) {
  std::printf("\n%s\n", title);
  print_pool("before", engine.pool_statistics());
  tenure::LedgerScope scope;
  bool is_right = true;
  {
    const Statistics first = describe(engine, measured);
    print_place("mean", first.mean);
    print_place("covariance", first.covariance);
    print_place("correlation", first.correlation);
    print_matrix("correlation", first.correlation.map_read().host_data());
    is_right &= is_near("mean", first.mean.map_read().host_data(), iris::expected_mean);
    is_right &= is_near("covariance", first.covariance.map_read().host_data(), iris::expected_covariance);
    is_right &= is_near("correlation", first.correlation.map_read().host_data(), iris::expected_correlation);
  }
  const auto after_first = engine.pool_statistics();
  print_pool("after round 1", after_first);
  {
    const Statistics second = describe(engine, measured);
    is_right &= is_near("round 2", second.correlation.map_read().host_data(), iris::expected_correlation);
  }
  const auto after_second = engine.pool_statistics();
  print_pool("after round 2", after_second);
  std::printf("  ledger: %llu owners made, %llu named copies\n",
              static_cast<unsigned long long>(scope.owners_created()),
              static_cast<unsigned long long>(scope.copies()));
  if (after_second.misses != after_first.misses) {
    std::printf("  WRONG: the second round made upstream allocations\n");
    is_right = false;
  }
  if (scope.copies() != 0 || scope.bytes_staged() != 0) {
    std::printf("  WRONG: a computation copied an operand\n");
    is_right = false;
  }
  return is_right;
}

int run_all(const char* cpu_file, const char* shared_file, const char* data_file) {
  const iris::Measurements file = iris::read_measurements(data_file, 4);
  std::printf("%s: %lld rows of %lld numbers\n", data_file, static_cast<long long>(file.row_count),
              static_cast<long long>(file.column_count));

  tenure::Registry registry;
  const tenure::Instance cpu = registry.load(cpu_file).open();
  const tenure::Instance shared = registry.load(shared_file).open();
  const tenure::AllocationDomain domain = shared.domain("fake:0/managed");

  tenure::LedgerScope scope;
  const auto measured =
      tenure::HostTensor<double, 2>::from_vec_row_major({file.row_count, file.column_count}, file.row_major);
  print_place("measured", measured);
  // Pools recycle in every build, also where the default is to bypass them so that errors are found.
  const tenure::PoolOptions recycling{.mode = tenure::PoolMode::count};
  bool is_right = run("In plain host memory", cpu.engine({.pool = recycling}), measured.as_view());

  const auto uploaded = tenure::upload(measured.as_view(), domain);
  std::printf("\n");
  print_place("uploaded", uploaded);
  is_right &= run("In the shared domain, by the same CPU provider",
                  cpu.engine({.domain = domain, .pool = recycling}), uploaded.as_view());

  // from_vec_row_major and upload are the only copies of the whole program.
  const auto bytes = static_cast<std::uint64_t>(measured.bytes());
  std::printf("\nledger of the program: %llu named copies of %llu bytes\n",
              static_cast<unsigned long long>(scope.copies()),
              static_cast<unsigned long long>(scope.bytes_copied()));
  is_right &= scope.copies() == 2 && scope.bytes_copied() == 2 * bytes;
  std::printf("%s\n", is_right ? "everything is as expected" : "SOMETHING IS WRONG");
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: iris <CPU provider> <provider of a shared domain> <iris.csv>\n");
    return 2;
  }
  try {
    return run_all(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iris: %s\n", error.what());
    return 1;
  }
}
