// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory by primitives and by nvcuda::experimental::pipeline: groups,
// waiting for all but the latest, zeros at the end, and barriers that copies arrive on.
// CUDA C++ Programming Guide: Pipeline Primitives Interface, Memory Barrier Primitives
// Interface.
// FLAGS: -arch=sm_80

#include "Inputs/check.h"
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

constexpr int threads = 64;

// Three stages, of which the thread waits for one after the other.
__global__ void stages(const double *in, double *out) {
  __shared__ double copy[3][threads];
  __shared__ int cut[threads];
  const int t = threadIdx.x;
  cut[t] = -1;
  for (int i = 0; i < 3; ++i) {
    __pipeline_memcpy_async(&copy[i][t], in + i * threads + t, sizeof(double));
    if (i == 2)
      __pipeline_memcpy_async(&cut[t], in + t, 4, 3); // a byte, and three of zeros
    __pipeline_commit();
  }
  double result = 0;
  __pipeline_wait_prior(2);
  result += copy[0][t];
  __pipeline_wait_prior(1);
  result *= copy[1][t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = result - copy[2][threads - 1 - t] + cut[t];
}

// All wait at a barrier that the copies of all arrive on.
__global__ void arrivals(const int4 *in, int4 *out) {
  __shared__ int4 copy[threads];
  __shared__ __mbarrier_t barrier;
  const int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&barrier, threads);
  __syncthreads();
  __pipeline_memcpy_async(&copy[t], in + t, sizeof(int4));
  __pipeline_arrive_on(&barrier);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token))
    ;
  out[t] = copy[t ^ 33];
}

struct Record {
  int number;
  float values[3];
  short tail;
};

__global__ void objects(const Record *in, Record *out, int *phases) {
  namespace nv = nvcuda::experimental;
  __shared__ Record copy[threads];
  __shared__ short small[threads];
  __shared__ nv::awbarrier barrier;
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, threads);
  __syncthreads();
  nv::pipeline pipe;
  nv::memcpy_async(copy[t], in[t], pipe);
  const size_t first = pipe.commit();
  nv::memcpy_async(small[t], in[t].tail, pipe);
  pipe.commit();
  pipe.wait(first);
  pipe.wait_prior<0>();
  nv::awbarrier::arrival_token token = barrier.arrive();
  barrier.wait(token);
  Record mine = copy[threads - 1 - t];
  mine.tail += small[(t + 1) % threads];
  out[t] = mine;
  if (t % 2)
    barrier.arrive_and_drop();
  else {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();
    atomicAdd(phases, 1);
  }
}

int main() {
  std::vector<double> numbers(3 * threads);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i * 1.5 - 20;
  check::Array<double> in(numbers), out(threads);
  stages<<<1, threads>>>(in, out);
  out.get();
  for (int t = 0; t < threads; ++t) {
    unsigned char lowest;
    memcpy(&lowest, &numbers[t], 1);
    CHECK_AT(t, out.host[t],
             numbers[t] * numbers[threads + t] - numbers[3 * threads - 1 - t] + lowest);
  }
  std::vector<int4> quads(threads);
  for (int t = 0; t < threads; ++t)
    quads[t] = make_int4(t, -t, t * t, 7);
  check::Array<int4> inQuads(quads), outQuads(threads);
  arrivals<<<1, threads>>>(inQuads, outQuads);
  outQuads.get();
  for (int t = 0; t < threads; ++t)
    CHECK_AT(t, outQuads.host[t].z, (t ^ 33) * (t ^ 33));
  std::vector<Record> records(threads);
  for (int t = 0; t < threads; ++t)
    records[t] = {t, {t * 0.5f, 1, 2}, (short)(t * 3)};
  check::Array<Record> inRecords(records), outRecords(threads);
  check::Array<int> phases(1);
  objects<<<1, threads>>>(inRecords, outRecords, phases);
  outRecords.get();
  for (int t = 0; t < threads; ++t) {
    const int from = threads - 1 - t;
    CHECK_AT(t, outRecords.host[t].number, from);
    CHECK_AT(t, outRecords.host[t].values[0], from * 0.5f);
    CHECK_AT(t, (int)outRecords.host[t].tail, from * 3 + (t + 1) % threads * 3);
  }
  CHECK_EQ(phases.get()[0], threads / 2);
  return check::finish("pipeline_primitives");
}
