// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds LAPACK's functions in OpenBLAS.

#include "HostLapack.h"
#include "common/OpenBlas.h"

namespace het::solver {
namespace {

template <class T> constexpr const char *prefix = "s";
template <> constexpr const char *prefix<double> = "d";
template <> constexpr const char *prefix<Complex32> = "c";
template <> constexpr const char *prefix<Complex64> = "z";

template <class T> HostLapack<T> &table() {
  static HostLapack<T> instance = {};
  return instance;
}

template <class T> void findFunctions(libs::OpenBlas &library) {
  const auto find = [&](auto &function, const char *operation) {
    library.find(function, std::string(prefix<T>) + operation + "_");
  };
  HostLapack<T> &lapack = table<T>();
  find(lapack.potrf, "potrf");
  find(lapack.potrs, "potrs");
  find(lapack.potri, "potri");
  find(lapack.trtri, "trtri");
  find(lapack.getrf, "getrf");
  find(lapack.getrs, "getrs");
  find(lapack.geqrf, "geqrf");
  find(lapack.orgqr, isComplex<T> ? "ungqr" : "orgqr");
  find(lapack.ormqr, isComplex<T> ? "unmqr" : "ormqr");
  if constexpr (isComplex<T>) {
    find(lapack.heevd, "heevd");
    find(lapack.hegvd, "hegvd");
    find(lapack.gesddComplex, "gesdd");
    find(lapack.gesvdComplex, "gesvd");
  } else {
    find(lapack.syevd, "syevd");
    find(lapack.sygvd, "sygvd");
    find(lapack.gesddReal, "gesdd");
    find(lapack.gesvdReal, "gesvd");
  }
}

void findAll(libs::OpenBlas &library) {
  findFunctions<float>(library);
  findFunctions<double>(library);
  findFunctions<Complex32>(library);
  findFunctions<Complex64>(library);
}

} // namespace

Status openHostLapack() {
  static const Status opened = libs::OpenBlas::open("cuSOLVER", findAll);
  return opened;
}

template <class T> const HostLapack<T> &hostLapack() { return table<T>(); }
template const HostLapack<float> &hostLapack();
template const HostLapack<double> &hostLapack();
template const HostLapack<Complex32> &hostLapack();
template const HostLapack<Complex64> &hostLapack();

} // namespace het::solver
