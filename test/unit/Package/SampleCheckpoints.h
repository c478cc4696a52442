// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints for tests, with the bytes that belong to them.

#ifndef HET_TEST_UNIT_PACKAGE_SAMPLECHECKPOINTS_H
#define HET_TEST_UNIT_PACKAGE_SAMPLECHECKPOINTS_H

#include "het/Base/Bytes.h"
#include "het/Package/CheckpointWriter.h"

#include <string>
#include <vector>

namespace het::test {

struct SampleCheckpoint {
  std::string name;
  CheckpointContents contents;
  std::vector<Bytes> packages, states, memory;

  /// They borrow from this.
  CheckpointSources sources() const;
  /// The file's bytes.
  Bytes file(CheckpointOptions options = smallChunks()) const;

  static CheckpointOptions smallChunks();
};

/// Nothing at all.
SampleCheckpoint emptyCheckpoint();
/// Every field of the format: parked and waiting launches, modules with
/// variables, zeros and others in memory.
SampleCheckpoint fullCheckpoint();
/// One launch with so many parked blocks among others.
SampleCheckpoint parkedCheckpoint(unsigned blocks);

std::vector<SampleCheckpoint> sampleCheckpoints();

/// Bytes that no compressor makes smaller, the same for the same seed.
Bytes noise(unsigned seed, size_t size);

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_SAMPLECHECKPOINTS_H
