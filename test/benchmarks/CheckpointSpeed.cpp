// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Saving memory as a checkpoint against writing the same bytes with nothing
// done to them, as dd does (1 MiB a call, fsync at the end); and reading it
// back. All are repeated in turn; the file is removed before each, so each
// writes a new one.
//
//   checkpoint-speed FILE [GIB [REPETITIONS]]

#include "het/Package/Checkpoint.h"
#include "het/Package/CheckpointWriter.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <unistd.h>

using namespace het;

static constexpr uint64_t base = 0x100000000000;

[[noreturn]] static void fail(const std::string &message) {
  std::fprintf(stderr, "checkpoint-speed: error: %s\n", message.c_str());
  std::exit(1);
}

static void fillWithNoise(Bytes &bytes) {
  uint64_t state = 88172645463325252;
  for (size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    uint64_t word = state * 0x2545f4914f6cdd1d;
    std::memcpy(bytes.data() + i, &word, 8);
  }
}

/// Numbers as simulations keep them: smooth, with noise in their last digits.
static void fillWithFloats(Bytes &bytes) {
  uint32_t state = 1;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    state = state * 1664525 + 1013904223;
    float value = float(i / 4096) + float(state >> 28) / 16;
    std::memcpy(bytes.data() + i, &value, 4);
  }
}

static void writePlainly(const std::string &path, const Bytes &memory) {
  int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (file < 0)
    fail(path + ": cannot open");
  for (size_t at = 0; at < memory.size(); at += size_t(1) << 20) {
    size_t size = std::min(memory.size() - at, size_t(1) << 20);
    if (::write(file, memory.data() + at, size) != static_cast<ssize_t>(size))
      fail(path + ": cannot write");
  }
  if (::fsync(file) != 0 || ::close(file) != 0)
    fail(path + ": cannot store");
}

static void save(const std::string &path, const Bytes &memory) {
  CheckpointContents contents;
  contents.devices = {{"host", 0, {}}};
  contents.regions = {{base, memory.size(), 0, RegionKind::Device, {}}};
  CheckpointSources sources;
  sources.memory = memoryIn({memory});
  CheckpointOptions options;
  options.producer = "checkpoint-speed";
  Status status = writeCheckpoint(path, contents, sources, options);
  if (!status.ok())
    fail(status.text());
}

static void load(const std::string &path, Bytes &memory) {
  Result<Checkpoint> read = Checkpoint::open(path);
  if (!read.ok())
    fail(read.status().text());
  Status status = read->visitMemory([&](size_t, uint64_t offset, ByteView bytes) {
    std::memcpy(memory.data() + offset, bytes.data, bytes.size);
    return Status::success();
  });
  if (!status.ok())
    fail(status.text());
}

static double secondsOf(const std::function<void()> &work) {
  auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static void measure(const char *what, const std::string &path, const Bytes &memory,
                    int repetitions) {
  std::vector<double> plain, saved, loaded;
  uint64_t size = 0;
  Bytes back(memory.size(), 1);
  auto writePlain = [&] {
    ::unlink(path.c_str());
    ::sync();
    plain.push_back(secondsOf([&] { writePlainly(path, memory); }));
  };
  auto writeCheckpoint = [&] {
    ::unlink(path.c_str());
    ::sync();
    saved.push_back(secondsOf([&] { save(path, memory); }));
  };
  for (int i = 0; i < repetitions; ++i) {
    // Disks of virtual machines are faster after a pause: each is first in turn.
    if (i % 2 == 0)
      writePlain();
    writeCheckpoint();
    if (i % 2 != 0) {
      writePlain();
      save(path, memory);
    }
    std::fill(back.begin(), back.end(), uint8_t(0));
    loaded.push_back(secondsOf([&] { load(path, back); }));
    if (back != memory)
      fail("what was read is not what was saved");
    size = Checkpoint::open(path)->totalSize();
    std::printf("  %s: plain %.3f s, saved %.3f s, loaded %.3f s\n", what, plain.back(),
                saved.back(), loaded.back());
  }
  ::unlink(path.c_str());
  double bytes = static_cast<double>(memory.size());
  std::printf("%s: %.2f GB in %.2f GB of file; plain %.2f GB/s, saved %.2f GB/s "
              "(%.2f of plain), loaded %.2f GB/s\n",
              what, bytes / 1e9, static_cast<double>(size) / 1e9,
              bytes / median(plain) / 1e9, bytes / median(saved) / 1e9,
              median(plain) / median(saved), bytes / median(loaded) / 1e9);
}

int main(int count, char **arguments) {
  if (count < 2)
    fail("found no file, expected FILE [GIB [REPETITIONS]]");
  double size = count > 2 ? std::atof(arguments[2]) : 2;
  int repetitions = count > 3 ? std::atoi(arguments[3]) : 5;
  if (size <= 0 || repetitions <= 0)
    fail("found a size or a number of repetitions of 0, expected more");
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Bytes memory(static_cast<size_t>(size * double(1 << 30)));
  fillWithNoise(memory);
  measure("noise", arguments[1], memory, repetitions);
  fillWithFloats(memory);
  measure("floats", arguments[1], memory, repetitions);
  std::fill(memory.begin(), memory.end(), uint8_t(0));
  measure("zeros", arguments[1], memory, repetitions);
  return 0;
}
