// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices by a warp on the host device, against a scalar program that
// multiplies the same registers element by element, in the order that hetIR defines. Both
// run on one thread, by turns; results must have equal bits. Processor time, medians.
//
//   hetcc -O3 -std=c++17 -Xcompiler -mfma,-mf16c,-fno-tree-vectorize,-fno-tree-slp-vectorize
//         MatrixSpeed.cu -o matrix-speed
//   ./matrix-speed [REPETITIONS]
//
// Prints `kind: NANOSECONDS NANOSECONDS RATIO` for each; the ratio is scalar / hetcc.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mma.h>
#include <vector>

enum Kind { Halves, Bfloats, Bytes };
enum { Rows = 16, Columns = 8, Lanes = 32, Operands = 8, Registers = 6, Rounds = 4000 };

template <Kind kind> constexpr int perRegister = kind == Bytes ? 4 : 2;
template <Kind kind> constexpr int depthOf = 8 * perRegister<kind>;
template <Kind kind> struct SumOf {
  using Type = float;
};
template <> struct SumOf<Bytes> {
  using Type = int;
};

//===----------------------------------------------------------------------===//
// Kernels: sums of `Rounds` products of operands that take turns
//===----------------------------------------------------------------------===//

#define MULTIPLY(instruction, letter)                                                    \
  asm("mma.sync.aligned." instruction                                                    \
      " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                           \
      : "+" letter(sums[0]), "+" letter(sums[1]), "+" letter(sums[2]),                   \
        "+" letter(sums[3])                                                              \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

template <Kind kind>
__global__ void addProducts(const unsigned *operands, typename SumOf<kind>::Type *out) {
  typename SumOf<kind>::Type sums[4] = {};
  for (int round = 0; round < Rounds; ++round) {
    const unsigned *from = operands + round % Operands * Registers * Lanes + threadIdx.x;
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i)
      a[i] = from[Lanes * i];
    for (int i = 0; i < 2; ++i)
      b[i] = from[Lanes * (4 + i)];
    if constexpr (kind == Halves)
      MULTIPLY("m16n8k16.row.col.f32.f16.f16.f32", "f");
    else if constexpr (kind == Bfloats)
      MULTIPLY("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
    else
      MULTIPLY("m16n8k32.row.col.s32.s8.s8.s32", "r");
  }
  for (int i = 0; i < 4; ++i)
    out[Lanes * i + threadIdx.x] = sums[i];
}

enum { Side = 16, Whole = Side * Side };

__global__ void addFragments(const __half *operands, float *out) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, Side, Side, Side, __half, row_major> a;
  fragment<matrix_b, Side, Side, Side, __half, row_major> b;
  fragment<accumulator, Side, Side, Side, float> sums;
  fill_fragment(sums, 0.0f);
  for (int round = 0; round < Rounds; ++round) {
    const __half *from = operands + round % Operands * 2 * Whole;
    load_matrix_sync(a, from, Side);
    load_matrix_sync(b, from + Whole, Side);
    mma_sync(sums, a, b, sums);
  }
  store_matrix_sync(out, sums, Side, mem_row_major);
}

//===----------------------------------------------------------------------===//
// The scalar program
//===----------------------------------------------------------------------===//

