// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A core's memory in a launch: behind the image the arguments and the variables, and then
// places for as many blocks as there is room for.

#include "TensixDevice.h"

#include <algorithm>

namespace het::tensix {

static uint64_t roundUp(uint64_t size) {
  return (size + HET_TENSIX_ALIGNMENT - 1) / HET_TENSIX_ALIGNMENT * HET_TENSIX_ALIGNMENT;
}

Layout layOut(const HetArtifact &artifact, uint32_t threads,
              uint32_t dynamicSharedBytes) {
  const HetTensixArtifact &header = artifact.header;
  const uint64_t memory = artifact.device->chip->architecture().coreBytes;
  Layout layout = {};
  layout.arguments = roundUp(HET_TENSIX_IMAGE + header.memoryBytes);
  layout.variables = layout.arguments + roundUp(header.argumentBytes);
  layout.firstPlace = layout.variables + roundUp(artifact.variables.size() * 8);
  layout.sharedOffset = roundUp(sizeof(HetTensixBlock));
  layout.dynamicSharedOffset = roundUp(header.staticSharedBytes);
  layout.sharedBytes = layout.dynamicSharedOffset + dynamicSharedBytes;
  const uint64_t frame = layout.sharedOffset + roundUp(layout.sharedBytes);
  const uint64_t padded = (uint64_t(threads) + 31) / 32 * 32;
  layout.frameOffset = frame;
  layout.wanted =
      roundUp(frame + header.frameBytesPerBlock + header.frameBytesPerThread * padded);
  if (layout.firstPlace + layout.wanted > memory)
    return layout;
  layout.placeBytes = layout.wanted;
  layout.placeCount = std::min<uint64_t>((memory - layout.firstPlace) / layout.placeBytes,
                                         HET_TENSIX_MOST_PLACES);
  return layout;
}

} // namespace het::tensix
