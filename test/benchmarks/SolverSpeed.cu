// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors, eigenvalues and singular values of square matrices of double by cuSOLVER,
// against a LAPACK of the host that is called directly. Both sides take turns in one run;
// the best times count.
//
//   hetcc -O3 -std=c++17 SolverSpeed.cu -o solver-speed -lcusolver -ldl
//   ./solver-speed [--direct=libopenblas.so.0] [--sizes=1024,2048] [--turns=5]
//                  [--only=potrf,getrf] [--processor-time]
//
// Prints `solver: OPERATION SIZE TIME ms [RATIO]`; the ratio is the direct time to
// cuSOLVER's.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    if (const int code = static_cast<int>(call)) {                                       \
      std::fprintf(stderr, "%s: %d\n", #call, code);                                     \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (false)

using Work = std::function<void()>;

static clockid_t timer = CLOCK_MONOTONIC;

static double now() {
  timespec time;
  clock_gettime(timer, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Options {
  std::vector<int> sizes = {1024, 2048};
  int turns = 5;
  std::string only;
  void *direct = nullptr;

  bool wants(const char *name) const {
    return only.empty() || ("," + only + ",").find("," + std::string(name) + ",") !=
                               std::string::npos;
  }
  template <class Function> Function *find(const char *name) const {
    auto *found = reinterpret_cast<Function *>(direct ? dlsym(direct, name) : nullptr);
    if (direct && !found) {
      std::fprintf(stderr, "no %s\n", name);
      std::exit(1);
    }
    return found;
  }
};

/// The matrix that a call changes is put back before it, which is not timed.
struct Measurement {
  const Options &options;
  int size;
  double *a, *original;

  double secondsOf(const Work &work) const {
    const size_t bytes = static_cast<size_t>(size) * size * sizeof(double);
    CHECK(cudaMemcpy(a, original, bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
    const double begin = now();
    work();
    CHECK(cudaDeviceSynchronize());
    return now() - begin;
  }
  void run(const char *name, const Work &library, const Work &direct) const {
    if (!options.wants(name))
      return;
    double best = 1e9, bestDirect = 1e9;
    secondsOf(library);
    for (int turn = 0; turn < options.turns; ++turn) {
      best = std::min(best, secondsOf(library));
      if (options.direct)
        bestDirect = std::min(bestDirect, secondsOf(direct));
    }
    std::printf("solver: %s %d %.3f ms", name, size, best * 1e3);
    if (options.direct)
      std::printf(" %.3f", bestDirect / best);
    std::printf("\n");
    std::fflush(stdout);
  }
};

template <class T> static T *memory(size_t count) {
  T *place = nullptr;
  CHECK(cudaMalloc(&place, count * sizeof(T)));
  return place;
}

static void measureAll(cusolverDnHandle_t handle, int n, const Options &options) {
  const size_t count = static_cast<size_t>(n) * n;
  std::vector<double> host(count);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const size_t low = std::min(i, j), high = std::max(i, j);
      host[i + static_cast<size_t>(j) * n] =
          static_cast<double>((low * 40503 + high * 2654435761u) % 1000) * 1e-3 - 0.5 +
          (i == j ? n : 0);
    }
  double *a = memory<double>(count), *original = memory<double>(count),
         *u = memory<double>(count), *vt = memory<double>(count),
         *values = memory<double>(n), *tau = memory<double>(n);
  int *pivots = memory<int>(n), *info = memory<int>(1), size = 0, most = 1;
  CHECK(cudaMemcpy(original, host.data(), count * sizeof(double), cudaMemcpyHostToDevice));
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  CHECK(cusolverDnDpotrf_bufferSize(handle, lower, n, a, n, &size));
  most = std::max(most, size);
  CHECK(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &size));
  most = std::max(most, size);
  CHECK(cusolverDnDgeqrf_bufferSize(handle, n, n, a, n, &size));
  most = std::max(most, size);
  CHECK(cusolverDnDsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, lower, n, a, n,
                                    values, &size));
  most = std::max(most, size);
  CHECK(cusolverDnDgesvd_bufferSize(handle, n, n, &size));
  most = std::max(most, size);
  double *work = memory<double>(most);
  std::vector<double> room(8 * count + 64 * static_cast<size_t>(n));
  std::vector<int> integers(16 * static_cast<size_t>(n));
  const Measurement m = {options, n, a, original};

  auto *dpotrf = options.find<void(const char *, const int *, double *, const int *, int *,
                                   size_t)>("dpotrf_");
  m.run(
      "potrf", [&] { CHECK(cusolverDnDpotrf(handle, lower, n, a, n, work, most, info)); },
      [&] { dpotrf("L", &n, a, &n, info, 1); });
  auto *dgetrf = options.find<void(const int *, const int *, double *, const int *, int *,
                                   int *)>("dgetrf_");
  m.run(
      "getrf",
      [&] { CHECK(cusolverDnDgetrf(handle, n, n, a, n, work, pivots, info)); },
      [&] { dgetrf(&n, &n, a, &n, pivots, info); });
  auto *dgeqrf = options.find<void(const int *, const int *, double *, const int *,
                                   double *, double *, const int *, int *)>("dgeqrf_");
  const int roomSize = static_cast<int>(room.size());
  m.run(
      "geqrf",
      [&] { CHECK(cusolverDnDgeqrf(handle, n, n, a, n, tau, work, most, info)); },
      [&] { dgeqrf(&n, &n, a, &n, tau, room.data(), &roomSize, info); });
  auto *dsyevd = options.find<void(const char *, const char *, const int *, double *,
                                   const int *, double *, double *, const int *, int *,
                                   const int *, int *, size_t, size_t)>("dsyevd_");
  const int integerSize = static_cast<int>(integers.size());
  m.run(
      "syevd",
      [&] {
        CHECK(cusolverDnDsyevd(handle, CUSOLVER_EIG_MODE_VECTOR, lower, n, a, n, values,
                               work, most, info));
      },
      [&] {
        dsyevd("V", "L", &n, a, &n, values, room.data(), &roomSize, integers.data(),
               &integerSize, info, 1, 1);
      });
  auto *dgesdd =
      options.find<void(const char *, const int *, const int *, double *, const int *,
                        double *, double *, const int *, double *, const int *, double *,
                        const int *, int *, int *, size_t)>("dgesdd_");
  m.run(
      "gesvd",
      [&] {
        CHECK(cusolverDnDgesvd(handle, 'A', 'A', n, n, a, n, values, u, n, vt, n, work,
                               most, nullptr, info));
      },
      [&] {
        dgesdd("A", &n, &n, a, &n, values, u, &n, vt, &n, room.data(), &roomSize,
               integers.data(), info, 1);
      });
  for (void *place : {static_cast<void *>(a), static_cast<void *>(original),
                      static_cast<void *>(u), static_cast<void *>(vt),
                      static_cast<void *>(values), static_cast<void *>(tau),
                      static_cast<void *>(pivots), static_cast<void *>(info),
                      static_cast<void *>(work)})
    CHECK(cudaFree(place));
}

int main(int count, char **words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const char *word = words[i];
    if (std::strncmp(word, "--direct=", 9) == 0) {
      options.direct = dlopen(word + 9, RTLD_NOW | RTLD_LOCAL);
      if (!options.direct) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
    } else if (std::strncmp(word, "--sizes=", 8) == 0) {
      options.sizes.clear();
      for (char *at = words[i] + 7; *at;)
        options.sizes.push_back(static_cast<int>(std::strtol(at + 1, &at, 10)));
    } else if (std::strncmp(word, "--turns=", 8) == 0) {
      options.turns = std::max(1, std::atoi(word + 8));
    } else if (std::strncmp(word, "--only=", 7) == 0) {
      options.only = word + 7;
    } else if (std::strcmp(word, "--processor-time") == 0) {
      timer = CLOCK_PROCESS_CPUTIME_ID;
    } else {
      std::fprintf(stderr, "unknown: %s\n", word);
      return 1;
    }
  }
  cusolverDnHandle_t handle = nullptr;
  CHECK(cusolverDnCreate(&handle));
  for (const int n : options.sizes)
    measureAll(handle, n, options);
  CHECK(cusolverDnDestroy(handle));
}
