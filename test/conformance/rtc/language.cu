// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnvrtc -lcuda
//
// What NVRTC's sources have without including anything, hetcc's headers, options that
// change the language, and macros.
// NVRTC documentation: Supported Compile Options; Predefined Macros; Predefined Types.

#include "Inputs/rtc.h"

static int *number;

static void expect(const char *source, int expected,
                   std::vector<const char *> options = {"-arch=sm_80"}) {
  rtc::Program program(source);
  const nvrtcResult result = program.compile(options);
  CHECK_EQ(result, NVRTC_SUCCESS);
  if (result != NVRTC_SUCCESS)
    return;
  *number = 2;
  const std::string text = program.ptx();
  rtc::Module(text.c_str()).launch("k", 1, 32, number);
  CHECK_EQ(*number, expected);
}

static void builtins() {
  expect(R"(
struct Pair { int a, b; __device__ Pair(int a, int b) : a(a), b(b) {} };
__device__ int sum(std::initializer_list<int> list) {
  int all = 0;
  for (int each : list) all += each;
  return all;
}
extern "C" __global__ void k(int *p) {
  if (threadIdx.x) return;
  Pair *pair = new Pair(1, 2);
  size_t size = sizeof(ptrdiff_t);
  dim3 dim(1, 2);
  float2 two = make_float2(3, 4);
  int copy = 0;
  memcpy(&copy, p, sizeof(int));
  assert(copy == 2);
  alignas(8) char room[8];
  new (room) int(5);
  *p = pair->b + int(size) + dim.y + int(two.y) + sum({1, 2, 3}) + int(sizeof(va_list) > 0) +
       std::move(copy) + *(int *)room + (p != NULL) + max(1, 2) + abs(-3);
  delete pair;
}
)",
         2 + 8 + 2 + 4 + 6 + 1 + 2 + 5 + 1 + 2 + 3);
  // Each overload by its type, and in its value.
  expect(R"(
extern "C" __global__ void k(int *p) {
  if (threadIdx.x) return;
  float f = 2; double d = 2;
  bool right = sizeof(sin(f)) == 4 && sizeof(sin(d)) == 8 && sizeof(pow(f, 2)) == 4 &&
    sqrt(f * f) == f && floor(2.5f) == 2 && fabs(-f) == f && isnan(f) == false &&
    isfinite(d) && !signbit(f) && fmod(5.0f, 3.0f) == 2 && pow(d, 3) == 8 &&
    ldexp(f, 2) == 8 && ceil(1.5) == 2 && abs(-2.5f) == 2.5f && hypot(3.0f, 4.0f) == 5 &&
    isinf(1.0f / 0.0f) && __popc(7) == 3 && atomicAdd(p, 5) == 2;
  *p = right ? *p : -1;
}
)",
         7);
}

static void headers() {
  expect(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <mma.h>
#include <curand_kernel.h>
#include <cuComplex.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int *p) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int all = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
  curandStatePhilox4_32_10_t state;
  curand_init(1, threadIdx.x, 0, &state);
  float number = curand_uniform(&state);
  __half half = __float2half(1.5f);
  if (tile.thread_rank() == 0)
    *p = all + int(__half2float(half) * 2) + (number > 0 && number <= 1);
}
)",
         496 + 3 + 1);
}

static void options() {
  const char *arch = "extern \"C\" __global__ void k(int *p) { *p = __CUDA_ARCH__; }";
  expect(arch, 520, {});
  expect(arch, 750, {"--gpu-architecture=compute_75"});
  expect(arch, 900, {"-arch", "sm_90a"});
  const char *language =
      "extern \"C\" __global__ void k(int *p) { *p = __cplusplus / 100 + ONE; }";
  expect(language, 2017 + 5, {"-DONE=5"});
  expect(language, 2020 + 1, {"--std=c++20", "-D", "ONE"});
  expect(language, 2011 + 3, {"-std=c++11", "--define-macro=ONE=3"});
  expect("extern \"C\" __global__ void k(int *p) {\n#ifdef A\n*p = 3;\n#endif\n}", 2,
         {"-DA", "-UA"});
  const char *unmarked = R"(
int counter = 3;
namespace inner { struct Box { int value; int get() const { return value; } }; }
template <class T> T add(T a, T b) { return a + b; }
int twice(int x) { return 2 * x; }
extern "C" __global__ void k(int *p) {
  if (threadIdx.x) return;
  inner::Box box = {5};
  counter += 1;
  *p = add(twice(*p), box.get()) + counter;
}
)";
  expect(unmarked, 13, {"-default-device"});
  expect(unmarked, 13, {"--device-as-default-execution-space", "-std=c++14"});
  const char *quotient = R"(
