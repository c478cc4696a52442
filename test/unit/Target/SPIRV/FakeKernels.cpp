// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeKernels.h"
#include "SPIRV/SPIRVArtifact.h"

#include <cstring>

namespace {

/// Leaves a record whose text is `text`, with its NULs.
void leave(HetSpirvServices &services, uint32_t kind, const std::string &text) {
  HetSpirvRecord record = {};
  record.kind = kind;
  record.formatBytes = text.size();
  record.line = 7;
  uint64_t bytes = (sizeof(record) + text.size() + 7) / 8 * 8;
  record.bytes = bytes;
  uint64_t at = services.outputUsed;
  services.outputUsed += bytes;
  if (services.outputUsed > services.outputBytes)
    return;
  auto *to = reinterpret_cast<char *>(services.output + at);
  std::memcpy(to, &record, sizeof(record));
  std::memcpy(to + sizeof(record), text.data(), text.size());
}

void runBlocks(const std::string &code, HetSpirvBlock *blocks, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    HetSpirvBlock &block = blocks[i];
    if (code == "stuck")
      block.pc = HET_SPIRV_DEADLOCK;
    else if (code == "meet")
      block.pc = block.pc == 0 ? 5 : HET_SPIRV_ENDED;
    else // turns; a block keeps its record
      block.pc = ++block.reserved[0] % 3 ? HET_SPIRV_GAVE_WAY : HET_SPIRV_ENDED;
  }
}

} // namespace

void runFakeKernel(const FakeLaunch &launch, void *record) {
  auto &given = *static_cast<HetSpirvLaunch *>(record);
  auto &services = *reinterpret_cast<HetSpirvServices *>(given.services);
  auto *arguments = reinterpret_cast<uint8_t *>(given.arguments);
  if (launch.code == "store") {
    uint64_t address;
    std::memcpy(&address, arguments, 8);
    std::memcpy(reinterpret_cast<void *>(address), arguments + 8, 4);
  } else if (launch.code == "print") {
    leave(services, HET_SPIRV_PRINTF, std::string("hello\n") + '\0');
  } else if (launch.code == "trap") {
    services.fault = HET_SPIRV_FAULT_TRAP;
  } else if (launch.code == "assert") {
    services.fault = HET_SPIRV_FAULT_ASSERT;
    using namespace std::string_literals;
    leave(services, HET_SPIRV_ASSERT, "x > 0\0f.cu\0kernel\0"s);
  } else if (given.blocks) {
    runBlocks(launch.code, reinterpret_cast<HetSpirvBlock *>(given.blocks),
              launch.items);
  }
}
