// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices: sums, sorting, and what leads from one format to another. Nothing depends on
// the order in which threads run.

#include "Elements.cuh"

namespace het::sparse {

constexpr int scanThreads = 256;

/// The numbers that a thread adds up one after another.
struct Piece {
  Index first, last;
};
__host__ __device__ inline Index pieceOf(Index count) {
  return (count + scanRoom - 1) / scanRoom;
}
__device__ inline Piece pieceAt(Index count, Index each, Index number) {
  const Index first = number * each, last = first + each;
  return {first < count ? first : count, last < count ? last : count};
}

__global__ void addPieces(const Index *numbers, Index count, Index each, Index *sums) {
  for (Index i = threadNumber(); i < scanRoom; i += threadCount()) {
    const Piece piece = pieceAt(count, each, i);
    Index sum = 0;
    for (Index at = piece.first; at < piece.last; ++at)
      sum += numbers[at];
    sums[i] = sum;
  }
}

/// One block: exclusive sums in place; the sum of all into `total`.
__global__ void __launch_bounds__(scanThreads)
    scanBlock(Index *numbers, Index count, Index *total) {
  __shared__ Index shared[scanThreads];
  const Piece piece = pieceAt(count, (count + scanThreads - 1) / scanThreads, threadIdx.x);
  Index sum = 0;
  for (Index at = piece.first; at < piece.last; ++at)
    sum += numbers[at];
  shared[threadIdx.x] = sum;
  __syncthreads();
  for (int step = 1; step < scanThreads; step *= 2) {
    const Index before = threadIdx.x >= step ? shared[threadIdx.x - step] : 0;
    __syncthreads();
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  Index next = shared[threadIdx.x] - sum;
  for (Index at = piece.first; at < piece.last; ++at) {
    const Index number = numbers[at];
    numbers[at] = next;
    next += number;
  }
  if (threadIdx.x == scanThreads - 1)
    *total = next;
}

__global__ void scanPieces(Index *numbers, Index count, Index each, const Index *sums) {
  for (Index i = threadNumber(); i < scanRoom; i += threadCount()) {
    const Piece piece = pieceAt(count, each, i);
    Index next = sums[i];
    for (Index at = piece.first; at < piece.last; ++at) {
      const Index number = numbers[at];
      numbers[at] = next;
      next += number;
    }
  }
}

/// What one block is enough for.
constexpr Index fewNumbers = 4096;

cudaError_t scan(Index *numbers, Index count, Index *sums, cudaStream_t stream) {
  if (count <= fewNumbers) {
    scanBlock<<<1, scanThreads, 0, stream>>>(numbers, count, numbers + count);
    return cudaGetLastError();
  }
  const Index each = pieceOf(count);
  const unsigned blocks = blocksFor(scanRoom);
  addPieces<<<blocks, blockThreads, 0, stream>>>(numbers, count, each, sums);
  scanBlock<<<1, scanThreads, 0, stream>>>(sums, scanRoom, numbers + count);
  scanPieces<<<blocks, blockThreads, 0, stream>>>(numbers, count, each, sums);
  return cudaGetLastError();
}

// Keys are sorted by their digits, the least first. A thread has a piece of the keys; how
// many of each digit come before, in its piece and in earlier ones, says where a key goes.
constexpr int digitBits = 8, digitValues = 1 << digitBits;
constexpr Index keysEach = 256, mostSorters = 4096;

static Index sortersOf(Index count) {
  const Index sorters = (count + keysEach - 1) / keysEach;
  return sorters < mostSorters ? sorters : mostSorters;
}
Index digitRoom(Index count) { return sortersOf(count) * digitValues + 1 + scanRoom; }

__device__ inline Index digitOf(Index key, int shift) {
  return (key >> shift) & (digitValues - 1);
}

__global__ void countDigits(const Index *keys, Index count, Index sorters, int shift,
                            Index *digits) {
  const Index each = (count + sorters - 1) / sorters;
  for (Index i = threadNumber(); i < sorters; i += threadCount()) {
    for (Index digit = 0; digit < digitValues; ++digit)
      digits[digit * sorters + i] = 0;
    const Piece piece = pieceAt(count, each, i);
    for (Index at = piece.first; at < piece.last; ++at)
      ++digits[digitOf(keys[at], shift) * sorters + i];
  }
}

__global__ void moveByDigits(const Index *keys, const Index *order, Index count,
                             Index sorters, int shift, Index *digits, Index *toKeys,
                             Index *toOrder) {
  const Index each = (count + sorters - 1) / sorters;
  for (Index i = threadNumber(); i < sorters; i += threadCount()) {
    const Piece piece = pieceAt(count, each, i);
    for (Index at = piece.first; at < piece.last; ++at) {
      const Index to = digits[digitOf(keys[at], shift) * sorters + i]++;
      toKeys[to] = keys[at];
      toOrder[to] = order[at];
    }
  }
}

cudaError_t sort(const Sorting &s, cudaStream_t stream) {
  if (s.count <= 0)
    return cudaSuccess;
  cudaError_t error = fillOrder({s.order, true}, 0, s.count, stream);
  const Index sorters = sortersOf(s.count);
  Index *sums = s.digits + sorters * digitValues + 1;
  Index *keys = s.keys, *order = s.order, *toKeys = s.otherKeys, *toOrder = s.otherOrder;
  for (int shift = 0; error == cudaSuccess && shift < 63 && (s.limit - 1) >> shift > 0;
       shift += digitBits) {
    countDigits<<<blocksFor(sorters), blockThreads, 0, stream>>>(keys, s.count, sorters,
                                                                 shift, s.digits);
    error = scan(s.digits, sorters * digitValues, sums, stream);
    moveByDigits<<<blocksFor(sorters), blockThreads, 0, stream>>>(
        keys, order, s.count, sorters, shift, s.digits, toKeys, toOrder);
    Index *const usedKeys = keys, *const usedOrder = order;
    keys = toKeys;
    order = toOrder;
    toKeys = usedKeys;
    toOrder = usedOrder;
  }
  const size_t bytes = static_cast<size_t>(s.count) * sizeof(Index);
  if (error == cudaSuccess && order != s.order)
    error = cudaMemcpyAsync(s.order, order, bytes, cudaMemcpyDeviceToDevice, stream);
  if (error == cudaSuccess && keys != s.keys)
    error = cudaMemcpyAsync(s.keys, keys, bytes, cudaMemcpyDeviceToDevice, stream);
  return error != cudaSuccess ? error : cudaGetLastError();
}

/// A launch with one thread for each of `count`.
template <class Kernel, class... Arguments>
static cudaError_t each(Index count, cudaStream_t stream, Kernel kernel,
                        Arguments... arguments) {
  if (count > 0)
    kernel<<<blocksFor(count), blockThreads, 0, stream>>>(count, arguments...);
  return cudaGetLastError();
}

__global__ void fillOrderKernel(Index count, Indices to, Index first) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    put(to, i, first + i);
}
cudaError_t fillOrder(Indices to, Index first, Index count, cudaStream_t stream) {
  return each(count, stream, fillOrderKernel, to, first);
}

/// Where the entries of a row begin in a list of all.
__device__ inline Index firstInList(const Sparse &a, Index row, const Row &r) {
  switch (a.layout) {
  case Layout::Blocks:
    return r.first * a.blockRows * a.blockColumns + r.inBlock * r.count;
  case Layout::Ell:
    return row * r.count;
  default:
    return r.first;
  }
}
__global__ void listEntriesKernel(Index count, Sparse a, Index *rows, Index *columns,
                                  Index *places) {
  for (Index row = threadNumber(); row < count; row += threadCount()) {
    const Row r = rowOf(a, row);
    const Index first = firstInList(a, row, r);
    for (Index k = 0; k < r.count; ++k) {
      const Entry entry = entryOf(a, r, k);
      const Index at = first + k * r.step;
      rows[at] = row;
      columns[at] = entry.column < 0 || row >= a.rows ? a.columns : entry.column;
      places[at] = entry.place;
    }
  }
}
cudaError_t listEntries(const Sparse &a, Index *rows, Index *columns, Index *places,
                        cudaStream_t stream) {
  // The last slice may have rows that the matrix has not: all padding.
  const Index all = (a.rows + a.sliceRows - 1) / a.sliceRows * a.sliceRows;
  return each(all, stream, listEntriesKernel, a, rows, columns, places);
}

__global__ void permuteKernel(Index count, Indices from, const Index *order, Indices to,
                              Index shift) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    put(to, i, get(from, order[i]) + shift);
}
cudaError_t permute(Indices from, const Index *order, Indices to, Index shift,
                    Index count, cudaStream_t stream) {
  return each(count, stream, permuteKernel, from, order, to, shift);
}

