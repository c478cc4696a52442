// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of square matrices by cuBLAS, against a BLAS of the host that is called
// directly, or by itself for comparing programs of two compilers. Both sides take turns
// in one run; the best times count.
//
//   hetcc -O3 -std=c++17 BlasSpeed.cu -o blas-speed -lcublas -ldl
//   ./blas-speed [--direct=libopenblas.so.0] [--sizes=256,512,1024] [--turns=20]
//                [--processor-time]
//
// On a busy machine processor time tells more, with OPENBLAS_NUM_THREADS=1.
// Prints `blas: OPERATION SIZE TIME us RATE GFLOP/s [RATIO]`; the ratio is that of the
// rates, cuBLAS's to the direct one's.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
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

/// What is called directly: CBLAS.
struct Direct {
  void *library = nullptr;
  template <class Function> Function *find(const char *name) const {
    auto *found = reinterpret_cast<Function *>(dlsym(library, name));
    if (!found) {
      std::fprintf(stderr, "no %s\n", name);
      std::exit(1);
    }
    return found;
  }
};

struct Options {
  std::vector<int> sizes = {256, 384, 512, 768, 1024};
  int turns = 20;
  Direct direct;
};

static clockid_t timer = CLOCK_MONOTONIC;

static double now() {
  timespec time;
  clock_gettime(timer, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

static double secondsOf(const Work &work, int count) {
  const double begin = now();
  for (int i = 0; i < count; ++i)
    work();
  CHECK(cudaDeviceSynchronize());
  return (now() - begin) / count;
}

/// `operations`: of one call.
static void measure(const char *name, int size, double operations, const Options &options,
                    const Work &library, const Work &direct) {
  const double once = std::max(secondsOf(library, 1), 1e-6);
  const int count = std::clamp(static_cast<int>(0.05 / once), 1, 1000);
  double best = 1e9, bestDirect = 1e9;
  for (int turn = 0; turn < options.turns; ++turn) {
    best = std::min(best, secondsOf(library, count));
    if (direct)
      bestDirect = std::min(bestDirect, secondsOf(direct, count));
  }
  std::printf("blas: %s %d %.2f us %.1f GFLOP/s", name, size, best * 1e6,
              operations / best * 1e-9);
  if (direct)
    std::printf(" %.3f", bestDirect / best);
  std::printf("\n");
  std::fflush(stdout);
}

template <class T> static T *matrix(int size) {
  std::vector<T> host(static_cast<size_t>(size) * size);
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = static_cast<T>(static_cast<double>(i * 2654435761u % 1000) * 1e-3 - 0.5);
  for (int i = 0; i < size; ++i) // triangles of it are well conditioned
    host[static_cast<size_t>(i) * (size + 1)] = static_cast<T>(size);
  T *device = nullptr;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

static void measureFloat(cublasHandle_t handle, int n, const Options &options) {
  float *a = matrix<float>(n), *b = matrix<float>(n), *c = matrix<float>(n);
  const float one = 1, zero = 0;
  Work gemm, gemv, trsm;
  if (options.direct.library) {
    auto *sgemm =
        options.direct.find<void(int, int, int, int, int, int, float, const float *, int,
                                 const float *, int, float, float *, int)>("cblas_sgemm");
    gemm = [=] { sgemm(102, 111, 111, n, n, n, 1, a, n, b, n, 0, c, n); };
    auto *sgemv =
        options.direct.find<void(int, int, int, int, float, const float *, int,
                                 const float *, int, float, float *, int)>("cblas_sgemv");
    gemv = [=] { sgemv(102, 111, n, n, 1, a, n, b, 1, 0, c, 1); };
    auto *strsm =
        options.direct.find<void(int, int, int, int, int, int, int, float, const float *,
                                 int, float *, int)>("cblas_strsm");
    trsm = [=] { strsm(102, 141, 122, 111, 131, n, n, 1, a, n, b, n); };
  }
  const double cube = 1.0 * n * n * n;
  measure(
      "sgemm", n, 2 * cube, options,
      [=] {
        CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
                          &zero, c, n));
      },
      gemm);
  measure(
      "sgemv", n, 2.0 * n * n, options,
      [=] {
        CHECK(cublasSgemv(handle, CUBLAS_OP_N, n, n, &one, a, n, b, 1, &zero, c, 1));
      },
      gemv);
  measure(
      "strsm", n, cube, options,
      [=] {
        CHECK(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                          CUBLAS_DIAG_NON_UNIT, n, n, &one, a, n, b, n));
      },
      trsm);
  for (float *memory : {a, b, c})
    CHECK(cudaFree(memory));
}

static void measureDouble(cublasHandle_t handle, int n, const Options &options) {
  double *a = matrix<double>(n), *b = matrix<double>(n), *c = matrix<double>(n);
  const double one = 1, zero = 0;
  Work gemm;
  if (options.direct.library) {
    auto *dgemm =
        options.direct.find<void(int, int, int, int, int, int, double, const double *,
                                 int, const double *, int, double, double *, int)>(
            "cblas_dgemm");
    gemm = [=] { dgemm(102, 111, 111, n, n, n, 1, a, n, b, n, 0, c, n); };
  }
  measure(
      "dgemm", n, 2.0 * n * n * n, options,
      [=] {
        CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n,
                          &zero, c, n));
      },
      gemm);
  for (double *memory : {a, b, c})
    CHECK(cudaFree(memory));
}

// Half precision with sums of float, which the host's BLAS does not have.
static void measureHalf(cublasHandle_t handle, int n, const Options &options) {
  __half *a = matrix<__half>(n), *b = matrix<__half>(n), *c = matrix<__half>(n);
  const float one = 1, zero = 0;
  measure(
      "hgemm", n, 2.0 * n * n * n, options,
      [=] {
        CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_16F,
                           n, b, CUDA_R_16F, n, &zero, c, CUDA_R_16F, n,
                           CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
      },
      nullptr);
  for (__half *memory : {a, b, c})
    CHECK(cudaFree(memory));
}

int main(int count, char **words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word.rfind("--direct=", 0) == 0) {
      options.direct.library = dlopen(word.c_str() + 9, RTLD_NOW | RTLD_LOCAL);
      if (!options.direct.library) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
    } else if (word.rfind("--sizes=", 0) == 0) {
      options.sizes.clear();
      for (const char *at = word.c_str() + 8; *at; at += *at == ',')
        options.sizes.push_back(
            static_cast<int>(std::strtol(at, const_cast<char **>(&at), 10)));
    } else if (word.rfind("--turns=", 0) == 0) {
      options.turns = std::atoi(word.c_str() + 8);
    } else if (word == "--processor-time") {
      timer = CLOCK_PROCESS_CPUTIME_ID;
    } else {
      std::fprintf(
          stderr,
          "found '%s', expected --direct=, --sizes=, --turns= or --processor-time\n",
          word.c_str());
      return 2;
    }
  }
  cublasHandle_t handle = nullptr;
  CHECK(cublasCreate(&handle));
  for (int size : options.sizes) {
    measureFloat(handle, size, options);
    measureDouble(handle, size, options);
    if (!options.direct.library)
      measureHalf(handle, size, options);
  }
  CHECK(cublasDestroy(handle));
}