template <Kind kind> auto elementOf(unsigned word, int i) {
  if constexpr (kind == Bytes) {
    return (int)(int8_t)(word >> 8 * i);
  } else if constexpr (kind == Halves) {
    const uint16_t bits = (uint16_t)(word >> 16 * i);
    _Float16 value;
    std::memcpy(&value, &bits, sizeof value);
    return (float)value;
  } else {
    const unsigned bits = i ? word & 0xffff0000u : word << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
}

inline float addProduct(float a, float b, float sum) { return std::fma(a, b, sum); }
inline int addProduct(int a, int b, int sum) { return a * b + sum; }

/// Adds A B, whose elements lie in the lanes' registers.
template <Kind kind, class Sum>
__attribute__((noinline)) void addScalars(const unsigned *registers,
                                          Sum (&sums)[Rows][Columns]) {
  constexpr int P = perRegister<kind>, K = depthOf<kind>;
  Sum a[Rows][K], b[K][Columns];
  for (int lane = 0; lane < Lanes; ++lane)
    for (int e = 0; e < P; ++e) {
      for (int i = 0; i < 4; ++i)
        a[lane / 4 + 8 * (i % 2)][P * (lane % 4) + 4 * P * (i / 2) + e] =
            elementOf<kind>(registers[Lanes * i + lane], e);
      for (int i = 0; i < 2; ++i)
        b[P * (lane % 4) + 4 * P * i + e][lane / 4] =
            elementOf<kind>(registers[Lanes * (4 + i) + lane], e);
    }
  for (int row = 0; row < Rows; ++row)
    for (int column = 0; column < Columns; ++column)
      for (int k = 0; k < K; ++k)
        sums[row][column] = addProduct(a[row][k], b[k][column], sums[row][column]);
}

/// The same of whole matrices, by rows.
__attribute__((noinline)) void addScalarMatrices(const uint16_t *operands,
                                                 float (&sums)[Side][Side]) {
  float a[Whole], b[Whole];
  for (int i = 0; i < Whole; ++i) {
    a[i] = elementOf<Halves>(operands[i], 0);
    b[i] = elementOf<Halves>(operands[Whole + i], 0);
  }
  for (int row = 0; row < Side; ++row)
    for (int column = 0; column < Side; ++column)
      for (int k = 0; k < Side; ++k)
        sums[row][column] =
            addProduct(a[Side * row + k], b[Side * k + column], sums[row][column]);
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

static double processorNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * now.tv_sec + now.tv_nsec;
}

template <class F> static double timeOf(F work) {
  const double begin = processorNanoseconds();
  work();
  return (processorNanoseconds() - begin) / Rounds;
}

static double median(std::vector<double> &times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

/// Bits of small numbers: halves of [-2, 2), or any bytes.
static std::vector<unsigned> makeOperands(size_t words, Kind kind) {
  std::vector<unsigned> operands(words);
  unsigned seed = 1;
  auto next = [&] { return seed = seed * 1664525u + 1013904223u; };
  const unsigned ones = kind == Halves ? 0x3c003c00u : 0x3f803f80u;
  const unsigned kept = kind == Halves ? 0x83ff83ffu : 0x807f807fu;
  for (unsigned &word : operands)
    word = kind == Bytes ? next() ^ next() >> 16 : ((next() ^ next() >> 16) & kept) | ones;
  return operands;
}

/// Whether results agree. `kernel` fills `out` with `size` bytes that must be `expected`.
template <class Kernel, class Scalar>
static bool measure(const char *name, int repetitions, const void *out,
                    const void *expected, size_t size, Kernel kernel, Scalar scalar) {
  kernel(), scalar();
  if (std::memcmp(out, expected, size)) {
    std::printf("%s: results DIFFER\n", name);
    return false;
  }
  std::vector<double> ours, scalars;
  for (int i = 0; i < repetitions; ++i) {
    ours.push_back(timeOf(kernel));
    scalars.push_back(timeOf(scalar));
  }
  const double first = median(ours), second = median(scalars);
  std::printf("%s: %.1f ns, scalar %.1f ns, ratio %.2f\n", name, first, second,
              second / first);
  return true;
}

template <Kind kind> static bool measureProducts(const char *name, int repetitions) {
  using Sum = typename SumOf<kind>::Type;
  const auto operands = makeOperands(Operands * Registers * Lanes, kind);
  unsigned *onDevice;
  Sum *out, sums[Rows][Columns], expected[4][Lanes];
  check(cudaMallocManaged(&onDevice, operands.size() * sizeof(unsigned)));
  check(cudaMallocManaged(&out, sizeof expected));
  std::copy(operands.begin(), operands.end(), onDevice);
  auto kernel = [&] {
    addProducts<kind><<<1, Lanes>>>(onDevice, out);
    check(cudaDeviceSynchronize());
  };
  auto scalar = [&] {
    std::memset(sums, 0, sizeof sums);
    for (int round = 0; round < Rounds; ++round)
      addScalars<kind>(operands.data() + round % Operands * Registers * Lanes, sums);
    for (int lane = 0; lane < Lanes; ++lane)
      for (int i = 0; i < 4; ++i)
        expected[i][lane] = sums[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2];
  };
  const bool good =
      measure(name, repetitions, out, expected, sizeof expected, kernel, scalar);
  check(cudaFree(onDevice));
  check(cudaFree(out));
  return good;
}

static bool measureFragments(int repetitions) {
  const auto operands = makeOperands(Operands * Whole, Halves);
  const auto *halves = reinterpret_cast<const uint16_t *>(operands.data());
  __half *onDevice;
  float *out, sums[Side][Side];
  check(cudaMallocManaged(&onDevice, operands.size() * sizeof(unsigned)));
  check(cudaMallocManaged(&out, sizeof sums));
  std::memcpy(onDevice, halves, operands.size() * sizeof(unsigned));
  auto kernel = [&] {
    addFragments<<<1, Lanes>>>(onDevice, out);
    check(cudaDeviceSynchronize());
  };
  auto scalar = [&] {
    std::memset(sums, 0, sizeof sums);
    for (int round = 0; round < Rounds; ++round)
      addScalarMatrices(halves + round % Operands * 2 * Whole, sums);
  };
  const bool good = measure("wmma m16n16k16 f16, loads too", repetitions, out, sums,
                            sizeof sums, kernel, scalar);
  check(cudaFree(onDevice));
  check(cudaFree(out));
  return good;
}

int main(int argc, char **argv) {
  setenv("HET_HOST_THREADS", "1", /*overwrite=*/1);
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 15;
  bool good = measureProducts<Halves>("mma m16n8k16 f16", repetitions);
  good &= measureProducts<Bfloats>("mma m16n8k16 bf16", repetitions);
  good &= measureProducts<Bytes>("mma m16n8k32 s8", repetitions);
  good &= measureFragments(repetitions);
  return good ? 0 : 1;
}