template <class Word>
__global__ void permuteWords(Index count, const Word *from, const Index *order,
                             Word *to) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    to[i] = from[order[i]];
}
template <class Word>
static cudaError_t permuteAs(const void *from, const Index *order, void *to, Index count,
                             cudaStream_t stream) {
  return each(count, stream, permuteWords<Word>, static_cast<const Word *>(from), order,
              static_cast<Word *>(to));
}
cudaError_t permuteValues(const void *from, const Index *order, void *to, Index bytes,
                          Index count, cudaStream_t stream) {
  switch (bytes) {
  case 1:
    return permuteAs<char>(from, order, to, count, stream);
  case 2:
    return permuteAs<short>(from, order, to, count, stream);
  case 4:
    return permuteAs<int>(from, order, to, count, stream);
  case 8:
    return permuteAs<Index>(from, order, to, count, stream);
  default:
    return permuteAs<Complex64>(from, order, to, count, stream);
  }
}

__global__ void findOffsetsKernel(Index rows, Indices keys, Index keyBase, Index count,
                                  Indices offsets, Index shift) {
  for (Index row = threadNumber(); row < rows; row += threadCount())
    put(offsets, row, lowerBound(keys, count, row + keyBase) + shift);
}
cudaError_t findOffsets(Indices keys, Index keyBase, Index count, Indices offsets,
                        Index rows, Index shift, cudaStream_t stream) {
  return each(rows + 1, stream, findOffsetsKernel, keys, keyBase, count, offsets, shift);
}

