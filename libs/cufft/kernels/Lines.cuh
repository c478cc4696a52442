// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over all lines. In shared memory a tile's lines lie side by side: point q of
// line l has the place q * lines + l. So a tile is one long line whose transforms begin
// with the length `lines`, and threads have neighbouring places in every step.

#ifndef HET_LIBS_CUFFT_LINES_CUH
#define HET_LIBS_CUFFT_LINES_CUH

#include "Points.cuh"
#include "Radix.cuh"

namespace het::fft {

__device__ inline unsigned quotient(unsigned a, const Divisor &by) {
  return by.value == 1 ? a : __umulhi(a, by.factor);
}

/// A tile's lines: where they begin, and the factor of their twiddles.
struct Lines {
  Index from[maxLines], to[maxLines], fromPoint[maxLines], toPoint[maxLines];
  unsigned twiddle[maxLines];
};

__device__ inline void findLine(const Pass &p, Index line, Lines &lines, int at) {
  Index from = 0, to = 0, fromPoint = 0, toPoint = 0, twiddle = 0;
  for (int i = 0; i < p.counters; ++i) {
    const Counter &counter = p.counter[i];
    const Index next = i + 1 < p.counters ? line / counter.count : 0;
    const Index step = line - next * counter.count;
    from += step * counter.from;
    to += step * counter.to;
    fromPoint += step * counter.fromPoint;
    toPoint += step * counter.toPoint;
    twiddle += step * counter.twiddle;
    line = next;
  }
  lines.from[at] = from;
  lines.to[at] = to;
  lines.fromPoint[at] = fromPoint;
  lines.toPoint[at] = toPoint;
  lines.twiddle[at] = static_cast<unsigned>(twiddle);
}

/// Which point of a tile the i-th is, where neighbours are points or lines.
struct Place {
  unsigned line, point;
};
__device__ inline Place placeOf(const Pass &p, bool byPoint, unsigned i) {
  if (byPoint) {
    const unsigned line = quotient(i, p.radixDivisor);
    return {line, i - line * p.radix};
  }
  const unsigned line = i & (p.lines - 1);
  return {line, i >> p.lineBits};
}

template <class R> __device__ Complex<R> twiddleOf(const Pass &p, unsigned exponent) {
  const unsigned low = exponent & ((1u << p.fineBits) - 1);
  const Complex<R> fine = static_cast<const Complex<R> *>(p.fine)[low];
  if (!p.coarse)
    return fine;
  return fine * static_cast<const Complex<R> *>(p.coarse)[exponent >> p.fineBits];
}

/// A step of a small radix, for transforms of `done` points that are finished. `all` is
/// the number of points of the tile.
template <class R, int P>
__device__ void step(const Pass &p, const Complex<R> *from, Complex<R> *to, int at,
                     unsigned done) {
  const unsigned count = p.radix / P * p.lines, length = done * p.lines;
  const Complex<R> *roots = static_cast<const Complex<R> *>(p.roots);
  const unsigned rootStep = p.radix / (done * P);
  for (unsigned first = 0; first < count; first += blockThreads) {
    const unsigned i = first + threadIdx.x;
    if (i >= count)
      continue;
    Complex<R> a[P];
#pragma unroll
    for (int q = 0; q < P; ++q)
      a[q] = from[i + q * count];
    const unsigned transform = quotient(i, p.stepDivisor[at]),
                   within = i - transform * length;
    if (done > 1) {
      const unsigned exponent = (within >> p.lineBits) * rootStep;
#pragma unroll
      for (int q = 1; q < P; ++q)
        a[q] = a[q] * roots[q * exponent];
    }
    Transform<R, P>::run(a);
    Complex<R> *place = to + transform * length * P + within;
#pragma unroll
    for (int q = 0; q < P; ++q)
      place[q * length] = a[q];
  }
}

template <class R>
__device__ void anyStep(const Pass &p, const Complex<R> *from, Complex<R> *to, int at,
                        unsigned done) {
  switch (p.stepRadix[at]) {
  case 2:
    return step<R, 2>(p, from, to, at, done);
  case 3:
    return step<R, 3>(p, from, to, at, done);
  case 4:
    return step<R, 4>(p, from, to, at, done);
  case 5:
    return step<R, 5>(p, from, to, at, done);
  case 7:
    return step<R, 7>(p, from, to, at, done);
  case 8:
    return step<R, 8>(p, from, to, at, done);
  case 11:
    return step<R, 11>(p, from, to, at, done);
  case 13:
    return step<R, 13>(p, from, to, at, done);
  }
}

template <class R>
__device__ void loadTile(const Pass &p, const Lines &lines, Complex<R> *to,
                         unsigned there) {
  const unsigned count = p.radix * p.lines;
  for (unsigned first = 0; first < count; first += blockThreads) {
    const unsigned i = first + threadIdx.x;
    if (i >= count)
      continue;
    const Place at = placeOf(p, p.from.byPoint, i);
    Complex<R> value = R(0);
    if (at.line < there) {
      const Index number = lines.fromPoint[at.line] + at.point * p.from.pointStep;
      value = loadPoint<R>(p.from, lines.from[at.line], number);
      if (p.fine)
        value = value * twiddleOf<R>(p, lines.twiddle[at.line] * at.point);
    }
    to[at.point * p.lines + at.line] = value;
  }
}

/// A point of a line whose points are pairs of real numbers. The first one gives the
/// last, too.
template <class R>
__device__ void storeUnfolded(const Pass &p, Index place, const Complex<R> *line,
                              unsigned point) {
  const Complex<R> a = line[point * p.lines],
                   b = line[(point ? p.radix - point : 0) * p.lines];
  storePoint<R>(p.to, place, point, unfoldPoint<R>(p.to, point, a, b));
  if (point == 0)
    storePoint<R>(p.to, place, p.radix, unfoldPoint<R>(p.to, p.radix, a, b));
}

template <class R>
__device__ void storeTile(const Pass &p, const Lines &lines, const Complex<R> *from,
                          unsigned there) {
  const unsigned count = p.radix * p.lines;
  for (unsigned first = 0; first < count; first += blockThreads) {
    const unsigned i = first + threadIdx.x;
    if (i >= count)
      continue;
    const Place at = placeOf(p, p.to.byPoint, i);
    if (at.line >= there)
      continue;
    if (p.to.pairRoots)
      storeUnfolded<R>(p, lines.to[at.line], from + at.line, at.point);
    else
      storePoint<R>(p.to, lines.to[at.line],
                    lines.toPoint[at.line] + at.point * p.to.pointStep,
                    from[at.point * p.lines + at.line]);
  }
}

template <class R>
__global__ void __launch_bounds__(blockThreads)
    transformTiles(const __grid_constant__ Pass p) {
  __shared__ Complex<R> points[2][tilePoints<R>];
  __shared__ Lines lines;
  static_assert(maxLines == blockThreads, "a thread finds a line");
  for (Index first = static_cast<Index>(blockIdx.x) * p.lines; first < p.allLines;
       first += static_cast<Index>(gridDim.x) * p.lines) {
    const Index left = p.allLines - first;
    const unsigned there = static_cast<unsigned>(left < p.lines ? left : p.lines);
    findLine(p, first + min(threadIdx.x, there - 1), lines, threadIdx.x);
    __syncthreads();
    loadTile<R>(p, lines, points[0], there);
    __syncthreads();
    unsigned done = 1;
    for (int i = 0; i < p.steps; ++i) {
      anyStep<R>(p, points[i % 2], points[(i + 1) % 2], i, done);
      done *= p.stepRadix[i];
      __syncthreads();
    }
    storeTile<R>(p, lines, points[p.steps % 2], there);
    __syncthreads();
  }
}

template <class R> cudaError_t transformLines(const Pass &p, cudaStream_t stream) {
  const Index tiles = (p.allLines + p.lines - 1) / p.lines, most = 1 << 20;
  if (tiles <= 0)
    return cudaSuccess;
  transformTiles<R>
      <<<static_cast<unsigned>(tiles < most ? tiles : most), blockThreads, 0, stream>>>(
          p);
  return cudaGetLastError();
}

} // namespace het::fft

#endif // HET_LIBS_CUFFT_LINES_CUH
