// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublas
//
// cuBLAS's functions on vectors, in all types: distances of both signs, one block and
// many, results on both sides, norms of numbers whose squares no type holds.

#include "Inputs/blas.h"

using namespace blas;

/// A vector of `n` elements with a distance.
template <class T> struct Spread {
  int n, increment;
  check::Array<T> array;
  Spread(int n, int increment, unsigned seed)
      : n(n), increment(increment),
        array(numbers<T>(size_t(n) * std::abs(increment) + 1, seed)) {}
  size_t place(int i) const {
    return size_t(increment < 0 ? (n - 1 - i) * -increment : i * increment);
  }
  Number<T> at(int i) const { return plain(array.host[place(i)]); }
  operator T *() { return array; }
};

template <class T> static void expectAll(Spread<T> &x, const std::vector<T> &expected) {
  compare(x.array.get(), expected);
}

constexpr struct {
  int n, incx, incy;
} cases[] = {{7, 1, 1}, {300, 2, -3}, {3000, 1, 1}, {0, 1, 1}};

template <class T, class Copy, class Swap, class Axpy, class Scal>
static void checkChanges(cublasHandle_t handle, Copy copy, Swap swap, Axpy axpy,
                         Scal scal) {
  const T alpha = make<T>(3, -1);
  for (const auto &one : cases) {
    Spread<T> x(one.n, one.incx, 1), y(one.n, one.incy, 2);
    std::vector<T> expected = y.array.host;
    for (int i = 0; i < one.n; ++i)
      expected[y.place(i)] = make<T>(plain(alpha) * x.at(i) + y.at(i));
    BLAS(axpy(handle, one.n, &alpha, x, one.incx, y, one.incy));
    expectAll(y, expected);
    BLAS(copy(handle, one.n, y, one.incy, x, one.incx));
    for (int i = 0; i < one.n; ++i)
      x.array.host[x.place(i)] = expected[y.place(i)];
    expected = x.array.host;
    expectAll(x, expected);

    Spread<T> a(one.n, one.incx, 3), b(one.n, one.incy, 4);
    std::vector<T> swapped = a.array.host, other = b.array.host;
    for (int i = 0; i < one.n; ++i)
      std::swap(swapped[a.place(i)], other[b.place(i)]);
    BLAS(swap(handle, one.n, a, one.incx, b, one.incy));
    expectAll(b, other);
    expectAll(a, swapped);
    for (int i = 0; i < one.n; ++i)
      swapped[a.place(i)] = make<T>(plain(alpha) * plain(swapped[a.place(i)]));
    check::Array<T> factor(std::vector<T>{alpha});
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(scal(handle, one.n, factor, a, one.incx));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    expectAll(a, swapped);
  }
}

template <class T, class Dot>
static void checkDot(cublasHandle_t handle, Dot dot, bool conjugated) {
  for (const auto &one : cases) {
    Spread<T> x(one.n, one.incx, 5), y(one.n, one.incy, 6);
    Number<T> sum = 0;
    for (int i = 0; i < one.n; ++i)
      sum += (conjugated ? conj(x.at(i)) : x.at(i)) * y.at(i);
    T result;
    BLAS(dot(handle, one.n, x, one.incx, y, one.incy, &result));
    CHECK_EQ(result, make<T>(sum));
    check::Array<T> place(1);
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    BLAS(dot(handle, one.n, x, one.incx, y, one.incy, place));
    BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK_EQ(place.get()[0], make<T>(sum));
  }
}

static double size1(double a) { return std::fabs(a); }
static double size1(std::complex<double> a) {
  return std::fabs(a.real()) + std::fabs(a.imag());
}

template <class T, class R, class Sum, class Amax, class Amin>
static void checkSearches(cublasHandle_t handle, Sum sum, Amax amax, Amin amin) {
  for (const auto &one : cases) {
    Spread<T> x(one.n, one.incx, 7);
    double expected = 0;
    int greatest = 0, least = 0;
    for (int i = 0; i < one.n; ++i) {
      const double size = size1(x.at(i));
      expected += size;
      if (!greatest || size > size1(x.at(greatest - 1)))
        greatest = i + 1;
      if (!least || size < size1(x.at(least - 1)))
        least = i + 1;
    }
    R result = -1;
    BLAS(sum(handle, one.n, x, one.incx, &result));
    CHECK_EQ(result, static_cast<R>(expected));
    int place = -1;
    BLAS(amax(handle, one.n, x, one.incx, &place));
    CHECK_EQ(place, greatest);
    BLAS(amin(handle, one.n, x, one.incx, &place));
    CHECK_EQ(place, least);
  }
}

// 3 and 4 make 5, whatever they are multiplied with.
template <class T, class R, class Norm>
static void checkNorm(cublasHandle_t handle, Norm norm, R large) {
  for (R factor : {R(1), large, R(1) / large}) {
    std::vector<T> values(1000, make<T>(0));
    if constexpr (isComplex<T>) {
      values[500].x = 3 * factor;
      values[500].y = 4 * factor;
    } else {
      values[500] = 3 * factor;
      values[999] = -4 * factor;
    }
    check::Array<T> x(values);
    R result = -1;
    BLAS(norm(handle, 1000, x, 1, &result));
    CHECK_EQ(result, 5 * factor);
  }
}

