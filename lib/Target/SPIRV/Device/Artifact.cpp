// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SPIR-V to the driver's own program, which the cache keeps, and from there to kernels.

#include "SPIRVDevice.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstring>

namespace het::spirv {
namespace {

/// An artifact's bytes, whose sizes have been checked.
struct Container {
  HetSpirvArtifact header = {};
  std::string name;
  const uint8_t *code = nullptr;
};

int32_t readContainer(const uint8_t *data, size_t size, Container &out,
                      HetStatus *status) {
  if (size < sizeof(HetSpirvArtifact))
    return report(status, HET_INVALID,
                  "artifact: found " + std::to_string(size) + " bytes");
  std::memcpy(&out.header, data, sizeof(HetSpirvArtifact));
  if (out.header.magic != HET_SPIRV_MAGIC || out.header.form > HET_SPIRV_PROGRAM)
    return report(status, HET_INVALID, "artifact: not one of this version");
  size -= sizeof(HetSpirvArtifact);
  if (out.header.nameBytes > size || out.header.codeBytes != size - out.header.nameBytes)
    return report(status, HET_INVALID, "artifact: its sizes do not agree");
  data += sizeof(HetSpirvArtifact);
  out.name.assign(reinterpret_cast<const char *>(data), out.header.nameBytes);
  out.code = data + out.header.nameBytes;
  return success(status);
}

Source sourceOf(const Container &container) {
  return {container.name,
          container.header.form == HET_SPIRV_PROGRAM,
          (container.header.flags & HET_SPIRV_SEGMENTED) != 0,
          container.code,
          container.header.codeBytes,
          container.header.constantBytes};
}

int32_t finishArtifact(HetDevice *device, const uint8_t *data, size_t size,
                       HetLowering *out, HetStatus *status) {
  Container container;
  if (readContainer(data, size, container, status))
    return status->code;
  auto finished = std::make_unique<std::vector<uint8_t>>(data, data + size);
  if (container.header.form == HET_SPIRV_MODULE) {
    std::vector<uint8_t> program;
    if (device->check(device->door->compile(sourceOf(container), program, status),
                      status))
      return status->code;
    if (!program.empty()) { // where there is none the module stays what it is
      container.header.form = HET_SPIRV_PROGRAM;
      container.header.codeBytes = program.size();
      std::memcpy(finished->data(), &container.header, sizeof(HetSpirvArtifact));
      finished->resize(container.code - data);
      finished->insert(finished->end(), program.begin(), program.end());
    }
  }
  out->data = finished->data();
  out->size = finished->size();
  out->owner = finished.release();
  return success(status);
}

void releaseFinished(HetLowering *finished) {
  delete static_cast<std::vector<uint8_t> *>(finished->owner);
  *finished = {};
}

void unloadArtifact(HetArtifact *artifact) { delete artifact; }

/// How many threads a block may have.
uint64_t mostThreads(const HetArtifact &artifact) {
  uint64_t most = artifact.device->facts.maxThreadsPerBlock;
  if (!artifact.isSegmented() && artifact.code->maxThreads)
    most = std::min(most, artifact.code->maxThreads);
  if (uint32_t bound = artifact.header.maxThreads)
    most = std::min<uint64_t>(most, bound);
  return most;
}

/// How the kernel is run; what decides is Lowering/Convert/ChooseForm.cpp.
const char *formOf(uint32_t flags) {
  if (flags & HET_SPIRV_SEGMENTED)
    return "segmented: a block is one work-item";
  if (flags & HET_SPIRV_SPLIT)
    return "split: a team is several sub-groups";
  return flags & HET_SPIRV_FLAT ? "flat: a team is a sub-group" : "native";
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  Container container;
  if (readContainer(data, size, container, status))
    return status->code;
  if (container.header.variableCount != variableCount)
    return report(status, HET_INVALID,
                  "artifact: found a kernel of " +
                      std::to_string(container.header.variableCount) +
                      " variables, expected " + std::to_string(variableCount));
  auto artifact = std::make_unique<HetArtifact>();
  artifact->device = device;
  artifact->header = container.header;
  artifact->name = container.name;
  artifact->variables.assign(variables, variables + variableCount);
  artifact->code = device->door->load(sourceOf(container), status);
  if (!artifact->code)
    return device->check(status->code, status);
  artifact->maxThreads = mostThreads(*artifact);
  log(Level::Info, "spirv: kernel '%s' runs %s", artifact->name.c_str(),
      formOf(artifact->header.flags));
  *out = artifact.release();
  return success(status);
}

int32_t describeArtifact(HetArtifact *artifact, HetArtifactInfo *out, HetStatus *status) {
  *out = {0, static_cast<uint32_t>(artifact->code->localBytes),
          static_cast<uint32_t>(artifact->maxThreads), 0};
  return success(status);
}

} // namespace

void fillInArtifacts(HetDeviceABI &table) {
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.describeArtifact = describeArtifact;
  table.finishArtifact = finishArtifact;
  table.releaseFinished = releaseFinished;
  table.rankArch = rankArch;
}

} // namespace het::spirv
