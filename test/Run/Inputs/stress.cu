// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A long run in one process: threads make and destroy streams and events, launch, record,
// wait, copy, allocate and free at random; a library with kernels is opened and closed;
// between the phases a kernel traps and the device is reset. After each round of phases it
// looks at what the process holds, which must not grow.
//
//   stress LIBRARY [LAUNCHES [THREADS [ROUNDS [WATCHDOG]]]]
//
// LAUNCHES are made in all, in ROUNDS equal rounds, the first third of which are warm-up.
// When nothing gets on for WATCHDOG seconds, it says where each thread is and ends.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <fstream>
#include <malloc.h>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#define CUDA(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
  if (error == cudaSuccess)
    return;
  printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
  fflush(stdout);
  _Exit(2);
}

__global__ void add(unsigned *counter, unsigned spin) {
  unsigned x = spin;
  for (unsigned i = 0; i < spin; ++i)
    x = x * 1664525u + 1013904223u;
  if (threadIdx.x == 0)
    atomicAdd(counter, spin == ~0u ? x : 1);
}

__global__ void fail(unsigned *counter) {
  atomicAdd(counter, 1);
  __trap();
}

struct State {
  std::atomic<const char *> at{"start"};
  std::atomic<bool> busy{false};
};

static std::atomic<unsigned long> launches, streams, events, copies, allocations, libraries, resets, faults;
static std::vector<State> *states;

/// Events that all threads record and wait for.
struct SharedEvent {
  std::mutex lock;
  cudaEvent_t handle = nullptr;
};
static SharedEvent sharedEvents[8];

/// One thread's streams, events and memory.
class Worker {
public:
  Worker(State &state, unsigned seed) : state(state), random(seed) {}

  void run(unsigned long count) {
    state.busy = true;
    CUDA(cudaMalloc(&counter, sizeof(unsigned) * 2));
    CUDA(cudaMemset(counter, 0, sizeof(unsigned) * 2));
    CUDA(cudaMallocHost(&host, bytes));
    CUDA(cudaDeviceSynchronize());
    for (cudaStream_t &stream : own)
      make(stream);
    for (cudaEvent_t &event : ownEvents)
      CUDA(cudaEventCreate(&event));
    while (made < count)
      step();
    finish();
    state.busy = false;
  }

private:
  static constexpr size_t bytes = 16384;

  unsigned below(unsigned bound) { return random() % bound; }
  cudaStream_t &stream() { return own[below(3)]; }

  void make(cudaStream_t &stream) {
    state.at = "cudaStreamCreate";
    CUDA(cudaStreamCreateWithFlags(&stream, below(2) ? cudaStreamNonBlocking : cudaStreamDefault));
    ++streams;
  }

  void launch(cudaStream_t on) {
    state.at = "launch";
    add<<<1, 32, 0, on>>>(counter, below(4) ? 0 : below(2000));
    CUDA(cudaGetLastError());
    ++made;
    ++launches;
  }

  void copy() {
    state.at = "cudaMemcpyAsync";
    CUDA(cudaMemcpyAsync(host, counter, sizeof(unsigned), cudaMemcpyDeviceToHost, stream()));
    ++copies;
  }

  void replaceStream() {
    cudaStream_t &one = stream();
    state.at = "cudaStreamDestroy";
    CUDA(cudaStreamDestroy(one));
    make(one);
  }

  void replaceEvent() {
    cudaEvent_t &event = ownEvents[below(4)];
    state.at = "cudaEventDestroy";
    CUDA(cudaEventDestroy(event));
    CUDA(cudaEventCreateWithFlags(&event, below(2) ? cudaEventDefault : cudaEventDisableTiming));
    ++events;
  }

  void recordAndWait() {
    cudaEvent_t event = ownEvents[below(4)];
    state.at = "cudaEventRecord";
    CUDA(cudaEventRecord(event, stream()));
    state.at = "cudaStreamWaitEvent";
    CUDA(cudaStreamWaitEvent(stream(), event, 0));
    if (below(4) == 0) {
      state.at = "cudaEventSynchronize";
      CUDA(cudaEventSynchronize(event));
    }
  }

  void share() {
    SharedEvent &event = sharedEvents[below(8)];
    state.at = "a shared event";
    std::lock_guard<std::mutex> guard(event.lock);
    if (below(2))
      CUDA(cudaEventRecord(event.handle, stream()));
    else
      CUDA(cudaStreamWaitEvent(stream(), event.handle, 0));
  }

