// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Artifacts: images, as they will lie in cores' memory.

#include "TensixDevice.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <cstring>

using het::target::success;

namespace het::tensix {
namespace {

int32_t refuse(HetStatus *status, const std::string &what) {
  return report(status, HET_INVALID, "artifact: " + what);
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  auto artifact = std::make_unique<HetArtifact>();
  HetTensixArtifact &header = artifact->header;
  if (size < sizeof(header))
    return refuse(status, "found " + std::to_string(size) + " bytes");
  std::memcpy(&header, data, sizeof(header));
  if (header.magic != HET_TENSIX_MAGIC)
    return refuse(status, "not one of this version");
  size -= sizeof(header);
  const uint64_t textBytes = uint64_t(header.nameBytes) + header.reasonBytes;
  if (textBytes > size || header.imageBytes > size - textBytes ||
      header.constantsBytes != size - textBytes - header.imageBytes ||
      header.imageBytes > header.memoryBytes ||
      header.memoryBytes > device->chip->architecture().coreBytes - HET_TENSIX_IMAGE)
    return refuse(status, "its sizes do not agree");
  if (header.variableCount != variableCount)
    return refuse(status, "found a kernel of " + std::to_string(header.variableCount) +
                              " variables, expected " + std::to_string(variableCount));
  data += sizeof(header);
  artifact->device = device;
  artifact->name.assign(reinterpret_cast<const char *>(data), header.nameBytes);
  const std::string reason(reinterpret_cast<const char *>(data) + header.nameBytes,
                           header.reasonBytes);
  log(Level::Info, "kernel %s: %s%s", artifact->name.c_str(),
      reason.empty() ? "map B: teams in the vector unit"
                     : "map A: blocks on cores, because ",
      reason.c_str());
  data += textBytes;
  artifact->image.assign(data, data + header.imageBytes);
  artifact->variables.assign(variables, variables + variableCount);
  if (holdConstants(*device, header.constantsAddress, data + header.imageBytes,
                    header.constantsBytes, status))
    return status->code;
  *out = artifact.release();
  return success(status);
}

void unloadArtifact(HetArtifact *artifact) {
  releaseConstants(*artifact->device, artifact->header.constantsAddress,
                   artifact->header.constantsBytes);
  delete artifact;
}

int32_t loadsAhead(HetDevice *, const uint8_t *, size_t) { return 1; }

/// For the chip, and the map if HET_TENSIX_MAP asks for one.
int32_t rankArch(HetDevice *device, const char *arch, uint32_t *rank, HetStatus *status) {
  const std::string text = arch, chip = device->chip->architecture().name;
  const size_t end = std::min(text.find(';'), text.size());
  const std::string map = end == text.size() ? "" : text.substr(end + 1);
  *rank = 0;
  if (text.substr(0, end) != chip)
    return report(status, HET_UNSUPPORTED,
                  "code for " + text + ": this chip is a " + chip);
  if (!device->map.empty() && map != device->map)
    return report(status, HET_UNSUPPORTED,
                  "code for " + text + ": HET_TENSIX_MAP asks for " + device->map);
  *rank = map.empty() ? 2 : 1;
  return success(status);
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out, HetStatus *status) {
  *out = {};
  out->localBytes = artifact->header.frameBytesPerThread;
  out->maxThreadsPerBlock = artifact->header.maxThreads;
  return success(status);
}

int32_t residentBlocks(HetArtifact *artifact, uint32_t threads,
                       uint32_t dynamicSharedBytes, uint32_t *blocks, HetStatus *status) {
  *blocks = layOut(*artifact, threads, dynamicSharedBytes).placeCount;
  return success(status);
}

} // namespace

void fillInArtifacts(HetDeviceABI &table) {
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.loadsAhead = loadsAhead;
  table.describeArtifact = describeArtifact;
  table.residentBlocks = residentBlocks;
  table.rankArch = rankArch;
}

} // namespace het::tensix
