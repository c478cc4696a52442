// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Largest errors of the functions that --het-math=native may take from the device, over
// all floats, against functions of double. rsqrt of double: over all exponents, against
// the residual 1 - x y y in twice the precision.
//
//   hetcc --het-math=native -O3 NativeMath.cu -o native-math
//   ./native-math [STEP]      every STEP-th number; 1 by default
//
// Prints `function: ERROR ULP` for each; the exit status is 1 where one is beyond CUDA's
// documented limit, which counts from the correctly rounded result (half an ULP more).

#include <cmath>
#include <cstdio>
#include <cstdlib>

enum Function { Exp2, Exp, Exp10, Tanh, Cbrt, Rsqrt, RsqrtDouble, FunctionCount };

static const struct {
  const char *name;
  double limit;
} functions[FunctionCount] = {{"exp2f", 2}, {"expf", 2},   {"exp10f", 2},
                              {"tanhf", 2}, {"cbrtf", 1},  {"rsqrtf", 2},
                              {"rsqrt", 1}};

template <Function f> __device__ float value(float x) {
  return f == Exp2    ? exp2f(x)
         : f == Exp   ? expf(x)
         : f == Exp10 ? exp10f(x)
         : f == Tanh  ? tanhf(x)
         : f == Cbrt  ? cbrtf(x)
                      : rsqrtf(x);
}
template <Function f> __device__ double reference(double x) {
  return f == Exp2    ? exp2(x)
         : f == Exp   ? exp(x)
         : f == Exp10 ? exp10(x)
         : f == Tanh  ? tanh(x)
         : f == Cbrt  ? cbrt(x)
                      : 1 / sqrt(x);
}

// An error in ULP of the exact result, taken as if exponents had no upper end; what is
// no number where there is one, or the other way about, or of the wrong sign, is far off.
__device__ double errorOf(float y, double exact) {
  const double far = 1e9;
  if (exact != exact || y != y)
    return exact != exact && y != y ? 0 : far;
  if (signbit(exact) != (bool)signbit(y))
    return far;
  double size = fabs(exact);
  if (size >= 0x1p128)
    return isinf(y) ? 0 : far;
  double ulp = 0x1p-149;
  if (size >= 0x1p-126)
    ulp = __longlong_as_double((__double_as_longlong(size) & 0x7ff0000000000000ll) -
                               (23ll << 52));
  double found = isinf(y) ? 0x1p128 : fabs((double)y);
  return fabs(found - size) / ulp;
}

__device__ void keepLargest(double error, double *largest) {
  // Non-negative numbers are in the order of their bits.
  atomicMax((unsigned long long *)largest,
            (unsigned long long)__double_as_longlong(error));
}

template <Function f> __global__ void tryFloats(double *largest, unsigned step) {
  double worst = 0;
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (i *= step; i < 0x100000000ull; i += threads * step) {
    float x = __uint_as_float((unsigned)i);
    worst = fmax(worst, errorOf(value<f>(x), reference<f>((double)x)));
  }
  keepLargest(worst, largest + f);
}

__device__ double errorOfRoot(double x) {
  double y = rsqrt(x);
  if (!(x > 0) || isinf(x)) {
    double expected = x == 0 ? copysign(INFINITY, x) : x > 0 ? 0.0 : NAN;
    return y == expected || (y != y && expected != expected) ? 0 : 1e9;
  }
  // Powers of four change nothing but the exponent.
  int half = ilogb(x) / 2;
  x = scalbn(x, -2 * half);
  y = scalbn(y, half);
  double p = x * y, low = fma(x, y, -p);
  double residual = fma(-low, y, fma(-p, y, 1.0));
  double ulp = scalbn(1.0, ilogb(y) - 52);
  return fabs(y * residual / 2) / ulp;
}

__global__ void tryDoubles(double *largest, unsigned step) {
  double worst = 0;
  const unsigned long long threads = (unsigned long long)gridDim.x * blockDim.x;
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (i *= step; i < 0x100000000ull; i += threads * step) {
    // Sign, exponent and the first bits in order, the others mixed.
    unsigned long long bits = (i << 32) | (((i * 2654435761u) ^ (i >> 7)) & 0xffffffffu);
    worst = fmax(worst, errorOfRoot(__longlong_as_double((long long)bits)));
    worst = fmax(worst, errorOfRoot(__longlong_as_double((long long)(i << 32))));
  }
  keepLargest(worst, largest + RsqrtDouble);
}

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  std::exit(2);
}

int main(int argc, char **argv) {
  const unsigned step = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  double *largest, found[FunctionCount];
  check(cudaMalloc(&largest, sizeof found));
  check(cudaMemset(largest, 0, sizeof found));
  const int blocks = 1024, threads = 256;
  tryFloats<Exp2><<<blocks, threads>>>(largest, step);
  tryFloats<Exp><<<blocks, threads>>>(largest, step);
  tryFloats<Exp10><<<blocks, threads>>>(largest, step);
  tryFloats<Tanh><<<blocks, threads>>>(largest, step);
  tryFloats<Cbrt><<<blocks, threads>>>(largest, step);
  tryFloats<Rsqrt><<<blocks, threads>>>(largest, step);
  tryDoubles<<<blocks, threads>>>(largest, step);
  check(cudaMemcpy(found, largest, sizeof found, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < FunctionCount; ++i) {
    std::printf("%s: %.3f ULP\n", functions[i].name, found[i]);
    good = good && found[i] <= functions[i].limit + 0.5;
  }
  std::printf(good ? "all within CUDA's limits\n" : "BEYOND CUDA's limits\n");
  return good ? 0 : 1;
}
