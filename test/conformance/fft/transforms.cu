// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// Transforms of all types against their definition: sizes of every small prime, of
// several passes and of Bluestein's algorithm, one to three dimensions, forwards and
// backwards, in place and out of place, several at once.

#include "Inputs/fft.h"

using namespace fft;

/// Numbers along the last axis, as one side has them: half, where they are enough; padded
/// rows of real numbers in place.
template <class T> int rowOf(int n, bool half, bool padded) {
  if (isReal<T>)
    return padded ? 2 * (n / 2 + 1) : n;
  return half ? n / 2 + 1 : n;
}

/// Rows of `from` numbers as rows of `to`.
static Numbers resized(const Numbers &rows, int from, int to) {
  Numbers result;
  for (size_t first = 0; first < rows.size(); first += from)
    for (int i = 0; i < to; ++i)
      result.push_back(i < from ? rows[first + i] : Number(0));
  return result;
}

template <class T> static std::vector<T> stored(const Numbers &values) {
  std::vector<T> result(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    put(result[i], values[i]);
  return result;
}

template <class T> static Numbers read(const std::vector<T> &values, size_t count) {
  Numbers result;
  for (size_t i = 0; i < count; ++i)
    result.push_back(plain(values[i]));
  return result;
}

static void makePlan(Plan &plan, Sizes n, cufftType type, int batch) {
  if (n.size() == 1)
    FFT(cufftPlan1d(&plan.handle, n[0], type, batch));
  else if (n.size() == 2 && batch == 1)
    FFT(cufftPlan2d(&plan.handle, n[0], n[1], type));
  else if (n.size() == 3 && batch == 1)
    FFT(cufftPlan3d(&plan.handle, n[0], n[1], n[2], type));
  else
    FFT(cufftPlanMany(&plan.handle, static_cast<int>(n.size()), n.data(), nullptr, 0, 0,
                      nullptr, 0, 0, type, batch));
}

template <class In, class Out>
static void verify(const Sizes &n, int batch, int direction, bool inPlace) {
  if (skips())
    return;
  const int last = n.back();
  const size_t rows = batch * product(n) / last;
  // Of points that belong to real ones, half is given.
  Numbers points = numbers(rows * last, last + batch, isReal<In>);
  if (isReal<Out>)
    points = transform(numbers(rows * last, last, true), n, -1);
  const Numbers given = resized(points, last, rowOf<In>(last, isReal<Out>, inPlace)),
                expected = resized(transform(points, n, direction), last,
                                   rowOf<Out>(last, isReal<In>, false));
  check::Array<In> in(stored<In>(given));
  check::Array<Out> out(inPlace ? 1 : expected.size());
  Plan plan;
  makePlan(plan, n, typeOf<In, Out>(), batch);
  Out *to = inPlace ? reinterpret_cast<Out *>(static_cast<In *>(in)) : out;
  FFT(execute(plan, in, to, direction));
  const int row = rowOf<Out>(last, isReal<In>, inPlace);
  std::vector<Out> result(rows * row);
  CUDA(
      cudaMemcpy(result.data(), to, result.size() * sizeof(Out), cudaMemcpyDeviceToHost));
  const Numbers found =
      resized(read(result, result.size()), row, rowOf<Out>(last, isReal<In>, false));
  NEAR(found, expected, epsilon<In>, static_cast<double>(product(n)));
}

template <class Real, class Complex> static void checkSize(const Sizes &n, int batch) {
  for (bool inPlace : {false, true}) {
    verify<Complex, Complex>(n, batch, CUFFT_FORWARD, inPlace);
    verify<Complex, Complex>(n, batch, CUFFT_INVERSE, inPlace);
    verify<Real, Complex>(n, batch, CUFFT_FORWARD, inPlace);
    verify<Complex, Real>(n, batch, CUFFT_INVERSE, inPlace);
  }
}

static void checkSizes(const Sizes &n, int batch) {
  checkSize<float, cufftComplex>(n, batch);
  checkSize<double, cufftDoubleComplex>(n, batch);
}

int main() {
  for (int n = 1; n <= 32; ++n)
    checkSizes({n}, 1 + n % 3);
  for (int n : {49, 60, 121, 127, 128, 143, 169, 210, 243, 256})
    checkSizes({n}, 5);
  for (const Sizes &n : std::vector<Sizes>{{1, 1},
                                           {1, 6},
                                           {7, 1},
                                           {4, 4},
                                           {3, 10},
                                           {17, 5},
                                           {12, 19},
                                           {16, 32},
                                           {1, 1, 5},
                                           {2, 3, 4},
                                           {4, 4, 4},
                                           {7, 1, 6},
                                           {5, 17, 3},
                                           {8, 4, 16}})
    for (int batch : {1, 3})
      checkSizes(n, batch);
  if (!isSlow()) {
    checkSizes({3000}, 1);
    checkSizes({2053}, 2);
    checkSizes({600, 3}, 1);
  }
  return check::finish("transforms");
}
