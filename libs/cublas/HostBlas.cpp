// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens OpenBLAS and finds its functions.

#include "HostBlas.h"
#include "het/Base/Log.h"
#include "het/Base/SystemLibrary.h"

#include <dlfcn.h>
#include <mutex>
#include <sched.h>

namespace het::blas {
namespace {

constexpr const char *file = "libopenblas.so.0";

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

/// Finds the functions for a type; adds the names of those that are missing.
template <class T> void findFunctions(void *library, std::string &missing) {
  const auto find = [&](auto &function, const char *operation,
                        const char *begin = prefix<T>.plain) {
    const std::string name = std::string("cblas_") + begin + operation;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, name.c_str()));
    if (!function)
      missing += " " + name;
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

/// It has as many threads as there are processors, unless the device is to have fewer
/// (HET_HOST_THREADS).
void limitThreads(void *library) {
  int threads = 0;
  cpu_set_t processors;
  const auto set =
      reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
  if (set &&
      cudaDeviceGetAttribute(&threads, cudaDevAttrMultiProcessorCount, 0) ==
          cudaSuccess &&
      sched_getaffinity(0, sizeof(processors), &processors) == 0 &&
      threads < CPU_COUNT(&processors))
    set(threads);
}

Status open() {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return unavailable(std::string(file) + ": not found (" + dlerror() +
                       "); install OpenBLAS (Debian's libopenblas0)");
  std::string missing;
  findFunctions<float>(library, missing);
  findFunctions<double>(library, missing);
  findFunctions<Complex32>(library, missing);
  findFunctions<Complex64>(library, missing);
  if (!missing.empty())
    return unavailable(fileOf(library) + ": it lacks" + missing +
                       "; install OpenBLAS with its C interface (Debian's libopenblas0)");
  limitThreads(library);
  log(Level::Info, "cuBLAS: %s is the host's", fileOf(library).c_str());
  return Status::success();
}

} // namespace

Status openHostBlas() {
  static const Status opened = open();
  return opened;
}

template <class T> const HostBlas<T> &hostBlas() { return table<T>(); }
template const HostBlas<float> &hostBlas();
template const HostBlas<double> &hostBlas();
template const HostBlas<Complex32> &hostBlas();
template const HostBlas<Complex64> &hostBlas();

} // namespace het::blas
