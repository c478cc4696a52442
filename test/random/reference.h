// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes a generated program as plain C++, without any of our code: each thread
// of a block is a fiber, and blocks run one after the other. A file is compiled with
// -x c++ -include reference.h. It is also the check that a program is well defined:
// a team operation whose lanes do not agree on mask and operation, or a barrier that
// some thread never reaches, ends the program with a line that starts with "invalid:".
// REFERENCE_ORDER=reverse|mixed in the environment runs the fibers in another
// order; a program without races prints the same in each.

#define REFERENCE 1
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#define __host__
#define __device__
#define __global__ static
#define __constant__ static
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define threadIdx (reference::here->thread)
#define blockIdx (reference::blockIndex)
#define blockDim (reference::blockSize)
#define gridDim (reference::gridSize)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

namespace reference {

enum State { Running, AtBarrier, AtMeeting, AtTeam, Ended };

// One thread. At a team operation it leaves what it brings, and the last lane that
// arrives computes the results of all.
struct Fiber {
  ucontext_t context;
  dim3 thread;
  unsigned number;
  State state;
  const char *what;
  unsigned mask;
  unsigned meeting, count; // the barrier's number and how many it is for
  uint64_t value, result;
  int argument;
  std::unique_ptr<char[]> stack;
};

inline dim3 blockIndex, blockSize, gridSize;
inline Fiber *here;
inline std::vector<std::unique_ptr<Fiber>> fibers;
inline ucontext_t scheduler;
inline std::function<void()> body;
inline uint64_t barrierResult;
alignas(16) inline unsigned char shared[1 << 16];
const size_t kStack = 1 << 18;

inline unsigned char *dynamicShared() { return shared; }

[[noreturn]] inline void invalid(const char *why, const char *what) {
  printf("invalid: %s: %s, block %u, thread %u\n", what, why, blockIndex.x, here->number);
  fflush(stdout);
  _exit(3);
}

inline void yield() { swapcontext(&here->context, &scheduler); }

inline void enter() {
  body();
  here->state = Ended;
  yield();
}

// The barrier opens when every thread stands at it.
inline uint64_t barrier(const char *what, int predicate) {
  here->what = what;
  here->value = predicate != 0;
  here->state = AtBarrier;
  yield();
  return here->result;
}

inline void openBarrier(size_t n) {
  uint64_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    here = fibers[i].get();
    if (here->state != AtBarrier || strcmp(here->what, fibers[0]->what))
      invalid("not all threads arrive", fibers[0]->what);
    count += here->value;
  }
  bool all = !strcmp(fibers[0]->what, "and");
  for (size_t i = 0; i < n; ++i) {
    Fiber &f = *fibers[i];
    f.result = all ? count == n : count;
    f.state = Running;
  }
}

// A barrier by number, of as many threads as `count` says, by whole teams.
inline void meet(unsigned number, unsigned count) {
  here->what = "meet";
  here->meeting = number;
  here->count = count;
  here->state = AtMeeting;
  yield();
}

// Opens the barriers by number that are complete; whether there are any.
inline bool openMeetings(size_t n) {
  bool opened = false;
  for (unsigned number = 0; number < 16; ++number) {
    unsigned arrived = 0, count = 0;
    for (size_t i = 0; i < n; ++i) {
      here = fibers[i].get();
      if (here->state != AtMeeting || here->meeting != number)
        continue;
      if (count && here->count != count)
        invalid("threads come with other counts", "meet");
      count = here->count;
      size_t first = i / 32 * 32;
      for (size_t k = first; k < std::min(n, first + 32); ++k)
        if (fibers[k]->state != AtMeeting || fibers[k]->meeting != number)
          invalid("not all lanes of a team arrive", "meet");
      arrived += i % 32 == 0 ? 32 : 0;
    }
    if (!count || arrived < count)
      continue;
    if (arrived > count)
      invalid("more threads arrive than it is for", "meet");
    for (size_t i = 0; i < n; ++i)
      if (fibers[i]->state == AtMeeting && fibers[i]->meeting == number)
        fibers[i]->state = Running;
    opened = true;
  }
  return opened;
}

inline Fiber *laneOf(unsigned lane) {
  size_t n = (here->number & ~31u) + lane;
  return n < (size_t)blockSize.x * blockSize.y * blockSize.z ? fibers[n].get() : nullptr;
}

inline int widthOf(int argument) { return argument >> 16; }

// The lane that a shuffle reads; CUDA C++ Programming Guide, "Warp Shuffle Functions".
inline unsigned sourceOf(const char *what, unsigned lane, int argument) {
  unsigned width = widthOf(argument), by = argument & 0xffff, first = lane & ~(width - 1);
  if (!strcmp(what, "idx"))
    return first | (by & (width - 1));
  if (!strcmp(what, "up"))
    return lane - first >= by ? lane - by : lane;
  if (!strcmp(what, "down"))
    return lane - first + by < width ? lane + by : lane;
  unsigned source = lane ^ by;
  return source <= (lane | (width - 1)) ? source : lane;
}

