// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeKernels.h"
#include "SPIRV/SPIRVArtifact.h"

#include <csignal>
#include <cstring>

bool blocksSignals() {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, SIGTERM);
}

namespace {

/// The parts of a launch, as far as the device reaches them.
struct Reached {
  const FakeView &view;

  template <class T> T *at(uint64_t address, size_t count = 1) const {
    return reinterpret_cast<T *>(view(address, count * sizeof(T)));
  }
};

/// Leaves a record whose text is `text`, with its NULs.
void leave(const Reached &reached, HetServices &services, uint32_t kind,
           const std::string &text) {
  HetServiceRecord record = {};
  record.kind = kind;
  record.formatBytes = text.size();
  record.line = 7;
  uint64_t bytes = (sizeof(record) + text.size() + 7) / 8 * 8;
  record.bytes = bytes;
  uint64_t at = services.outputUsed;
  services.outputUsed += bytes;
  if (services.outputUsed > services.outputBytes)
    return;
  char *to = reached.at<char>(services.output + at, bytes);
  if (!to)
    return;
  std::memcpy(to, &record, sizeof(record));
  std::memcpy(to + sizeof(record), text.data(), text.size());
}

void runBlocks(const Reached &reached, const std::string &code, HetSpirvBlock *blocks,
               size_t count) {
  for (size_t i = 0; i < count; ++i) {
    HetSpirvBlock &block = blocks[i];
    if (uint8_t *frame = reached.at<uint8_t>(block.frame))
      *frame = 1;
    if (code == "stuck")
      block.pc = HET_SPIRV_DEADLOCK;
    else if (code == "meet")
      block.pc = block.pc == 0 ? 5 : HET_SPIRV_ENDED;
    else if (code == "turns") // a block keeps its record
      block.pc = ++block.reserved[0] % 3 ? HET_SPIRV_GAVE_WAY : HET_SPIRV_ENDED;
    else
      block.pc = HET_SPIRV_ENDED;
  }
}

/// *argument 0 = value
template <class T> void store(const Reached &reached, uint64_t arguments, T value) {
  auto *address = reached.at<uint64_t>(arguments);
  if (T *to = address ? reached.at<T>(*address) : nullptr)
    *to = value;
}

} // namespace

void runFakeKernel(const FakeLaunch &launch, uint64_t record, const FakeView &view) {
  using namespace std::string_literals;
  const Reached reached = {view};
  auto *given = reached.at<HetSpirvLaunch>(record);
  auto *services = given ? reached.at<HetServices>(given->services) : nullptr;
  if (!services || !reached.at<uint8_t>(given->arguments, given->argumentBytes))
    return;
  const std::string &code = launch.code;
  if (code == "store") {
    if (auto *value = reached.at<uint32_t>(given->arguments + 8))
      store(reached, given->arguments, *value);
  } else if (code == "first") {
    if (auto *variable = reached.at<uint64_t>(given->variables))
      store(reached, given->arguments, *variable);
  } else if (code == "lock") {
    auto *lock = reached.at<uint32_t>(services->wideLock);
    store(reached, given->arguments, lock ? ++*lock : 0);
  } else if (code == "print") {
    leave(reached, *services, HET_SERVICE_PRINTF, "hello\n\0"s);
  } else if (code == "trap") {
    services->fault = HET_SERVICE_FAULT_TRAP;
  } else if (code == "assert") {
    services->fault = HET_SERVICE_FAULT_ASSERT;
    leave(reached, *services, HET_SERVICE_ASSERT, "x > 0\0f.cu\0kernel\0"s);
  } else if (given->blocks) {
    if (auto *blocks = reached.at<HetSpirvBlock>(given->blocks, launch.items))
      runBlocks(reached, code, blocks, launch.items);
  }
}
