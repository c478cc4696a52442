// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that all doors (driver adapters) share: the subgroup size, the
// architecture's name, copies of rows.

#include "Door.h"
#include "LoweringVersion.h"

#include "../../Support/SoftwareQueue.h"
#include "../SPIRVArtifact.h"
#include "het/Base/Environment.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace het::spirv {

int32_t report(HetStatus *status, int32_t code, const std::string &message) {
  return target::report(status, code, message.c_str());
}

int32_t success(HetStatus *status) { return target::success(status); }

Memory allocate(Door &door, size_t bytes, Place place) {
  constexpr size_t alignment = 128; // of a block's state
  bytes = std::max((bytes + alignment - 1) / alignment * alignment, alignment);
  return Memory(door.allocate(bytes, alignment, place), ReleaseMemory{&door});
}

std::string Commands::copyRows(const Rows &rows) {
  std::string wrong;
  for (size_t row = 0; row < rows.count && wrong.empty(); ++row)
    wrong =
        copy(rows.to + row * rows.toPitch, rows.from + row * rows.fromPitch, rows.width);
  return wrong;
}

int32_t Door::allocateManaged(uint64_t, uint64_t *, HetStatus *status) {
  return report(status, HET_UNSUPPORTED,
                "managed memory: the device reaches all memory of the process; use that");
}

int32_t Door::freeManaged(uint64_t, HetStatus *status) {
  return report(status, HET_INVALID, "managed memory: none was given");
}

int32_t Door::pinMemory(uint64_t, uint64_t, HetStatus *status) { return success(status); }

int32_t Door::unpinMemory(uint64_t, HetStatus *status) { return success(status); }

unsigned chooseSubgroup(const std::vector<size_t> &sizes) {
  const std::optional<std::string> wanted = environment::text(Variable::SpirvSubgroup);
  for (size_t size : {32, 16, 8})
    if ((!wanted || std::to_string(size) == *wanted) &&
        std::find(sizes.begin(), sizes.end(), size) != sizes.end())
      return size;
  return 0;
}

std::string makeArch(unsigned subgroup, const Features &features,
                     const std::string &driver, const std::string &identity) {
  bool hasFP64 = features.hasFP64 && !environment::text(Variable::SpirvLacks);
  bool emulates =
      !hasFP64 && environment::textOrDefault(Variable::SpirvFp64) == "emulate";
  std::string arch = features.version;
  if (environment::textOrDefault(Variable::SpirvForm) == "segmented")
    arch += ";segmented";
  else if (subgroup)
    arch += ";teams" + std::to_string(subgroup);
  arch += hasFP64 ? "" : ";nofp64";
  arch += emulates ? ";softfp64" : "";
  arch += features.hasFP16 ? "" : ";nofp16";
  arch += features.hasAtomics64 ? "" : ";noatomics64";
  arch += features.hasGeneric ? "" : ";nogeneric";
  arch += features.isCPU ? ";cpu" : "";
  arch += features.words;
  uint64_t hash = 1469598103934665603ull; // FNV-1a
  for (char c : identity)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  char text[96];
  std::snprintf(text, sizeof(text), ";%.48s-%016llx", driver.c_str(),
                static_cast<unsigned long long>(hash));
  return arch + text;
}

void completeFacts(HetDeviceProperties &out, uint64_t localBytes) {
  std::snprintf(out.loweringVersion, sizeof(out.loweringVersion), "%s",
                HET_LOWERING_VERSION);
  out.clockKilohertz = 1000000; // clocks count nanoseconds
  out.totalMemory = std::max<uint64_t>(1, out.totalMemory);
  out.processorCount = std::max<uint32_t>(1, out.processorCount);
  out.maxThreadsPerBlock = std::min<uint32_t>(1024, out.maxThreadsPerBlock);
  const uint32_t blockDim[] = {1024, 1024, 64}, gridDim[] = {2147483647, 65535, 65535};
  for (int axis = 0; axis < 3; ++axis) {
    out.maxBlockDim[axis] = std::min(blockDim[axis], out.maxBlockDim[axis]);
    out.maxBlockDim[axis] = std::min(out.maxThreadsPerBlock, out.maxBlockDim[axis]);
    out.maxGridDim[axis] = std::min(gridDim[axis], out.maxGridDim[axis]);
  }
  localBytes -= std::min<uint64_t>(localBytes, HET_SPIRV_MOST_SCRATCH);
  out.sharedBytesPerBlock = std::min<uint64_t>(localBytes, 48 << 10);
  out.sharedBytesPerBlockOptIn = std::min<uint64_t>(localBytes, 227 << 10);
  out.reservesWindow = 1;
  out.mostClusterBlocks = 16;
}

} // namespace het::spirv