static void checkRotations(cublasHandle_t handle) {
  Spread<float> x(40, 2, 8), y(40, -1, 9);
  std::vector<float> first = x.array.host, second = y.array.host;
  const float c = 2, s = -3;
  for (int i = 0; i < 40; ++i) {
    const float a = first[x.place(i)], b = second[y.place(i)];
    first[x.place(i)] = c * a + s * b;
    second[y.place(i)] = c * b - s * a;
  }
  BLAS(cublasSrot(handle, 40, x, 2, y, -1, &c, &s));
  expectAll(x, first);
  expectAll(y, second);
  double a = 3, b = 4, cosine = 0, sine = 0;
  BLAS(cublasDrotg(handle, &a, &b, &cosine, &sine));
  CHECK_EQ(a, 5.0);
  CHECK_EQ(cosine, 0.6);
  CHECK_EQ(sine, 0.8);
  CHECK_EQ(b, 1 / 0.6);
  const double param[5] = {-1, 2, 3, -1, 4};
  check::Array<double> p({1, 2}), q({5, 6});
  BLAS(cublasDrotm(handle, 2, p, 1, q, 1, param));
  compare(p.get(), {-3, -2});
  compare(q.get(), {23, 30});
  double d1 = 1, d2 = 1, x1 = 2, y1 = 1, made[5] = {};
  BLAS(cublasDrotmg(handle, &d1, &d2, &x1, &y1, made));
  CHECK_EQ(made[0], 0.0);
  CHECK_EQ(made[2], -0.5);
  CHECK_EQ(made[3], 0.5);
  CHECK_EQ(x1, 2.5);
  CHECK_EQ(d1, 0.8);
}

static void checkMixed(cublasHandle_t handle) {
  check::Array<__half> x(numbers<__half>(600, 1)), y(numbers<__half>(600, 2));
  std::vector<__half> expected = y.host;
  double dot = 0;
  for (int i = 0; i < 600; ++i) {
    expected[i] = make<__half>(2 * plain(x.host[i]) + plain(y.host[i]));
    dot += plain(x.host[i]) * plain(expected[i]);
  }
  const float alpha = 2;
  BLAS(cublasAxpyEx(handle, 600, &alpha, CUDA_R_32F, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1,
                    CUDA_R_32F));
  compare(y.get(), expected);
  __half result;
  BLAS(cublasDotEx(handle, 600, x, CUDA_R_16F, 1, y, CUDA_R_16F, 1, &result, CUDA_R_16F,
                   CUDA_R_32F));
  CHECK_EQ(result, make<__half>(dot));
  BLAS_ERROR(cublasDotEx(handle, 600, x, CUDA_R_16F, 1, y, CUDA_R_32F, 1, &result,
                         CUDA_R_16F, CUDA_R_32F),
             CUBLAS_STATUS_NOT_SUPPORTED);
}

static void checkErrors(cublasHandle_t handle) {
  check::Array<float> x(4);
  const float one = 1;
  float result = 0;
  BLAS_ERROR(cublasSaxpy(nullptr, 4, &one, x, 1, x, 1), CUBLAS_STATUS_NOT_INITIALIZED);
  BLAS_ERROR(cublasSaxpy(handle, 4, nullptr, x, 1, x, 1), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(cublasSdot(handle, 4, x, 1, x, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  BLAS(cublasSnrm2(handle, 4, x, 0, &result));
  CHECK_EQ(result, 0.0f);
}

int main() {
  {
    Handle handle;
    checkChanges<float>(handle, cublasScopy, cublasSswap, cublasSaxpy, cublasSscal);
    checkChanges<double>(handle, cublasDcopy, cublasDswap, cublasDaxpy, cublasDscal);
    checkChanges<cuComplex>(handle, cublasCcopy, cublasCswap, cublasCaxpy, cublasCscal);
    checkChanges<cuDoubleComplex>(handle, cublasZcopy, cublasZswap, cublasZaxpy,
                                  cublasZscal);
    checkDot<float>(handle, cublasSdot, false);
    checkDot<double>(handle, cublasDdot, false);
    checkDot<cuComplex>(handle, cublasCdotu, false);
    checkDot<cuComplex>(handle, cublasCdotc, true);
    checkDot<cuDoubleComplex>(handle, cublasZdotc, true);
    checkSearches<float, float>(handle, cublasSasum, cublasIsamax, cublasIsamin);
    checkSearches<double, double>(handle, cublasDasum, cublasIdamax, cublasIdamin);
    checkSearches<cuComplex, float>(handle, cublasScasum, cublasIcamax, cublasIcamin);
    checkSearches<cuDoubleComplex, double>(handle, cublasDzasum, cublasIzamax,
                                           cublasIzamin);
    checkNorm<float>(handle, cublasSnrm2, 0x1p100f);
    checkNorm<double>(handle, cublasDnrm2, 0x1p1000);
    checkNorm<cuComplex>(handle, cublasScnrm2, 0x1p100f);
    checkNorm<cuDoubleComplex>(handle, cublasDznrm2, 0x1p1000);
    checkRotations(handle);
    checkMixed(handle);
    checkErrors(handle);
  }
  return check::finish("level1");
}
