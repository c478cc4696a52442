// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of streams, events, host functions and graphs, whose order is checked on
// the device and on the host against a model (Model.h):
//
//   streams --seeds 1..2000 [--steps 60] [--threads N] [--parallel N] [--trace]
//           [--independent] [--no-gates] [--watchdog SECONDS]
//
// A seed is a program of one to four threads that share streams, events and memory;
// `--threads` fixes their number. `--parallel` runs so many programs at a time. With
// `--independent`, the host also waits for what does not depend on a stream that is held
// back: CUDA lets such work wait, our runtime does not. With `--no-gates`, nothing is held
// back: a copy that waits for a closed gate holds a lock of NVIDIA's driver, which the
// threads that would open it need, too. The watchdog ends a process whose threads do not
// get on.

#include "Program.h"

struct Options {
  unsigned first = 1, last = 100, steps = 60, threads = 0, parallel = 1, watchdog = 300;
  bool trace = false, independent = false, gates = true;
};

static Options parse(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--trace" || name == "--independent") {
      (name == "--trace" ? options.trace : options.independent) = true;
      continue;
    }
    if (name == "--no-gates") {
      options.gates = false;
      continue;
    }
    unsigned *value = name == "--steps"      ? &options.steps
                      : name == "--threads"  ? &options.threads
                      : name == "--parallel" ? &options.parallel
                      : name == "--watchdog" ? &options.watchdog
                                             : nullptr;
    bool good = i + 1 < argc;
    if (good && name == "--seeds") {
      const int found = sscanf(argv[i + 1], "%u..%u", &options.first, &options.last);
      if (found == 1)
        options.last = options.first;
      good = found >= 1;
    } else {
      good = good && value && sscanf(argv[i + 1], "%u", value) == 1;
    }
    if (!good || options.threads > maxThreads || options.parallel == 0) {
      fprintf(stderr, "streams: '%s': expected --seeds A..B, --steps N, --threads 1..%u, --parallel N, "
                      "--watchdog SECONDS, --trace, --independent or --no-gates\n", argv[i], maxThreads);
      exit(2);
    }
    ++i;
  }
  return options;
}

static Memory allocate() {
  Memory memory;
  CUDA(cudaMalloc(&memory.cells, 4 * maxOperations * sizeof(uint32_t)));
  CUDA(cudaMallocHost(&memory.mirror, maxOperations * sizeof(uint32_t)));
  CUDA(cudaMalloc(&memory.device, deviceSlots * maxWords * sizeof(uint32_t)));
  CUDA(cudaMallocHost(&memory.host, hostSlots * maxWords * sizeof(uint32_t)));
  return memory;
}

static void release(const Memory &memory) {
  CUDA(cudaFree(memory.cells));
  CUDA(cudaFreeHost(memory.mirror));
  CUDA(cudaFree(memory.device));
  CUDA(cudaFreeHost(memory.host));
}

static void synchronizeDevice() {
  std::shared_lock<std::shared_mutex> guard(captureLock());
  CUDA(cudaDeviceSynchronize());
}

static void prepareSlots(Group &group) {
  const Memory &memory = group.memory;
  for (unsigned i = 0; i < allSlots; ++i) {
    Slot &slot = group.slots[i];
    slot.value.resize(group.words);
    slot.alive = i < deviceSlots + hostSlots;
    slot.host = i >= deviceSlots;
    if (!slot.alive)
      continue;
    slot.at = slot.host ? memory.host + (i - deviceSlots) * maxWords : memory.device + i * maxWords;
    for (unsigned word = 0; word < group.words; ++word)
      slot.value[word] = mix(group.seed * 1000003 + i * maxWords + word);
    CUDA(cudaMemcpy(slot.at, slot.value.data(), group.words * sizeof(uint32_t), cudaMemcpyDefault));
  }
}

/// The legacy stream, then each thread's; events; all memory as the model has it.
static void prepare(Group &group, std::mt19937 &random) {
  CUDA(cudaMemset(group.memory.cells, 0, 4 * maxOperations * sizeof(uint32_t)));
  std::memset(group.memory.mirror, 0, maxOperations * sizeof(uint32_t));
  for (std::atomic<unsigned> &bad : group.hostBad)
    bad = 0;
  prepareSlots(group);
  Stream &legacy = group.streams.emplace_back();
  legacy.name = "the legacy stream";
  legacy.handle = cudaStreamLegacy;
  legacy.legacy = true;
  legacy.owner = maxThreads;
  for (unsigned thread = 0; thread < group.threads; ++thread)
    for (unsigned i = 0, count = 3 + random() % 3; i < count; ++i) {
      Stream &stream = group.streams.emplace_back();
      stream.owner = thread;
      stream.name = i == 0 ? "cudaStreamPerThread of thread " + std::to_string(thread)
                           : "stream " + std::to_string(group.streams.size() - 1);
      stream.blocking = i == 0 || random() % 2;
      if (i == 0)
        stream.handle = cudaStreamPerThread;
      else
        CUDA(cudaStreamCreateWithFlags(&stream.handle,
                                       stream.blocking ? cudaStreamDefault : cudaStreamNonBlocking));
    }
  for (unsigned i = 0, count = group.threads + 1 + random() % 4; i < count; ++i) {
    Event &event = group.events.emplace_back();
    event.name = "event " + std::to_string(i);
    event.owner = i % group.threads;
    event.timed = random() % 2;
    CUDA(cudaEventCreateWithFlags(&event.handle, event.timed ? cudaEventDefault : cudaEventDisableTiming));
  }
  CUDA(cudaEventCreate(&group.base));
  CUDA(cudaEventRecord(group.base, group.streams.back().handle));
  synchronizeDevice();
}

