// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving a device's memory to the host and back, against one copy of as many bytes
// between the device and pinned memory, each time in turn. What a move takes is the
// time for which nothing runs; the whole call, with what is done before and behind
// that, is printed too. Moves to the device are also measured where it may copy while
// kernels run: none do, so nothing has to be sent again. After each move the contents
// are compared. Then, if a file is named, saving a checkpoint there from the device,
// against writing as many bytes as dd does.
//
//   move-speed DEVICE [MIB [REPETITIONS [PARTS [FILE]]]]
//
// DEVICE is one with memory of its own, as in HET_DEVICES. The memory is noise, in
// PARTS allocations.

#include "core/Runtime.h"
#include "core/Stream.h"
#include "migration/MigratableDevice.h"
#include "migration/MigrationExtension.h"
#include "migration/checkpoint/Checkpointing.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace het;
using namespace het::core;

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "move-speed: error: %s\n", message.c_str());
  std::exit(1);
}

void check(const Status &status) {
  if (!status.ok())
    fail(status.text());
}

template <class T> T take(Result<T> result) {
  check(result.status());
  return result.take();
}

double milliseconds(std::chrono::nanoseconds time) {
  return static_cast<double>(time.count()) * 1e-6;
}

using Clock = std::chrono::steady_clock;

/// In order.
class Times {
public:
  void add(double time) {
    times.insert(std::upper_bound(times.begin(), times.end(), time), time);
  }
  double median() const { return times[times.size() / 2]; }
  double worst() const { return times[times.size() * 99 / 100]; }

private:
  std::vector<double> times;
};

class Benchmark {
public:
  Benchmark(Device &device, uint64_t size, unsigned count);
  void run(int repetitions);
  void save(int repetitions, const std::string &path);

private:
  void writePlainly(const std::string &path);
  void copyPlainly(bool isOut, Times &times);
  void move(const std::string &name, Times &parked, Times &whole);
  void change();
  void compare();

  Device &device;
  const uint64_t partBytes;
  std::vector<uint8_t *> parts;
  uint8_t *pinned; ///< What the parts hold.
  HetQueue *queue = nullptr;
};

Benchmark::Benchmark(Device &device, uint64_t size, unsigned count)
    : device(device), partBytes(size / count) {
  for (unsigned i = 0; i < count; ++i)
    parts.push_back(static_cast<uint8_t *>(take(device.memory().allocate(partBytes))));
  void *memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    fail("no memory");
  madvise(memory, size, MADV_HUGEPAGE);
  pinned = static_cast<uint8_t *>(memory);
  uint64_t state = 88172645463325252;
  for (uint64_t at = 0; at < size; at += sizeof(state)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(pinned + at, &state, sizeof(state));
  }
  check(device.home().pin(reinterpret_cast<uint64_t>(pinned), size));
  HetStatus status = {};
  if (device.home().abi().createQueue(device.home().handle(), &queue, &status))
    fail(status.message);
}

/// While the device is at home.
void Benchmark::copyPlainly(bool isOut, Times &times) {
  const HetDeviceABI &abi = device.home().abi();
  const Clock::time_point begin = Clock::now();
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto there = reinterpret_cast<uint64_t>(parts[i]),
               here = reinterpret_cast<uint64_t>(pinned) + i * partBytes;
    HetStatus status = {};
    if (abi.enqueueCopy(queue, isOut ? here : there, isOut ? there : here, partBytes,
                        &status))
      fail(status.message);
  }
  abi.synchronize(queue);
  times.add(milliseconds(Clock::now() - begin));
}

void Benchmark::move(const std::string &name, Times &parked, Times &whole) {
  const Clock::time_point begin = Clock::now();
  const MoveReport report = take(device.migratable()->moveTo(name));
  whole.add(milliseconds(Clock::now() - begin));
  if (!report.moved || report.copiedBytes < parts.size() * partBytes)
    fail("nothing was moved to " + name);
  parked.add(milliseconds(report.parked));
}

/// On the host.
void Benchmark::change() {
  for (size_t i = 0; i < parts.size(); ++i)
    for (uint64_t at = 0; at < partBytes; at += 4096) {
      ++parts[i][at];
      ++pinned[i * partBytes + at];
    }
}

void Benchmark::compare() {
  for (size_t i = 0; i < parts.size(); ++i)
    if (std::memcmp(parts[i], pinned + i * partBytes, partBytes))
      fail("the contents have changed on the way");
}

