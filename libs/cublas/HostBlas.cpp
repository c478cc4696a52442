// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds OpenBLAS's functions.

#include "HostBlas.h"
#include "common/OpenBlas.h"

namespace het::blas {
namespace {

/// What names begin with; that of functions with real results.
struct Prefix {
  const char *plain, *real;
};
template <class T> constexpr Prefix prefix = {"s", "s"};
template <> constexpr Prefix prefix<double> = {"d", "d"};
template <> constexpr Prefix prefix<Complex32> = {"c", "sc"};
template <> constexpr Prefix prefix<Complex64> = {"z", "dz"};

template <class T> HostBlas<T> &table() {
  static HostBlas<T> instance = {};
  return instance;
}

/// Finds the functions for a type.
template <class T> void findFunctions(libs::OpenBlas &library) {
  const auto find = [&](auto &function, const char *operation,
                        const char *begin = prefix<T>.plain) {
    library.find(function, std::string("cblas_") + begin + operation);
  };
  HostBlas<T> &blas = table<T>();
  find(blas.gemm, "gemm");
  find(blas.symm, "symm");
  find(blas.syrk, "syrk");
  find(blas.syr2k, "syr2k");
  find(blas.trmm, "trmm");
  find(blas.trsm, "trsm");
  find(blas.gemv, "gemv");
  find(blas.ger, isComplex<T> ? "geru" : "ger");
  find(blas.gerc, isComplex<T> ? "gerc" : "ger");
  find(blas.axpy, "axpy");
  find(blas.scal, "scal");
  find(blas.nrm2, "nrm2", prefix<T>.real);
  find(blas.asum, "asum", prefix<T>.real);
  if constexpr (isComplex<T>) {
    find(blas.hemm, "hemm");
    find(blas.herk, "herk");
    find(blas.her2k, "her2k");
    find(blas.dotu, "dotu_sub");
    find(blas.dotc, "dotc_sub");
  } else {
    find(blas.dot, "dot");
  }
}

void findAll(libs::OpenBlas &library) {
  findFunctions<float>(library);
  findFunctions<double>(library);
  findFunctions<Complex32>(library);
  findFunctions<Complex64>(library);
}

} // namespace

Status openHostBlas() {
  static const Status opened = libs::OpenBlas::open("cuBLAS", findAll);
  return opened;
}

template <class T> const HostBlas<T> &hostBlas() { return table<T>(); }
template const HostBlas<float> &hostBlas();
template const HostBlas<double> &hostBlas();
template const HostBlas<Complex32> &hostBlas();
template const HostBlas<Complex64> &hostBlas();

} // namespace het::blas