static void destroyStreams(Group &group) {
  for (Stream &stream : group.streams)
    if (!stream.legacy && stream.handle != cudaStreamPerThread)
      CUDA(cudaStreamDestroy(stream.handle));
}

/// All that the operations have left, on the device and in memory.
static void compare(Group &group) {
  std::vector<uint32_t> cells(4 * maxOperations), words(group.words);
  CUDA(cudaMemcpy(cells.data(), group.memory.cells, cells.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  const uint32_t *done = cells.data(), *bad = done + maxOperations, *sums = bad + maxOperations;
  for (unsigned i = 0; i < maxOperations; ++i) {
    const Operation &operation = group.operations[i];
    if (bad[i] == changedWhileRead)
      group.fail(group.describe(i) + ": what it read changed");
    else if (bad[i] || group.hostBad[i])
      group.fail(group.describe(i) + " began before the end of " +
                 group.describe((bad[i] ? bad[i] : group.hostBad[i].load()) - 1));
    else if (sums[i] != operation.sum)
      group.fail(group.describe(i) + " read what it should not have");
  }
  Set all;
  for (const Stream &stream : group.streams)
    all |= stream.tail;
  for (unsigned i = 0; i < maxOperations; ++i) {
    const int from = group.operations[i].doneFrom;
    if (!all[i] || (done[i] && !(group.operations[i].mirrored && !group.memory.mirror[i])))
      continue;
    if (done[i] || from < 0)
      group.fail(group.describe(i) + " was not done at the end");
    else if (done[from])
      group.fail(group.describe(i) + " began before the end of " + group.describe(from));
  }
  for (unsigned i = 0; i < allSlots; ++i) {
    Slot &slot = group.slots[i];
    if (!slot.alive)
      continue;
    CUDA(cudaMemcpy(words.data(), slot.at, group.words * sizeof(uint32_t), cudaMemcpyDefault));
    for (unsigned word = 0; word < group.words; ++word)
      if (words[word] != slot.value[word]) {
        group.fail("slot " + std::to_string(i) + " at the end: found " + std::to_string(words[word]) + " at " +
                   std::to_string(word) + ", expected " + std::to_string(slot.value[word]));
        break;
      }
    if (i >= deviceSlots + hostSlots)
      CUDA(cudaFreeAsync(slot.at, cudaStreamLegacy));
  }
}

/// Returns whether the program did what the model says.
static bool runProgram(const Options &options, unsigned seed, const Memory &memory, Progress *progresses) {
  std::mt19937 random(seed);
  auto group = std::make_unique<Group>();
  group->seed = seed;
  group->memory = memory;
  group->trace = options.trace;
  group->progress = options.independent;
  group->gates = options.gates;
  const unsigned threads[] = {1, 1, 2, 4}, words[] = {64, 500, maxWords};
  group->threads = options.threads ? options.threads : threads[random() % 4];
  group->words = words[random() % 3];
  progresses[0].at = "preparation";
  prepare(*group, random);
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < group->threads; ++i)
    workers.emplace_back([&group, &options, progresses, i, seed] {
      progress() = progresses + i;
      progresses[i].seed = seed;
      progresses[i].thread = i;
      progresses[i].busy = true;
      Program(*group, i).run(options.steps);
      progresses[i].busy = false;
    });
  for (std::thread &worker : workers)
    worker.join();
  progresses[0].busy = true;
  progresses[0].at = "the end";
  const bool early = random() % 2;
  if (early)
    destroyStreams(*group);
  synchronizeDevice();
  compare(*group);
  if (!early)
    destroyStreams(*group);
  for (Event &event : group->events)
    CUDA(cudaEventDestroy(event.handle));
  CUDA(cudaEventDestroy(group->base));
  synchronizeDevice();
  return group->failures == 0;
}

/// Ends the process if nothing gets on, and says where each thread is.
static void watch(const Options &options, const std::vector<Progress> &progresses) {
  unsigned last = ~0u, quiet = 0;
  for (;;) {
    // not timed: minutes without any progress are a hang
    std::this_thread::sleep_for(std::chrono::seconds(1));
    unsigned sum = 0;
    for (const Progress &one : progresses)
      sum += one.steps + one.seed;
    quiet = sum == last ? quiet + 1 : 0;
    last = sum;
    if (quiet < options.watchdog)
      continue;
    printf("hang: nothing has got on for %u seconds\n", quiet);
    for (const Progress &one : progresses)
      if (one.busy)
        printf("seed %u, thread %u, step %u: in %s\n", one.seed.load(), one.thread.load(), one.steps.load(),
               one.at.load());
    fflush(stdout);
    _Exit(3);
  }
}

int main(int argc, char **argv) {
  // The watchdog sees them until the process has ended.
  static const Options options = parse(argc, argv);
  static auto &progresses = *new std::vector<Progress>(options.parallel * maxThreads);
  std::thread(watch, std::cref(options), std::cref(progresses)).detach();
  std::atomic<unsigned> next{options.first}, failures{0};
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < options.parallel; ++i)
    workers.emplace_back([&next, &failures, i] {
      Progress *own = progresses.data() + i * maxThreads;
      progress() = own;
      const Memory memory = allocate();
      for (unsigned seed; (seed = next++) <= options.last;) {
        own->seed = seed;
        failures += !runProgram(options, seed, memory, own);
      }
      release(memory);
      own->busy = false;
    });
  for (std::thread &worker : workers)
    worker.join();
  printf("streams: %u programs, %u differences\n", options.last - options.first + 1, failures.load());
  return failures ? 1 : 0;
}