inline uint64_t reduced(const char *op, unsigned mask) {
  bool first = true;
  uint32_t r = 0;
  for (unsigned k = 0; k < 32; ++k) {
    if (!((mask >> k) & 1))
      continue;
    uint32_t v = laneOf(k)->value;
    if (first)
      r = v;
    else if (!strcmp(op, "add"))
      r += v;
    else if (!strcmp(op, "min"))
      r = std::min(r, v);
    else if (!strcmp(op, "max"))
      r = std::max(r, v);
    else if (!strcmp(op, "smin"))
      r = std::min((int)r, (int)v);
    else if (!strcmp(op, "smax"))
      r = std::max((int)r, (int)v);
    else if (!strcmp(op, "and"))
      r &= v;
    else if (!strcmp(op, "or"))
      r |= v;
    else
      r ^= v;
    first = false;
  }
  return r;
}

inline uint64_t teamResult(const char *what, unsigned mask, unsigned lane) {
  Fiber *own = laneOf(lane);
  unsigned equal = 0, set = 0;
  for (unsigned k = 0; k < 32; ++k)
    if ((mask >> k) & 1) {
      equal |= (laneOf(k)->value == own->value) << k;
      set |= (laneOf(k)->value != 0) << k;
    }
  if (!strcmp(what, "ballot"))
    return set;
  if (!strcmp(what, "match"))
    return equal;
  if (!strncmp(what, "reduce", 6))
    return reduced(what + 7, mask);
  if (!strcmp(what, "sync"))
    return 0;
  unsigned source = sourceOf(what, lane, own->argument);
  // A value that no lane gave is marked, so that a use of it is noticed.
  return (mask >> source) & 1 ? laneOf(source)->value : 0xdeadbeefdeadbeefull;
}

inline uint64_t team(const char *what, unsigned mask, uint64_t value, int argument = 0) {
  unsigned lane = here->number & 31;
  if (!((mask >> lane) & 1))
    invalid("the calling lane is not in the mask", what);
  here->what = what;
  here->mask = mask;
  here->value = value;
  here->argument = argument;
  here->state = AtTeam;
  for (unsigned k = 0; k < 32; ++k) {
    if (!((mask >> k) & 1))
      continue;
    Fiber *f = laneOf(k);
    if (!f || f->state == Ended)
      invalid("the mask names a lane that does not exist", what);
    // A lane may still stand at an earlier operation of fewer lanes.
    if (f->state != AtTeam || f->mask != mask || strcmp(f->what, what)) {
      yield();
      return here->result;
    }
  }
  for (unsigned k = 0; k < 32; ++k)
    if ((mask >> k) & 1)
      laneOf(k)->result = teamResult(what, mask, k);
  for (unsigned k = 0; k < 32; ++k)
    if ((mask >> k) & 1)
      laneOf(k)->state = Running;
  return here->result;
}

inline void start(Fiber &f, unsigned number) {
  f.number = number;
  f.thread = dim3(number % blockSize.x, number / blockSize.x % blockSize.y,
                  number / (blockSize.x * blockSize.y));
  f.state = Running;
  getcontext(&f.context);
  if (!f.stack)
    f.stack.reset(new char[kStack]);
  f.context.uc_stack.ss_sp = f.stack.get();
  f.context.uc_stack.ss_size = kStack;
  f.context.uc_link = nullptr;
  makecontext(&f.context, enter, 0);
}

// Runs fibers in turn until all have ended; none that can run means a barrier.
inline void runBlock(size_t n) {
  const char *order = getenv("REFERENCE_ORDER");
  bool reverse = order && !strcmp(order, "reverse");
  size_t step = order && !strcmp(order, "mixed") ? 61 : 1;
  while (n % step == 0 && step > 1)
    ++step;
  for (;;) {
    bool moved = false, ended = true;
    for (size_t k = 0; k < n; ++k) {
      size_t i = step * k % n;
      here = fibers[reverse ? n - 1 - i : i].get();
      ended = ended && here->state == Ended;
      if (here->state != Running)
        continue;
      moved = true;
      swapcontext(&scheduler, &here->context);
    }
    if (ended)
      return;
    if (!moved && !openMeetings(n))
      openBarrier(n);
  }
}

inline void launch(dim3 grid, dim3 block, size_t, std::function<void()> kernel) {
  gridSize = grid;
  blockSize = block;
  body = kernel;
  size_t n = (size_t)block.x * block.y * block.z;
  while (fibers.size() < n)
    fibers.emplace_back(new Fiber());
  for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
    blockIndex = dim3(b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y));
    memset(shared, 0xa5, sizeof(shared));
    for (unsigned i = 0; i < n; ++i)
      start(*fibers[i], i);
    runBlock(n);
  }
}

} // namespace reference

#include "reference_builtins.h"
