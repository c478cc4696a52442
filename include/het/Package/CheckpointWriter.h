// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of .hetckpt (docs/spec/hetckpt.md). Several threads take memory
// piece by piece, compress and write it; what a device holds is never held here
// as a whole.

#ifndef HET_PACKAGE_CHECKPOINTWRITER_H
#define HET_PACKAGE_CHECKPOINTWRITER_H

#include "het/Base/Status.h"
#include "het/Package/CheckpointContents.h"

#include <functional>
#include <string>
#include <vector>

namespace het {

/// Gives `size` bytes of a region from `offset` on: where they lie, or in
/// `scratch`, which has room for them and lives until the next call of the same
/// thread. Called by several threads at once; pieces are asked for about in
/// their order.
using MemorySource = std::function<Result<ByteView>(size_t region, uint64_t offset,
                                                    uint64_t size, uint8_t *scratch)>;

/// Where the bytes come from that CheckpointContents does not hold.
struct CheckpointSources {
  std::vector<ByteView> packages;
  std::vector<ByteView> states; ///< For each launch: its suspended blocks.
  MemorySource memory;
};

struct CheckpointOptions {
  std::string producer; ///< As PackageWriter's.
  unsigned threads = 0; ///< 0: as many as there are processors.
  uint32_t chunkBytes = uint32_t(1) << 20;
  bool compress = true;
};

/// Writes a checkpoint aside, has the disk keep it, and renames it: at any
/// moment `path` is what it was or the whole new file. The same contents and
/// options give the same bytes, whatever the threads.
Status writeCheckpoint(const std::string &path, const CheckpointContents &contents,
                       const CheckpointSources &sources,
                       const CheckpointOptions &options);

/// A source for regions that lie in this process's memory, one view each.
MemorySource memoryIn(std::vector<ByteView> regions);

} // namespace het

#endif // HET_PACKAGE_CHECKPOINTWRITER_H
