// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS:
// FLAGS: -G -DDEBUG_BUILD
//
// Lanes that update an array in place in shared memory, with nothing between what they
// load of each other and what they store: rows divided by one of their elements, the
// largest of a row by indices that are loaded, a scan in a loop, sums of rows by ever
// fewer lanes, and a sum that all lanes read before the next round stores its summands.
// Only the last is volatile, and that not always. CUDA leaves this undefined; here it is as in lockstep
// (docs/design/progress-of-lanes.md).

#include "Inputs/check.h"

constexpr int rows = 4, columns = 5, lanes = 32;

// Each row by its pivot, which is among what is divided.
__global__ void divideRows(float *values, const int *pivots) {
  extern __shared__ float m[];
  int c = threadIdx.x, r = threadIdx.y, n = blockDim.x;
  m[r * n + c] = values[r * n + c];
  __syncthreads();
  for (int row = 0; row < blockDim.y; ++row) {
    if (r == row)
      m[r * n + c] = m[r * n + c] / m[r * n + pivots[row]];
    __syncthreads();
  }
  values[r * n + c] = m[r * n + c];
}

// The place of the largest of n values, in one row of threads, as the values move on. How
// often it was not found.
__global__ void findLargest(const float *in, int n, int all, int repeats, int *wrong) {
  extern __shared__ float values[];
  int *places = (int *)(values + all);
  int c = threadIdx.x, count = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    values[c] = -1;
    places[c] = c;
    __syncthreads();
    if (threadIdx.y == 0 && c < n) {
      values[c] = in[(c + repeat) % n];
      for (int by = all / 2; by > 0; by /= 2)
        if (c < by)
          if (values[places[c]] < values[places[c + by]])
            places[c] = places[c + by];
    }
    __syncthreads();
    if (in[(places[0] + repeat) % n] != 9)
      ++count;
    __syncthreads();
  }
  wrong[threadIdx.y * blockDim.x + c] = count;
}

__global__ void scan(const int *in, int n, int *out) {
  __shared__ int sums[lanes];
  int t = threadIdx.x;
  sums[t] = in[t];
  if (t < n) {
    for (int by = 1; by < n; by *= 2)
      if (t >= by)
        sums[t] += sums[t - by];
    out[t] = sums[t];
  }
}

// A warp a row; `width` is not known to the compiler.
__global__ void sumRows(const int *in, int width, int *out) {
  __shared__ int sums[rows * lanes];
  int x = threadIdx.x, place = threadIdx.y * lanes + x;
  sums[place] = in[place];
  for (int by = width / 2; by > 0; by /= 2)
    if (x < by)
      sums[place] += sums[place + by];
  if (x == 0)
    out[threadIdx.y] = sums[place];
}

// NVIDIA's machines do not run a debug build of this in lockstep.
__global__ void sumRowsUnrolled(const int *in, int *out) {
  __shared__ int sums[rows * lanes];
  int x = threadIdx.x, place = threadIdx.y * lanes + x;
  sums[place] = in[place];
  if (x < 16)
    sums[place] += sums[place + 16];
  if (x < 8)
    sums[place] += sums[place + 8];
  if (x < 4)
    sums[place] += sums[place + 4];
  if (x < 2)
    sums[place] += sums[place + 2];
  if (x < 1)
    out[threadIdx.y] = sums[place] + sums[place + 1];
}

// Nothing between what is read of a sum and the next round. That all lanes make as many,
// no compiler knows.
template <class Element>
__global__ void sumInRounds(const int *in, const int *counts, int *out) {
  __shared__ int sums[lanes];
  Element *places = sums;
  int t = threadIdx.x;
  for (int round = 0; round < counts[t]; ++round) {
    places[t] = in[round * lanes + t];
    __syncwarp();
    for (int by = lanes / 2; by > 0; by /= 2) {
      if (t < by)
        places[t] = places[t] + places[t + by];
      __syncwarp();
    }
    out[round * lanes + t] = places[0];
  }
}

static void checkRows() {
  check::Array<float> values(rows * columns);
  check::Array<int> pivots(rows);
  for (int i = 0; i < rows * columns; ++i)
    values.host[i] = i + 1.0f;
  for (int r = 0; r < rows; ++r)
    pivots.host[r] = 2 * r % columns;
  values.put();
  pivots.put();
  divideRows<<<1, dim3(columns, rows), rows * columns * sizeof(float)>>>(values, pivots);
  values.get();
  for (int i = 0; i < rows * columns; ++i) {
    int r = i / columns;
    CHECK_AT(i, values.host[i], (i + 1.0f) / (r * columns + pivots.host[r] + 1.0f));
  }
}

static void checkLargest() {
  constexpr int all = 8;
  check::Array<float> in(all);
  check::Array<int> wrong(2 * all);
  for (int largest = 0; largest < all; ++largest) {
    for (int i = 0; i < all; ++i)
      in.host[i] = i == largest ? 9 : i * 0.5f;
    in.put();
    wrong.fill(-1);
    findLargest<<<1, dim3(all, 2), all * 8>>>(in, all, all, 20, wrong);
    wrong.get();
    for (int i = 0; i < 2 * all; ++i)
      CHECK_AT(100 + largest * 2 * all + i, wrong.host[i], 0);
  }
}

static void checkScan(check::Array<int> &in) {
  check::Array<int> out(lanes);
  for (int n : {32, 20, 7}) {
    out.fill(0);
    scan<<<1, lanes>>>(in, n, out);
    out.get();
    int want = 0;
    for (int t = 0; t < n; ++t) {
      want += in.host[t];
      CHECK_AT(200 + t, out.host[t], want);
    }
  }
}

static void checkSums(check::Array<int> &in) {
  check::Array<int> out(rows);
  for (bool isUnrolled : {false, true}) {
#ifdef DEBUG_BUILD
    if (isUnrolled)
      break;
#endif
    out.fill(0);
    if (isUnrolled)
      sumRowsUnrolled<<<1, dim3(lanes, rows)>>>(in, out);
    else
      sumRows<<<1, dim3(lanes, rows)>>>(in, lanes, out);
    out.get();
    for (int r = 0; r < rows; ++r) {
      int want = 0;
      for (int x = 0; x < lanes; ++x)
        want += in.host[r * lanes + x];
      CHECK_AT(300 + isUnrolled * rows + r, out.host[r], want);
    }
  }
}

static void checkRounds(check::Array<int> &in) {
  check::Array<int> out(rows * lanes), counts(lanes);
  counts.fill(rows);
  for (bool isVolatile : {false, true}) {
    out.fill(0);
    if (isVolatile)
      sumInRounds<volatile int><<<1, lanes>>>(in, counts, out);
    else
      sumInRounds<int><<<1, lanes>>>(in, counts, out);
    out.get();
    for (int r = 0; r < rows; ++r) {
      int want = 0;
      for (int t = 0; t < lanes; ++t)
        want += in.host[r * lanes + t];
      for (int t = 0; t < lanes; ++t)
        CHECK_AT(400 + r * lanes + t, out.host[r * lanes + t], want);
    }
  }
}

int main() {
  check::Array<int> in(rows * lanes);
  unsigned state = 3;
  for (int &value : in.host)
    value = (int)(check::random(state) % 1000);
  in.put();
  checkRows();
  checkLargest();
  checkScan(in);
  checkSums(in);
  checkRounds(in);
  return check::finish("lockstep_updates");
}
