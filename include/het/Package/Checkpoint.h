// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of .hetckpt (docs/spec/hetckpt.md). What the file says is read and
// checked when it is opened; packages, states and memory are checked when, and
// each time, they are used. Safe to use from many threads at once.

#ifndef HET_PACKAGE_CHECKPOINT_H
#define HET_PACKAGE_CHECKPOINT_H

#include "het/Base/Hash.h"
#include "het/Base/Status.h"
#include "het/Package/CheckpointContents.h"

#include <functional>
#include <memory>
#include <string>

namespace het {

class CheckpointChunks;
class CheckpointSections;
class FileParts;

class Checkpoint {
public:
  /// Reads the file's records, and keeps it open for the rest.
  static Result<Checkpoint> open(const std::string &path);
  /// Borrows the bytes. `origin` is the file that messages name.
  static Result<Checkpoint> open(ByteView bytes, const std::string &origin);

  const CheckpointContents &contents() const { return *said; }

  uint32_t packageCount() const;
  /// The bytes of a package. They live as long as this or a copy of it.
  Result<ByteView> package(uint32_t index) const;
  /// The SHA-256 of those bytes, as the file states it.
  Digest packageDigest(uint32_t index) const;

  /// Bytes of the states of a launch's suspended blocks, one after another. The
  /// file is at least a 1024th as long.
  uint64_t statesSize(size_t launch) const;
  /// Copies a part of them.
  Status readStates(size_t launch, uint64_t offset, uint8_t *to, uint64_t size) const;

  /// Copies a part of a region's memory.
  Status readMemory(size_t region, uint64_t offset, uint8_t *to, uint64_t size) const;

  /// Is given the bytes of a region from `offset` on. Called by several
  /// threads.
  using Visitor = std::function<Status(size_t region, uint64_t offset, ByteView bytes)>;
  /// Gives all memory that is not zero, piece by piece, in no order. 0 threads:
  /// as many as there are processors.
  Status visitMemory(const Visitor &visitor, unsigned threads = 0) const;

  /// The bytes of one piece of memory, as the file keeps it: for those who walk
  /// over large regions. All pieces but a region's last have this size.
  uint64_t chunkBytes() const;
  /// Whether the file has nothing but zeros for the piece that begins there.
  bool isZero(size_t region, uint64_t offset) const;

  /// Checks every byte.
  Status verify(unsigned threads = 0) const;

  std::string producer() const;
  const std::string &origin() const;
  uint64_t totalSize() const;

private:
  Checkpoint(std::shared_ptr<const CheckpointSections> sections,
             std::shared_ptr<const CheckpointContents> said,
             std::shared_ptr<const CheckpointChunks> chunks)
      : sections(std::move(sections)), said(std::move(said)), chunks(std::move(chunks)) {}
  static Result<Checkpoint> open(std::shared_ptr<const FileParts> parts,
                                 const std::string &origin);

  std::shared_ptr<const CheckpointSections> sections;
  std::shared_ptr<const CheckpointContents> said;
  std::shared_ptr<const CheckpointChunks> chunks;
};

} // namespace het

#endif // HET_PACKAGE_CHECKPOINT_H