void Benchmark::run(int repetitions) {
  const double size = static_cast<double>(parts.size() * partBytes);
  Times plainOut, plainIn, out, in, ahead, wholeOut, wholeIn, wholeAhead;
  const std::string home = device.home().name();
  for (int i = -1; i < repetitions; ++i) {
    Times first[4]; // of the first turn, which makes ready what later ones find
    copyPlainly(false, i < 0 ? first[0] : plainIn);
    std::memset(pinned, 0, parts.size() * partBytes);
    copyPlainly(true, i < 0 ? first[0] : plainOut);
    for (bool isAhead : {false, true}) {
      device.migratable()->copyAhead(isAhead);
      move("host", i < 0 ? first[0] : out, i < 0 ? first[1] : wholeOut);
      compare();
      change();
      move(home,
           i < 0     ? first[2]
           : isAhead ? ahead
                     : in,
           i < 0     ? first[3]
           : isAhead ? wholeAhead
                     : wholeIn);
    }
    if (i < 0)
      std::printf("%.0f MiB in %zu parts; first: out %.3f ms parked, in %.3f\n",
                  size / (1 << 20), parts.size(), first[0].worst(), first[2].worst());
  }
  auto print = [&](const char *what, const Times &plain, const Times &moved,
                   const Times &whole) {
    std::printf("%s: plain %.3f ms (%.1f GB/s); parked %.3f ms, worst %.3f, %.3f of the "
                "plain copy's speed; the whole call %.3f ms\n",
                what, plain.median(), size / plain.median() * 1e-6, moved.median(),
                moved.worst(), plain.median() / moved.median(), whole.median());
  };
  print("out", plainOut, out, wholeOut);
  print("in", plainIn, in, wholeIn);
  print("in, copied ahead", plainIn, ahead, wholeAhead);
}

/// 1 MiB a call, and all of it stored at the end.
void Benchmark::writePlainly(const std::string &path) {
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (file < 0)
    fail(path + ": cannot open");
  const uint64_t size = parts.size() * partBytes;
  for (uint64_t at = 0; at < size;) {
    const ssize_t written =
        ::write(file, pinned + at, std::min(size - at, uint64_t(1) << 20));
    if (written <= 0)
      fail(path + ": cannot write");
    at += static_cast<uint64_t>(written);
  }
  if (::fsync(file) || ::close(file))
    fail(path + ": cannot store");
}

void Benchmark::save(int repetitions, const std::string &path) {
  Times plain, saved;
  auto measure = [&](Times &times, const std::function<void()> &work) {
    ::unlink(path.c_str());
    ::sync();
    const Clock::time_point begin = Clock::now();
    work();
    times.add(milliseconds(Clock::now() - begin));
  };
  for (int i = 0; i < 2 * repetitions; ++i) // each is first in turn
    if (i % 4 == 0 || i % 4 == 3)
      measure(plain, [&] { writePlainly(path); });
    else
      measure(saved, [&] { check(saveCheckpoint(device, path)); });
  ::unlink(path.c_str());
  const double size = static_cast<double>(parts.size() * partBytes);
  std::printf("file: plain %.0f ms (%.2f GB/s); saved %.0f ms, %.3f of the plain speed\n",
              plain.median(), size / plain.median() * 1e-6, saved.median(),
              plain.median() / saved.median());
}

} // namespace

int main(int count, char **arguments) {
  if (count < 2)
    fail("found no device, expected DEVICE [MIB [REPETITIONS [PARTS [FILE]]]]");
  const long size = count > 2 ? std::atol(arguments[2]) : 2048;
  const int repetitions = count > 3 ? std::atoi(arguments[3]) : 7;
  const int parts = count > 4 ? std::atoi(arguments[4]) : 1;
  if (size <= 0 || repetitions <= 0 || parts <= 0)
    fail("found a number that is not above 0");
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  setenv("HET_DEVICES", arguments[1], 1);
  setenv("HET_CONTROL", "1", 1);
  MigrationExtension::install();
  Device &device = take(Runtime::get())->device(0);
  Benchmark benchmark(device, uint64_t(size) << 20, static_cast<unsigned>(parts));
  benchmark.run(repetitions);
  if (count > 5)
    benchmark.save(repetitions, arguments[5]);
  std::fflush(stdout);
  _exit(0); // devices are never closed
}