__global__ void findRowsKernel(Index rows, Indices offsets, int base, Indices to) {
  for (Index row = threadNumber(); row < rows; row += threadCount())
    for (Index i = get(offsets, row) - base; i < get(offsets, row + 1) - base; ++i)
      put(to, i, row + base);
}
cudaError_t findRows(Indices offsets, Index rows, int base, Indices to,
                     cudaStream_t stream) {
  return each(rows, stream, findRowsKernel, offsets, base, to);
}

__global__ void compactKernel(Index rows, const Index *starts, const Index *from,
                              const Index *offsets, Indices to, Index shift) {
  for (Index row = threadNumber(); row < rows; row += threadCount()) {
    const Index first = offsets[row], count = offsets[row + 1] - first;
    for (Index k = 0; k < count; ++k)
      put(to, first + k, from[starts[row] + k] + shift);
  }
}
cudaError_t compact(Index rows, const Index *starts, const Index *from,
                    const Index *offsets, Indices to, Index shift, cudaStream_t stream) {
  return each(rows, stream, compactKernel, starts, from, offsets, to, shift);
}

__global__ void convertIndicesKernel(Index count, Indices from, Indices to, Index shift) {
  for (Index i = threadNumber(); i < count; i += threadCount())
    put(to, i, get(from, i) + shift);
}
cudaError_t convertIndices(Indices from, Indices to, Index shift, Index count,
                           cudaStream_t stream) {
  return each(count, stream, convertIndicesKernel, from, to, shift);
}

} // namespace het::sparse
