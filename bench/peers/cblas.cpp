// SPDX-License-Identifier: Apache-2.0
// cblas: the distribution's threaded OpenBLAS, called directly.
#include <cblas.h>

#include "../peer.hpp"

namespace tenure::bench {

namespace {

struct Product {
  blasint m, n, k, count;
  CBLAS_TRANSPOSE left;
  blasint left_stride;
};

template <class T, class Gemm>
Work multiply(const MatmulJob& job, const Product& product, Gemm gemm) {
  const T* const a = static_cast<const T*>(job.a.data);
  const T* const b = static_cast<const T*>(job.b.data);
  T* const out = static_cast<T*>(job.out.data);
  return repeat([=] {
    for (blasint each = 0; each < product.count; ++each) {
      const std::int64_t at = each;
      gemm(CblasColMajor, product.left, CblasNoTrans, product.m, product.n, product.k, T{1},
           a + at * product.m * product.k, product.left_stride, b + at * product.k * product.n, product.k,
           T{0}, out + at * product.m * product.n, product.m);
    }
  });
}

class CblasPeer final : public Peer {
 public:
  std::string name() const override { return "cblas"; }
  std::string description() const override {
    const int threading = openblas_get_parallel();
    return std::string(openblas_get_config()) + ", core " + openblas_get_corename() + ", " +
           (threading == 0   ? "serial"
            : threading == 1 ? "pthread"
                             : "openmp") +
           " build";
  }
  void set_threads(unsigned threads) override { openblas_set_num_threads(static_cast<int>(threads)); }

  Work matmul(const MatmulJob& job) const override {
    if (job.is_allocating) return {};
    Product product{};
    product.m = static_cast<blasint>(job.out.extents[0]);
    product.n = static_cast<blasint>(job.out.extents[1]);
    product.k = static_cast<blasint>(job.b.extents[0]);
    product.count = job.out.extents.size() > 2 ? static_cast<blasint>(job.out.extents[2]) : 1;
    product.left = job.is_left_transposed ? CblasTrans : CblasNoTrans;
    product.left_stride = job.is_left_transposed ? product.k : product.m;
    return job.out.element == Element::f32 ? multiply<float>(job, product, &cblas_sgemm)
                                           : multiply<double>(job, product, &cblas_dgemm);
  }
};

}  // namespace

std::unique_ptr<Peer> make_cblas_peer() { return std::make_unique<CblasPeer>(); }

}  // namespace tenure::bench
