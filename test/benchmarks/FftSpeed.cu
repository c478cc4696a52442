// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fourier transforms of float by cuFFT, against FFTW that is called directly, with plans
// of the same kind (FFTW_ESTIMATE). Both sides take turns in one run; the best times
// count.
//
//   hetcc -O3 -std=c++17 FftSpeed.cu -o fft-speed -lcufft -ldl
//   ./fft-speed [--direct=libfftw3f.so.3] [--turns=20] [--processor-time]
//
// With HET_HOST_THREADS=1 both sides have one thread.
// Prints `fft: KIND SIZES BATCH TIME ms [RATIO]`; the ratio is the direct time to cuFFT's.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <cufft.h>
#include <dlfcn.h>
#include <functional>

#define CHECK(call)                                                                      \
  do {                                                                                   \
    if (const int code = static_cast<int>(call)) {                                       \
      std::fprintf(stderr, "%s: %d\n", #call, code);                                     \
      std::exit(1);                                                                      \
    }                                                                                    \
  } while (false)

static clockid_t timer = CLOCK_MONOTONIC;

static double now() {
  timespec time;
  clock_gettime(timer, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

static double secondsOf(const std::function<void()> &work, int count) {
  const double begin = now();
  for (int i = 0; i < count; ++i)
    work();
  CHECK(cudaDeviceSynchronize());
  return (now() - begin) / count;
}

struct Problem {
  cufftType type;
  int rank, n[3], batch;
};

/// FFTW's function of a name.
template <class Function> static Function *find(void *library, const char *name) {
  auto *found = reinterpret_cast<Function *>(dlsym(library, name));
  if (!found) {
    std::fprintf(stderr, "no %s\n", name);
    std::exit(1);
  }
  return found;
}

static void measure(const Problem &problem, void *library, int turns) {
  size_t points = static_cast<size_t>(problem.batch);
  int last = problem.n[problem.rank - 1], others = 1;
  for (int i = 0; i < problem.rank; ++i) {
    points *= static_cast<size_t>(problem.n[i]);
    others *= i + 1 < problem.rank ? problem.n[i] : 1;
  }
  const bool isReal = problem.type == CUFFT_R2C;
  float *in = nullptr, *out = nullptr;
  const size_t bytes = (points + static_cast<size_t>(others) * problem.batch) * 8 + 64;
  CHECK(cudaMalloc(&in, bytes));
  CHECK(cudaMalloc(&out, bytes));
  CHECK(cudaMemset(in, 0, bytes));
  CHECK(cudaMemset(out, 0, bytes));
  int n[3] = {problem.n[0], problem.n[1], problem.n[2]};
  const int distance = last * others,
            halfDistance = isReal ? (last / 2 + 1) * others : distance;
  cufftHandle plan = 0;
  CHECK(cufftPlanMany(&plan, problem.rank, n, nullptr, 1, distance, nullptr, 1,
                      halfDistance, problem.type, problem.batch));
  const auto ours = [&] {
    if (isReal)
      CHECK(cufftExecR2C(plan, in, reinterpret_cast<cufftComplex *>(out)));
    else
      CHECK(cufftExecC2C(plan, reinterpret_cast<cufftComplex *>(in),
                         reinterpret_cast<cufftComplex *>(out), CUFFT_FORWARD));
  };
  std::function<void()> direct;
  if (library) {
    constexpr unsigned estimate = 1u << 6, preserveInput = 1u << 4;
    void *made =
        isReal
            ? find<void *(int, const int *, int, float *, const int *, int, int, void *,
                          const int *, int, int, unsigned)>(
                  library, "fftwf_plan_many_dft_r2c")(
                  problem.rank, n, problem.batch, in, nullptr, 1, distance, out, nullptr,
                  1, halfDistance, estimate | preserveInput)
            : find<void *(int, const int *, int, void *, const int *, int, int, void *,
                          const int *, int, int, int, unsigned)>(
                  library, "fftwf_plan_many_dft")(
                  problem.rank, n, problem.batch, in, nullptr, 1, distance, out, nullptr,
                  1, distance, -1, estimate | preserveInput);
    auto *execute = find<void(void *)>(library, "fftwf_execute");
    direct = [=] { execute(made); };
  }
  const double once = std::max(secondsOf(ours, 1), 1e-6);
  const int count = std::clamp(static_cast<int>(0.02 / once), 1, 1000);
  double best = 1e9, bestDirect = 1e9;
  for (int turn = 0; turn < turns; ++turn) {
    best = std::min(best, secondsOf(ours, count));
    if (direct)
      bestDirect = std::min(bestDirect, secondsOf(direct, count));
  }
  std::printf("fft: %s", isReal ? "R2C" : "C2C");
  for (int i = 0; i < problem.rank; ++i)
    std::printf("%s%d", i ? "x" : " ", n[i]);
  std::printf(" %d %.4f ms", problem.batch, best * 1e3);
  if (direct)
    std::printf(" %.3f", bestDirect / best);
  std::printf("\n");
  std::fflush(stdout);
  CHECK(cufftDestroy(plan));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

int main(int count, char **words) {
  void *library = nullptr;
  int turns = 20;
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(words[i], "--direct=", 9) == 0) {
      library = dlopen(words[i] + 9, RTLD_NOW | RTLD_LOCAL);
      if (!library) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
      }
    } else if (std::strncmp(words[i], "--turns=", 8) == 0) {
      turns = std::max(1, std::atoi(words[i] + 8));
    } else if (std::strcmp(words[i], "--processor-time") == 0) {
      timer = CLOCK_PROCESS_CPUTIME_ID;
    } else {
      std::fprintf(stderr, "unknown: %s\n", words[i]);
      return 1;
    }
  }
  constexpr Problem problems[] = {
      {CUFFT_C2C, 1, {1 << 20, 1, 1}, 1},  {CUFFT_R2C, 1, {1 << 20, 1, 1}, 1},
      {CUFFT_C2C, 1, {1024, 1, 1}, 1024},  {CUFFT_C2C, 1, {64, 1, 1}, 16384},
      {CUFFT_C2C, 1, {1000, 1, 1}, 1000},  {CUFFT_C2C, 1, {1009, 1, 1}, 1000},
      {CUFFT_C2C, 2, {1024, 1024, 1}, 1},  {CUFFT_R2C, 2, {1024, 1024, 1}, 1},
      {CUFFT_C2C, 3, {128, 128, 128}, 1},  {CUFFT_C2C, 1, {1024, 1, 1}, 16}};
  for (const Problem &problem : problems)
    measure(problem, library, turns);
}