extern "C" __global__ void k(int *p) {
  volatile float tiny = 1e-40f;
  *p = tiny * 1.0f == 0 ? 1 : 0;
}
)";
  expect(quotient, 0);
  expect(quotient, 1, {"--ftz=true"});
  expect(quotient, 1, {"--use_fast_math"});
  expect("extern \"C\" __global__ void k(int *p) { *p = 1; }", 1,
         {"-G", "-lineinfo", "--maxrregcount=32", "--ptxas-options=-v", "-Xptxas", "-O2",
          "--extra-device-vectorization", "--restrict", "-w", "--split-compile=0",
          "--minimal", "--pch", "--no-source-include", "--prec-div=true", "-fmad=false",
          "-diag-suppress=177", "--builtin-move-forward=false"});
  expect(R"(
namespace std {
template <class T> __device__ T &&move(T &value) { return static_cast<T &&>(value); }
template <class T> struct initializer_list { int here; };
}
extern "C" __global__ void k(int *p) { int x = 6; *p = std::move(x); }
)",
         6, {"-builtin-move-forward=false", "--builtin-initializer-list=false"});
}

/// Static variables have the names by which NVRTC's programs ask for them.
static void variables() {
  rtc::Program program(R"(
static __constant__ int table[2];
static __device__ bool isDone; // which no kernel reads
namespace { namespace inner { __device__ int hidden = 5; } }
extern "C" __global__ void k(int *p) {
  isDone = true;
  *p = table[1] + inner::hidden;
}
)");
  program.name("&table");
  program.name("inner::hidden");
  CHECK_EQ(program.compile(), NVRTC_SUCCESS);
  CHECK_TRUE(program.lowered("&table") == "table");
  const std::string text = program.ptx();
  CHECK_TRUE(text.find(".const .align 8 .b8 table[8];") != std::string::npos);
  CHECK_TRUE(text.find("_GLOBAL__N_") != std::string::npos);
  rtc::Module module(text.c_str());
  CUdeviceptr table, hidden, done;
  size_t size = 0;
  bool isDone = false;
  CHECK_TRUE(cuModuleGetGlobal(&table, &size, module.module, "table") == CUDA_SUCCESS);
  CHECK_EQ(size, 2 * sizeof(int));
  CHECK_TRUE(cuModuleGetGlobal(&hidden, &size, module.module,
                               program.lowered("inner::hidden").c_str()) == CUDA_SUCCESS);
  const int values[] = {1, 30};
  CHECK_TRUE(cuMemcpyHtoD(table, values, sizeof(values)) == CUDA_SUCCESS);
  module.launch("k", 1, 1, number);
  CHECK_EQ(*number, 35);
  CHECK_TRUE(cuMemcpyHtoD(hidden, values, sizeof(int)) == CUDA_SUCCESS);
  module.launch("k", 1, 1, number);
  CHECK_EQ(*number, 31);
  CHECK_TRUE(cuModuleGetGlobal(&done, &size, module.module, "isDone") == CUDA_SUCCESS);
  CHECK_TRUE(cuMemcpyDtoH(&isDone, done, sizeof(isDone)) == CUDA_SUCCESS);
  CHECK_TRUE(size == 1 && isDone);
}

static void macros() {
  expect(R"(
#if defined(__NVCC__) || defined(__GNUC__) || defined(__clang__) || defined(__linux__) || \
    defined(__x86_64__) || defined(_WIN32) || defined(CUDA_VERSION) || \
    defined(__CUDACC_RTC_INT128__)
#error "a macro of another compiler"
#endif
#if !defined(__CUDACC_RTC__) || !defined(__CUDACC__) ||                                 \
    !defined(__NV_BUILTIN_INITIALIZER_LIST) || __CUDACC_VER_MAJOR__ != 12 || \
    CUDART_VERSION != 12090
#error "none of NVRTC's"
#endif
#if __has_include(<stdint.h>) || __has_include(<cmath>) || __has_include(<stddef.h>)
#error "a header of the C library"
#endif
typedef long long int64_t; // as programs define it
typedef unsigned char uint8_t;
namespace std { template <class T> struct is_same { static const bool value = true; }; }
extern "C" __global__ void k(int *p) { *p = sizeof(int64_t); }
)",
         8);
}

int main() {
  rtc::begin();
  CUDA(cudaMallocManaged(&number, sizeof(int)));
  builtins();
  headers();
  options();
  variables();
  macros();
  return check::finish("rtc/language");
}
