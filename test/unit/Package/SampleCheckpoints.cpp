// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building the sample checkpoints.

#include "SampleCheckpoints.h"

#include "GoldenPackages.h"

#include "het/Base/File.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace het;
using namespace het::test;

namespace {
enum : uint8_t { Unstarted = 0, Parked = 1, Ended = 2 };
} // namespace

CheckpointOptions SampleCheckpoint::smallChunks() {
  CheckpointOptions options;
  options.producer = "sample";
  options.chunkBytes = 4096;
  options.threads = 2;
  return options;
}

CheckpointSources SampleCheckpoint::sources() const {
  CheckpointSources sources;
  sources.packages.assign(packages.begin(), packages.end());
  sources.states.assign(states.begin(), states.end());
  sources.memory = memoryIn({memory.begin(), memory.end()});
  return sources;
}

Bytes SampleCheckpoint::file(CheckpointOptions options) const {
  const char *folder = std::getenv("TMPDIR");
  std::string path = std::string(folder ? folder : "/tmp") + "/het-sample-" +
                     std::to_string(::getpid()) + ".hetckpt";
  Status status = writeCheckpoint(path, contents, sources(), options);
  Result<Bytes> bytes = status.ok() ? readFile(path) : status;
  std::remove(path.c_str());
  if (bytes.ok())
    return bytes.take();
  std::fprintf(stderr, "%s\n", bytes.status().text().c_str());
  std::abort();
}

Bytes test::noise(unsigned seed, size_t size) {
  Bytes bytes(size);
  uint64_t state = seed * 0x9e3779b97f4a7c15 + 1;
  for (uint8_t &byte : bytes) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    byte = static_cast<uint8_t>(state * 0x2545f4914f6cdd1d >> 56);
  }
  return bytes;
}

/// The states of a launch's parked blocks: thread t of block b stands at point
/// (b + t) % 3, or has ended where that is 0; the rest is a pattern.
static Bytes statesOf(const CheckpointLaunch &launch) {
  BlockStateLayout layout = blockStateLayout(launch);
  uint64_t count = parkedBlocks(launch);
  Bytes states(static_cast<size_t>(count * layout.size));
  for (size_t block = 0; block < count; ++block) {
    uint8_t *state = states.data() + block * layout.size;
    for (size_t i = 0; i < layout.size; ++i)
      state[i] = static_cast<uint8_t>(block * 7 + i % 61);
    for (size_t thread = 0; thread < threadsOfBlock(launch); ++thread) {
      uint32_t at = static_cast<uint32_t>((block + thread) % 3);
      uint32_t pc = at == 0 ? 0xffffffff : at;
      std::memcpy(state + thread * 4, &pc, 4);
    }
  }
  return states;
}

static CheckpointLaunch parkedLaunch(uint32_t stream, std::vector<BlockRun> runs) {
  CheckpointLaunch launch;
  launch.stream = stream;
  launch.kernel = "reduce";
  uint64_t blocks = 0;
  for (const BlockRun &run : runs)
    blocks += run.count;
  launch.grid = {static_cast<uint32_t>(blocks), 1, 1};
  launch.block = {11, 3, 1};
  launch.dynamicSharedBytes = 100;
  launch.arguments = noise(stream, 24);
  launch.layout = 0x1234567890abcdef;
  launch.threadBytes = 4 + 8 + 1;
  launch.sharedBytes = 130;
  launch.blocks = std::move(runs);
  return launch;
}

SampleCheckpoint test::emptyCheckpoint() { return {"empty", {}, {}, {}, {}}; }

SampleCheckpoint test::fullCheckpoint() {
  SampleCheckpoint sample;
  sample.name = "full";
  sample.packages = {goldenVariables().bytes, goldenPlain().bytes};
  CheckpointContents &contents = sample.contents;
  contents.devices = {{"host", 4, noise(1, 40)}, {"ptx:0", 4, {}}};
  contents.modules = {{0, 0, {{0, 0x1000}, {2, 0x1100}}}, {1, 1, {}}, {0, 1, {}}};
  contents.launches = {
      parkedLaunch(1, {{Ended, 2}, {Parked, 2}, {Unstarted, 3}, {Parked, 1}}),
      parkedLaunch(1, {{Unstarted, 9}}), parkedLaunch(7, {{Unstarted, 1}})};
  contents.launches[1].threadBytes = contents.launches[1].layout = 0;
  CheckpointLaunch &last = contents.launches[2];
  last.module = 1;
  last.kernel = "_Z3addPKfS0_Pfi";
  last.cooperative = true;
  for (const CheckpointLaunch &launch : contents.launches)
    sample.states.push_back(statesOf(launch));
  contents.regions = {
      {0x1000, 3 * 4096, 0, RegionKind::Device, {{0x1000, 100}, {0x1100, 8000}}},
      {0x100000000000, 10000, 1, RegionKind::Managed, {{0x100000000000, 10000}}},
      {0x100000010000, 5, 1, RegionKind::Host, {}}};
  Bytes mixed(3 * 4096); // random, zero, compressible
  Bytes random = noise(2, 4096);
  std::copy(random.begin(), random.end(), mixed.begin());
  std::fill(mixed.begin() + 2 * 4096, mixed.end(), uint8_t(9));
  sample.memory = {mixed, Bytes(10000), noise(3, 5)};
  return sample;
}

SampleCheckpoint test::parkedCheckpoint(unsigned blocks) {
  SampleCheckpoint sample;
  sample.name = "parked";
  sample.packages = {goldenVariables().bytes};
  sample.contents.devices = {{"host", 4, {}}};
  sample.contents.modules = {{0, 0, {}}};
  std::vector<BlockRun> runs;
  for (unsigned i = 0; i < blocks; ++i) {
    runs.push_back({Parked, 1});
    runs.push_back({i % 2 ? Ended : Unstarted, 1 + i % 5});
  }
  sample.contents.launches = {parkedLaunch(0, runs)};
  sample.states = {statesOf(sample.contents.launches[0])};
  return sample;
}

std::vector<SampleCheckpoint> test::sampleCheckpoints() {
  return {emptyCheckpoint(), fullCheckpoint(), parkedCheckpoint(3)};
}
