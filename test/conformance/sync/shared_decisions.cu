// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block does next is decided by words of its shared memory: tasks that one thread
// fetches, a loop until nothing changes, a word that others index, and a block of one
// thread that may write between reading a word and acting on it.
// CUDA C++ Programming Guide: Synchronization Functions.

#include "Inputs/check.h"
#include <algorithm>

/// Threads together take tasks, each of some rounds, until none is left.
__global__ void fetch(int *head, const int *__restrict__ rounds, int tasks, int *sums,
                      int threads) {
  __shared__ int task, left;
  int t = threadIdx.x;
  if (t >= threads)
    return;
  if (t == 0)
    task = atomicAdd(head, 1);
  __syncthreads();
  while (task < tasks) {
    int value = t, mine = task;
    if (rounds[mine] % 5 == 4) { // passed over
      __syncthreads();
      if (t == 0)
        task = atomicAdd(head, 1);
      __syncthreads();
      continue;
    }
    if (t == 0)
      left = rounds[mine];
    __syncthreads();
    for (; left > 0; value = (value * 5 + mine / (mine + 1 - left % 2)) & 0xffff) {
      __syncthreads();
      if (t == 0)
        --left;
      __syncthreads();
    }
    atomicAdd(&sums[mine], value);
    if (t == 0)
      task = atomicAdd(head, 1);
    __syncthreads();
  }
}

static int expectTask(int task, int rounds, int threads) {
  int sum = 0;
  for (int t = 0; t < threads && rounds % 5 != 4; ++t) {
    int value = t;
    for (int left = rounds - 1; left >= 0; --left)
      value = (value * 5 + task / (task + 1 - left % 2)) & 0xffff;
    sum += value;
  }
  return sum;
}

/// The largest of the neighbours, until nothing changes; every fourth by another way.
__global__ void spread(int *data, int *rounds) {
  __shared__ int box[128], changed;
  int t = threadIdx.x, n = blockDim.x, count = 0;
  box[t] = data[t];
  do {
    __syncthreads();
    int largest = max(box[t], max(box[max(t - 1, 0)], box[min(t + 1, n - 1)]));
    int pivot = box[count % n];
    if (t == 0)
      changed = 0;
    __syncthreads();
    if (pivot % 4 == 3)
      __syncthreads();
    if (largest != box[t])
      changed = 1;
    box[t] = largest;
    ++count;
    __syncthreads();
  } while (changed);
  data[t] = box[t];
  rounds[t] = count;
}

static int expectSpread(std::vector<int> &x) {
  for (int count = 1;; ++count) {
    std::vector<int> next = x;
    for (size_t t = 0; t < x.size(); ++t)
      next[t] = std::max({x[t], x[t ? t - 1 : 0], x[std::min(t + 1, x.size() - 1)]});
    bool same = next == x;
    x = next;
    if (same)
      return count;
  }
}

/// One thread: nobody else reads the word.
__global__ void alone(int n, int *out, int **place) {
  __shared__ int word, other;
  word = other = 0;
  *place = &other;
  int sum = 0;
  while (true) {
    __syncthreads();
    int v = word;
    sum = sum * 3 + v;
    word = v + 1;
    if (v >= n)
      break;
    __syncthreads();
    int w = other;
    **place = w + 2;
    if (w < n)
      __syncthreads();
    else
      sum += 7;
  }
  *out = sum;
}

static int expectAlone(int n) {
  unsigned sum = 0;
  for (int v = 0, w = 0;; ++v, w += 2) {
    sum = sum * 3 + v;
    if (v >= n)
      return sum;
    sum += w < n ? 0 : 7;
  }
}

int main() {
  const int tasks = 40;
  check::Array<int> head(1), rounds(tasks), sums(tasks);
  for (int threads : {1, 33, 96}) {
    head.host[0] = 0;
    for (int i = 0; i < tasks; ++i) {
      rounds.host[i] = i * 7 % 13;
      sums.host[i] = 0;
    }
    head.put();
    rounds.put();
    sums.put();
    fetch<<<3, 96>>>(head, rounds, tasks, sums, threads);
    sums.get();
    for (int i = 0; i < tasks; ++i)
      CHECK_AT(threads * 100 + i, sums.host[i],
               expectTask(i, rounds.host[i], threads));
  }

  for (int n : {1, 32, 77, 128}) {
    check::Array<int> data(n), count(n);
    std::vector<int> want(n);
    for (int t = 0; t < n; ++t)
      want[t] = data.host[t] = t * 37 % 101;
    data.put();
    spread<<<1, n>>>(data, count);
    data.get();
    count.get();
    int expected = expectSpread(want);
    for (int t = 0; t < n; ++t) {
      CHECK_AT(n * 1000 + t, data.host[t], want[t]);
      CHECK_AT(n * 1000 + t, count.host[t], expected);
    }
  }

  check::Array<int> out(1);
  check::Array<int *> place(1);
  for (int n : {0, 1, 9}) {
    alone<<<1, 1>>>(n, out, place);
    out.get();
    CHECK_AT(n, out.host[0], expectAlone(n));
  }
  return check::finish("shared_decisions");
}