  void allocateInOrder() {
    cudaStream_t on = stream();
    void *memory;
    state.at = "cudaMallocAsync";
    CUDA(cudaMallocAsync(&memory, 256 << below(8), on));
    CUDA(cudaMemsetAsync(memory, 1, 256, on));
    state.at = "cudaFreeAsync";
    CUDA(cudaFreeAsync(memory, on));
    ++allocations;
  }

  void allocate() {
    void *memory;
    state.at = "cudaMalloc";
    CUDA(cudaMalloc(&memory, 256 << below(8)));
    state.at = "cudaFree";
    CUDA(cudaFree(memory));
    ++allocations;
  }

  void ask() {
    state.at = "cudaStreamQuery";
    const cudaError_t found = cudaStreamQuery(stream());
    if (found != cudaErrorNotReady)
      CUDA(found);
  }

  void wait() {
    state.at = "cudaStreamSynchronize";
    CUDA(cudaStreamSynchronize(stream()));
  }

  void step() {
    const unsigned kind = below(1000);
    if (kind < 600)
      launch(stream());
    else if (kind < 605)
      launch(below(2) ? cudaStreamLegacy : cudaStreamPerThread);
    else if (kind < 650)
      copy();
    else if (kind < 690)
      replaceStream();
    else if (kind < 740)
      replaceEvent();
    else if (kind < 840)
      recordAndWait();
    else if (kind < 880)
      share();
    else if (kind < 910)
      allocateInOrder();
    else if (kind < 912)
      allocate();
    else if (kind < 960)
      ask();
    else if (kind < 999)
      wait();
    else
      synchronizeDevice();
  }

  void synchronizeDevice() {
    state.at = "cudaDeviceSynchronize";
    CUDA(cudaDeviceSynchronize());
  }

  /// All that was launched has counted, also what was on streams that are no more.
  void finish() {
    synchronizeDevice();
    unsigned found = 0;
    state.at = "cudaMemcpy";
    CUDA(cudaMemcpy(&found, counter, sizeof found, cudaMemcpyDeviceToHost));
    if (found != made) {
      printf("%u launches have counted, expected %lu\n", found, made);
      fflush(stdout);
      _Exit(1);
    }
    state.at = "the end of a thread";
    for (cudaStream_t stream : own)
      CUDA(cudaStreamDestroy(stream));
    for (cudaEvent_t event : ownEvents)
      CUDA(cudaEventDestroy(event));
    CUDA(cudaFreeHost(host));
    CUDA(cudaFree(counter));
  }

  State &state;
  std::mt19937 random;
  cudaStream_t own[3];
  cudaEvent_t ownEvents[4];
  unsigned *counter = nullptr;
  void *host = nullptr;
  unsigned long made = 0;
};

/// Opens the library, calls it, and closes it, beside the others.
static void useLibrary(State &state, const char *path) {
  state.busy = true;
  int *out, found = 0;
  cudaStream_t stream;
  CUDA(cudaMalloc(&out, sizeof *out));
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaMemsetAsync(out, 0, sizeof *out, stream));
  state.at = "dlopen";
  void *library = dlopen(path, RTLD_NOW);
  auto *call = library ? reinterpret_cast<cudaError_t (*)(int *, cudaStream_t)>(dlsym(library, "callLibrary"))
                       : nullptr;
  if (!call) {
    printf("%s: %s\n", path, dlerror());
    fflush(stdout);
    _Exit(2);
  }
  state.at = "the library";
  CUDA(call(out, stream));
  CUDA(cudaMemcpyAsync(&found, out, sizeof found, cudaMemcpyDeviceToHost, stream));
  CUDA(cudaStreamSynchronize(stream));
  check(found == 1 ? cudaSuccess : cudaErrorUnknown, "the library's kernel", __LINE__);
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(out));
  state.at = "dlclose";
  dlclose(library);
  ++libraries;
  state.busy = false;
}

/// A kernel traps, while other work is queued; the reset device works again.
static void fault(State &state) {
  state.busy = true;
  state.at = "a fault";
  unsigned *counter;
  cudaStream_t stream, other;
  CUDA(cudaMalloc(&counter, sizeof *counter));
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaStreamCreate(&other));
  add<<<1, 32, 0, other>>>(counter, 2000);
  fail<<<1, 1, 0, stream>>>(counter);
  add<<<1, 32, 0, stream>>>(counter, 10);
  if (cudaStreamSynchronize(stream) == cudaSuccess) {
    printf("a kernel that traps gave no error\n");
    fflush(stdout);
    _Exit(1);
  }
  state.at = "cudaDeviceReset after a fault";
  CUDA(cudaDeviceReset());
  cudaGetLastError();
  ++faults;
  state.busy = false;
}

