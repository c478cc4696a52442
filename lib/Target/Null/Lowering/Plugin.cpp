// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering plug-in: TargetABI.h's table. Any bytes are lowered, to nothing.
// A real one parses the hetIR, runs the passes that its hardware needs, links
// the device library and generates code; it may be called by several threads.

#include "../../Support/SoftwareQueue.h"
#include "../Artifact.h"

using het::target::success;

static int32_t lower(const HetLowerRequest *request, HetLowering *lowering,
                     HetStatus *status) {
  auto *artifact = new HetNullArtifact{
      HET_NULL_MAGIC, static_cast<uint32_t>(request->codeSize)};
  lowering->data = reinterpret_cast<const uint8_t *>(artifact);
  lowering->size = sizeof(*artifact);
  lowering->owner = artifact;
  return success(status);
}

static void release(HetLowering *lowering) {
  delete static_cast<HetNullArtifact *>(lowering->owner);
  *lowering = {};
}

extern "C" __attribute__((visibility("default"))) const HetLoweringABI *
hetLoweringABI(void) {
  static const HetLoweringABI table = {
      HET_TARGET_ABI_VERSION,    sizeof(HetLoweringABI), "null",
      HET_NULL_LOWERING_VERSION, lower,                  release,
      nullptr};
  return &table;
}
