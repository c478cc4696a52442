// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ticket lock: a lane may only go on after another lane of its own warp, in
// the order of the tickets, whichever lane that is.
// CUDA C++ Programming Guide: Independent Thread Scheduling.

#include "Inputs/check.h"

struct Ticket {
  unsigned next, serving;
};

__global__ void tickets(Ticket *lock, unsigned *log, unsigned *at) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = atomicAdd(&lock->next, 1u);
  while (*(volatile unsigned *)&lock->serving != mine) {
  }
  __threadfence();
  log[*at] = mine << 16 | thread;
  *at += 1;
  __threadfence();
  atomicAdd(&lock->serving, 1u);
}

// Tickets run against the lanes' order.
__global__ void backwards(volatile unsigned *serving, unsigned *log) {
  unsigned mine = 31 - threadIdx.x;
  while (*serving != mine) {
  }
  log[mine] = threadIdx.x * 3;
  __threadfence();
  *serving = mine + 1;
}

int main() {
  const unsigned threads = 2 * 40;
  check::Array<Ticket> lock(1);
  check::Array<unsigned> log(threads), at(1);
  tickets<<<2, 40>>>(lock, log, at);
  log.get();
  CHECK_EQ(at.get()[0], threads);
  std::vector<int> seen(threads);
  for (unsigned i = 0; i < threads; ++i) {
    CHECK_AT(i, log.host[i] >> 16, i);
    if ((log.host[i] & 0xffff) < threads)
      ++seen[log.host[i] & 0xffff];
  }
  for (unsigned i = 0; i < threads; ++i)
    CHECK_AT(i, seen[i], 1);

  at.fill(0);
  backwards<<<1, 32>>>(at, log);
  log.get();
  for (unsigned i = 0; i < 32; ++i)
    CHECK_AT(i, log.host[i], (31 - i) * 3);
  return check::finish("ticket_lock");
}
