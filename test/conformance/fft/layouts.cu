// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -O2 -lcufft
//
// Data layouts: distances between numbers, rows and transforms, on both sides, and
// nothing written in between.

#include "Inputs/fft.h"

using namespace fft;

struct Side {
  Sizes embed; ///< Of rows in memory; the first is not used.
  int stride, distance;
};

/// The place of number `index` of a transform, whose rows have `last` numbers.
static size_t placeOf(const Side &side, const Sizes &n, int last, size_t index) {
  size_t place = 0, step = side.stride;
  for (size_t axis = n.size(); axis-- > 0;) {
    const size_t size = axis + 1 == n.size() ? last : n[axis];
    place += index % size * step;
    index /= size;
    step *= side.embed[axis];
  }
  return place;
}

template <class In, class Out>
static void verify(const Sizes &n, int batch, const Side &inSide, const Side &outSide,
                   bool inPlace = false) {
  if (skips())
    return;
  constexpr int direction = isReal<In> ? CUFFT_FORWARD : CUFFT_INVERSE;
  const int last = n.back(), half = last / 2 + 1;
  const int inLast = isReal<Out> ? half : last, outLast = isReal<In> ? half : last;
  const size_t rows = product(n) / last, room = 40000;
  check::Array<In> in(room);
  check::Array<Out> out(room);
  const Out mark = {};
  std::vector<bool> written(room);
  Numbers expected, found;
  std::vector<size_t> places;
  for (int b = 0; b < batch; ++b) {
    Numbers points = numbers(product(n), b + last, isReal<In>);
    if (isReal<Out>)
      points = transform(numbers(product(n), b, true), n, CUFFT_FORWARD);
    const Numbers result = transform(points, n, direction);
    for (size_t i = 0; i < rows * inLast; ++i)
      put(in.host[placeOf(inSide, n, inLast, i) + size_t(b) * inSide.distance],
          points[i / inLast * last + i % inLast]);
    for (size_t i = 0; i < rows * outLast; ++i) {
      places.push_back(placeOf(outSide, n, outLast, i) + size_t(b) * outSide.distance);
      written[places.back()] = true;
      expected.push_back(result[i / outLast * last + i % outLast]);
    }
  }
  in.put();
  Plan plan;
  Sizes sizes = n, inEmbed = inSide.embed, outEmbed = outSide.embed;
  FFT(cufftPlanMany(&plan.handle, static_cast<int>(n.size()), sizes.data(),
                    inEmbed.data(), inSide.stride, inSide.distance, outEmbed.data(),
                    outSide.stride, outSide.distance, typeOf<In, Out>(), batch));
  Out *to = inPlace ? reinterpret_cast<Out *>(static_cast<In *>(in)) : out;
  FFT(execute(plan, in, to, direction));
  const size_t size = inPlace ? std::min(sizeof(In), sizeof(Out)) : sizeof(Out);
  CUDA(cudaMemcpy(out.host.data(), to, room * size, cudaMemcpyDeviceToHost));
  for (size_t place : places)
    found.push_back(plain(out.host[place]));
  NEAR(found, expected, epsilon<In>, static_cast<double>(product(n)));
  for (size_t i = 0; i < room && !inPlace; ++i)
    if (!written[i])
      CHECK_AT(static_cast<long long>(i), out.host[i], mark);
}

/// All directions between two layouts.
template <class Real, class Complex>
static void checkTypes(const Sizes &n, int batch, const Side &a, const Side &b) {
  verify<Complex, Complex>(n, batch, a, b);
  verify<Complex, Complex>(n, batch, a, a, true);
  verify<Real, Complex>(n, batch, a, b);
  verify<Complex, Real>(n, batch, a, b);
}

static void checkLayouts(const Sizes &n, int batch, const Side &a, const Side &b) {
  checkTypes<float, cufftComplex>(n, batch, a, b);
  checkTypes<double, cufftDoubleComplex>(n, batch, b, a);
}

int main() {
  // Numbers of all transforms side by side, and one after another.
  checkLayouts({16}, 10, {{16}, 10, 1}, {{16}, 1, 16});
  checkLayouts({30}, 7, {{30}, 3, 100}, {{31}, 2, 64});
  checkLayouts({17}, 4, {{17}, 4, 1}, {{17}, 1, 20});
  checkLayouts({12, 10}, 3, {{12, 11}, 2, 300}, {{13, 12}, 1, 160});
  checkLayouts({5, 34}, 2, {{5, 40}, 1, 200}, {{6, 35}, 3, 700});
  checkLayouts({4, 6, 8}, 2, {{4, 7, 9}, 2, 600}, {{4, 6, 10}, 1, 250});
  checkLayouts({3, 5, 19}, 5, {{3, 5, 20}, 5, 1}, {{3, 6, 19}, 1, 400});
  // Rows of real numbers with as much room as their results.
  verify<float, cufftComplex>({24}, 3, {{26}, 1, 26}, {{13}, 1, 13}, true);
  verify<cufftDoubleComplex, double>({6, 24}, 3, {{6, 13}, 1, 78}, {{6, 26}, 1, 156},
                                     true);
  if (!isSlow())
    checkLayouts({2500}, 4, {{2500}, 4, 1}, {{2500}, 1, 2600});
  return check::finish("layouts");
}