static void runPhase(const char *library, unsigned threads, unsigned long each, unsigned seed) {
  for (SharedEvent &event : sharedEvents)
    CUDA(cudaEventCreateWithFlags(&event.handle, cudaEventDisableTiming));
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back([=] { Worker((*states)[i], seed * 1009 + i).run(each); });
  workers.emplace_back([=] {
    for (unsigned i = 0; i < 8; ++i)
      useLibrary((*states)[threads], library);
  });
  for (std::thread &worker : workers)
    worker.join();
  for (SharedEvent &event : sharedEvents)
    CUDA(cudaEventDestroy(event.handle));
}

/// What the process holds.
struct Held {
  long memory = 0, threads = 0, mappings = 0, files = 0;
};

static Held look() {
  malloc_trim(0);
  Held held;
  std::ifstream status("/proc/self/status"), maps("/proc/self/maps");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0)
      held.memory = atol(line.c_str() + 6);
    if (line.rfind("Threads:", 0) == 0)
      held.threads = atol(line.c_str() + 8);
  }
  for (std::string line; std::getline(maps, line);)
    ++held.mappings;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder))
    ++held.files;
  closedir(folder);
  return held;
}

/// Whether the later half of the rounds after the warm-up holds more than the earlier half:
/// its least more than the other's most, and by more than what may come and go.
static bool grows(const std::vector<Held> &rounds, long Held::*what, long slack, const char *name) {
  const size_t from = rounds.size() / 3, half = from + (rounds.size() - from) / 2;
  long most = 0, least = rounds.back().*what;
  for (size_t i = from; i < rounds.size(); ++i)
    if (i < half)
      most = std::max(most, rounds[i].*what);
    else
      least = std::min(least, rounds[i].*what);
  if (least <= most + slack)
    return false;
  printf("%s: grows from %ld to %ld\n", name, most, least);
  return true;
}

static void watch(unsigned seconds) {
  unsigned long last = 0;
  for (unsigned quiet = 0;;) {
    // not timed: minutes without any progress are a hang
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const unsigned long now = launches + streams + events + libraries + resets + faults;
    quiet = now == last ? quiet + 1 : 0;
    last = now;
    if (quiet < seconds)
      continue;
    printf("hang: nothing has got on for %u seconds\n", quiet);
    for (size_t i = 0; i < states->size(); ++i)
      if ((*states)[i].busy)
        printf("thread %zu: in %s\n", i, (*states)[i].at.load());
    fflush(stdout);
    _Exit(3);
  }
}

int main(int argc, char **argv) {
  auto number = [&](int index, unsigned long otherwise) {
    return argc > index ? strtoul(argv[index], nullptr, 10) : otherwise;
  };
  if (argc < 2) {
    fprintf(stderr, "stress: expected LIBRARY [LAUNCHES [THREADS [ROUNDS [WATCHDOG]]]]\n");
    return 2;
  }
  const unsigned long total = number(2, 20000), threads = number(3, 16), rounds = number(4, 6);
  states = new std::vector<State>(threads + 1);
  std::thread(watch, number(5, 300)).detach();
  std::vector<Held> held;
  for (unsigned round = 0; round < rounds; ++round) {
    // Two phases, the first of which ends with a fault, the other with a plain reset.
    const unsigned long each = total / rounds / threads / 2 + 1;
    runPhase(argv[1], threads, each, 2 * round);
    fault(states->back());
    runPhase(argv[1], threads, each, 2 * round + 1);
    CUDA(cudaDeviceReset());
    ++resets;
    held.push_back(look());
    printf("round %u: %lu launches, %lu streams, %lu events, %ld KiB, %ld threads, %ld mappings, %ld files\n",
           round, launches.load(), streams.load(), events.load(), held.back().memory, held.back().threads,
           held.back().mappings, held.back().files);
    fflush(stdout);
  }
  bool bad = grows(held, &Held::memory, 2048, "memory (KiB)");
  bad |= grows(held, &Held::threads, 0, "threads");
  bad |= grows(held, &Held::mappings, 8, "mappings");
  bad |= grows(held, &Held::files, 0, "files");
  printf("stress: %lu launches, %lu streams, %lu events, %lu copies, %lu allocations, %lu libraries, "
         "%lu faults: %s\n", launches.load(), streams.load(), events.load(), copies.load(),
         allocations.load(), libraries.load(), faults.load(), bad ? "grows" : "good");
  return bad;
}
