// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// cufftXtMakePlanMany and cufftXtExec: halves, bfloat16, float and double, with sizes of
// 64 bits.

#include "Inputs/fft.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

using namespace fft;

template <class T> struct Types;
template <> struct Types<__half> {
  static constexpr cudaDataType real = CUDA_R_16F, complex = CUDA_C_16F;
  static constexpr double epsilon = 0x1p-10;
};
template <> struct Types<__nv_bfloat16> {
  static constexpr cudaDataType real = CUDA_R_16BF, complex = CUDA_C_16BF;
  static constexpr double epsilon = 0x1p-7;
};
template <> struct Types<float> {
  static constexpr cudaDataType real = CUDA_R_32F, complex = CUDA_C_32F;
  static constexpr double epsilon = 0x1p-23;
};
template <> struct Types<double> {
  static constexpr cudaDataType real = CUDA_R_64F, complex = CUDA_C_64F;
  static constexpr double epsilon = 0x1p-52;
};

/// Values as the type holds them, one part after another.
template <class T> static std::vector<T> parts(const Numbers &values, bool real) {
  std::vector<T> result;
  for (Number value : values) {
    result.push_back(T(static_cast<float>(value.real())));
    if (!real)
      result.push_back(T(static_cast<float>(value.imag())));
  }
  return result;
}
template <class T> static double wide(T value) { return static_cast<float>(value); }
template <> double wide(double value) { return value; }
template <class T> static Numbers whole(const std::vector<T> &values, bool real) {
  Numbers result;
  for (size_t i = 0; i < values.size(); i += real ? 1 : 2)
    result.emplace_back(wide(values[i]), real ? 0 : wide(values[i + 1]));
  return result;
}

template <class T> static void verify(int n, int batch, bool realIn, bool realOut) {
  if (skips())
    return;
  const int half = n / 2 + 1, direction = realOut ? CUFFT_INVERSE : CUFFT_FORWARD;
  const int inRow = realOut ? half : n, outRow = realIn ? half : n;
  Numbers points, given, expected;
  for (int b = 0; b < batch; ++b) {
    Numbers row = numbers(n, b + n, realIn);
    if (realOut)
      row = transform(numbers(n, b, true), {n}, CUFFT_FORWARD);
    // What the type holds of it.
    row = whole(parts<T>(row, false), false);
    given.insert(given.end(), row.begin(), row.begin() + inRow);
    row = transform(row, {n}, direction);
    for (int k = 0; k < outRow; ++k)
      expected.push_back(realOut ? row[k].real() : row[k]);
  }
  check::Array<T> in(parts<T>(given, realIn)), out(expected.size() * (realOut ? 1 : 2));
  Plan plan;
  FFT(cufftCreate(&plan.handle));
  long long sizes[] = {n};
  size_t work = 0, again = 1;
  const cudaDataType complex = Types<T>::complex, real = Types<T>::real;
  const cudaDataType from = realIn ? real : complex, to = realOut ? real : complex;
  FFT(cufftXtGetSizeMany(plan, 1, sizes, nullptr, 1, 0, from, nullptr, 1, 0, to, batch,
                         &again, complex));
  FFT(cufftXtMakePlanMany(plan, 1, sizes, nullptr, 1, 0, from, nullptr, 1, 0, to, batch,
                          &work, complex));
  CHECK_EQ(work, again);
  FFT(cufftXtExec(plan, static_cast<T *>(in), static_cast<T *>(out), direction));
  NEAR(whole(out.get(), realOut), expected, Types<T>::epsilon, n);
}

template <class T> static void checkType() {
  for (int n : {1, 8, 15, 17, 64, 256}) {
    verify<T>(n, 3, false, false);
    verify<T>(n, 3, true, false);
    verify<T>(n, 3, false, true);
  }
  if (!isSlow())
    verify<T>(4096, 1, false, false);
}

static void checkRefusals() {
  Plan plan;
  FFT(cufftCreate(&plan.handle));
  long long n[] = {16};
  size_t work = 0;
  const auto make = [&](cudaDataType in, cudaDataType out, cudaDataType execution) {
    return cufftXtMakePlanMany(plan, 1, n, nullptr, 1, 0, in, nullptr, 1, 0, out, 1,
                               &work, execution);
  };
  FFT_ERROR(make(CUDA_C_32F, CUDA_C_64F, CUDA_C_64F), CUFFT_INVALID_VALUE);
  FFT_ERROR(make(CUDA_R_32F, CUDA_R_32F, CUDA_C_32F), CUFFT_INVALID_VALUE);
  FFT_ERROR(make(CUDA_C_32F, CUDA_C_32F, CUDA_R_32F), CUFFT_INVALID_VALUE);
  FFT_ERROR(make(CUDA_C_8I, CUDA_C_8I, CUDA_C_8I), CUFFT_INVALID_VALUE);
  FFT(make(CUDA_C_16F, CUDA_C_16F, CUDA_C_16F));
  // A plan of halves is for cufftXtExec.
  check::Array<cufftComplex> array(16);
  FFT_ERROR(cufftExecC2C(plan, array, array, CUFFT_FORWARD), CUFFT_INVALID_VALUE);
  FFT_ERROR(cufftXtExec(plan, array, array, 0), CUFFT_INVALID_VALUE);
}

int main() {
  checkType<__half>();
  checkType<__nv_bfloat16>();
  checkType<float>();
  checkType<double>();
  checkRefusals();
  return check::finish("types");
}
