// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuBLAS share: numbers of all its types, small integers, so that
// every sum is exact and one order of adding is as good as another.

#ifndef CONFORMANCE_BLAS_H
#define CONFORMANCE_BLAS_H

#include "check.h"
#include <complex>
#include <cublas_v2.h>

#define BLAS(...) CHECK_EQ(__VA_ARGS__, CUBLAS_STATUS_SUCCESS)
#define BLAS_ERROR(call, status) CHECK_EQ(call, status)

namespace blas {

/// How the reference computes with a type of cuBLAS's interface.
template <class T> struct Plain {
  using type = double;
};
template <> struct Plain<cuComplex> {
  using type = std::complex<double>;
};
template <> struct Plain<cuDoubleComplex> {
  using type = std::complex<double>;
};
template <class T> using Number = typename Plain<T>::type;
template <class T>
constexpr bool isComplex = std::is_same<Number<T>, std::complex<double>>::value;

template <class T> Number<T> plain(T a) { return static_cast<double>(a); }
inline double plain(__half a) { return __half2float(a); }
inline double plain(__nv_bfloat16 a) { return __bfloat162float(a); }
inline std::complex<double> plain(cuComplex a) { return {a.x, a.y}; }
inline std::complex<double> plain(cuDoubleComplex a) { return {a.x, a.y}; }

template <class T> T make(double a, double b = 0) {
  if constexpr (isComplex<T>) {
    T result;
    result.x = static_cast<decltype(result.x)>(a);
    result.y = static_cast<decltype(result.y)>(b);
    return result;
  } else if constexpr (std::is_arithmetic<T>::value) {
    return static_cast<T>(a);
  } else {
    return T(static_cast<float>(a));
  }
}
template <class T> T make(std::complex<double> a) { return make<T>(a.real(), a.imag()); }

inline double conj(double a) { return a; }
inline std::complex<double> conj(std::complex<double> a) { return std::conj(a); }

/// Whole numbers from -`largest` to `largest`.
template <class T> std::vector<T> numbers(size_t count, unsigned seed, int largest = 4) {
  std::vector<T> values(count);
  unsigned state = seed * 2654435761u + 1;
  const auto one = [&] {
    return static_cast<double>(
        static_cast<int>(check::random(state) % (2 * largest + 1)) - largest);
  };
  for (T &value : values) {
    const double real = one();
    value = make<T>(real, isComplex<T> ? one() : 0);
  }
  return values;
}

/// Element (row, column) of op(A), of a matrix by columns.
template <class T>
Number<T> element(const std::vector<T> &a, int leading, cublasOperation_t operation,
                  int row, int column, size_t first = 0) {
  const int i = operation == CUBLAS_OP_N ? row : column,
            j = operation == CUBLAS_OP_N ? column : row;
  const Number<T> value = plain(a[first + i + size_t(j) * leading]);
  return operation == CUBLAS_OP_C ? conj(value) : value;
}

/// Whether a case is left out: on devices that are simulated, where litmus tests run
/// seldom (HET_LITMUS_RUNS), all but every thirteenth are.
inline bool skips() {
  static const bool few = check::setting("HET_LITMUS_RUNS", 1 << 20) <= 2000;
  static int count = 0;
  return few && count++ % 13;
}

constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// By their bits, but for the sign of zero.
template <class T>
void compare(const std::vector<T> &found, const std::vector<T> &expected) {
  CHECK_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    CHECK_AT(static_cast<long long>(i), make<T>(plain(found[i]) + Number<T>(0)),
             make<T>(plain(expected[i]) + Number<T>(0)));
}

/// A handle for the length of a scope.
struct Handle {
  cublasHandle_t handle = nullptr;
  Handle() { BLAS(cublasCreate(&handle)); }
  ~Handle() { BLAS(cublasDestroy(handle)); }
  operator cublasHandle_t() const { return handle; }
};

} // namespace blas

#endif // CONFORMANCE_BLAS_H
