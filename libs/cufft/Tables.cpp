// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How constants are computed: in a precision above that of the results.

#include "Tables.h"
#include "common/Aside.h"

#include <algorithm>
#include <cmath>
#include <cuda_runtime_api.h>

namespace het::fft {

namespace {

using Number = Complex<double>;
using Numbers = std::vector<Number>;

/// exp(-2 pi i x / n), by the nearest axis, so that quarters of the circle are exact.
Number root(Index x, Index n) {
  x %= n;
  const Index quarter = (4 * x + n / 2) / n;
  const long double angle = 2 * 3.14159265358979323846264338327950288L *
                            (static_cast<long double>(x) / n - quarter / 4.0L);
  const double cosine = static_cast<double>(std::cos(angle)),
               sine = static_cast<double>(-std::sin(angle));
  switch (quarter % 4) {
  case 0:
    return {cosine, sine};
  case 1:
    return {sine, -cosine};
  case 2:
    return {-cosine, -sine};
  default:
    return {-sine, cosine};
  }
}

/// exp(-pi i x^2 / n) for all x; x^2 is counted modulo 2 n.
Numbers chirp(Index n) {
  Numbers values(n);
  Index square = 0;
  for (Index x = 0; x < n; ++x) {
    values[x] = root(square, 2 * n);
    square = (square + 2 * x + 1) % (2 * n);
  }
  return values;
}

/// A transform in place, of a power of two points.
void transform(Numbers &a) {
  const size_t n = a.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      std::swap(a[i], a[j]);
  }
  Numbers roots(n / 2);
  for (size_t i = 0; i < n / 2; ++i)
    roots[i] = root(static_cast<Index>(i), static_cast<Index>(n));
  for (size_t half = 1; half < n; half *= 2)
    for (size_t first = 0; first < n; first += 2 * half)
      for (size_t i = first; i < first + half; ++i) {
        const Number odd = a[i + half] * roots[(i - first) * (n / (2 * half))];
        a[i + half] = a[i] - odd;
        a[i] += odd;
      }
}

Numbers compute(const Table &table) {
  if (table.kind == Table::Chirp)
    return chirp(table.n);
  Numbers values(table.count, Number(0));
  if (table.kind == Table::Roots) {
    for (Index x = 0; x < table.count; ++x)
      values[x] = root(x * table.stride, table.n);
    return values;
  }
  const Numbers factors = chirp(table.n);
  const double scale = 1.0 / static_cast<double>(table.count);
  for (Index x = 0; x < table.n; ++x)
    values[x] = values[x ? table.count - x : 0] =
        Number(factors[x].re * scale, -factors[x].im * scale);
  transform(values);
  return values;
}

Index lengthOf(const Table &table) {
  return table.kind == Table::Chirp ? table.n : table.count;
}

} // namespace

Tables::~Tables() {
  const libs::RelaxedCapture relaxed;
  if (memory)
    (void)cudaFree(memory);
}

void Tables::add(const Table &table) {
  const auto same = [&](const Entry &entry) { return entry.table == table; };
  if (table.kind != Table::None && std::none_of(entries.begin(), entries.end(), same))
    entries.push_back({table, 0});
}

const void *Tables::find(const Table &table) const {
  for (const Entry &entry : entries)
    if (entry.table == table)
      return memory + entry.offset;
  return nullptr;
}

template <class R> cudaError_t Tables::upload() {
  size_t size = 0;
  for (Entry &entry : entries) {
    entry.offset = size;
    size += (lengthOf(entry.table) * sizeof(Complex<R>) + 255) / 256 * 256;
  }
  if (!size)
    return cudaSuccess;
  if (const cudaError_t error = cudaMalloc(reinterpret_cast<void **>(&memory), size))
    return error;
  std::vector<char> bytes(size);
  for (const Entry &entry : entries) {
    auto *to = reinterpret_cast<Complex<R> *>(bytes.data() + entry.offset);
    for (const Number &value : compute(entry.table))
      *to++ = {static_cast<R>(value.re), static_cast<R>(value.im)};
  }
  return libs::copyAside(memory, bytes.data(), size);
}

template cudaError_t Tables::upload<float>();
template cudaError_t Tables::upload<double>();

} // namespace het::fft
