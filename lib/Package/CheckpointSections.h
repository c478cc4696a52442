// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a .hetckpt (docs/spec/hetckpt.md): the header and the table, checked,
// and the bytes of those sections that are read as a whole. Private to this library.

#ifndef HET_LIB_PACKAGE_CHECKPOINTSECTIONS_H
#define HET_LIB_PACKAGE_CHECKPOINTSECTIONS_H

#include "CheckpointFormat.h"
#include "FileParts.h"
#include "Format.h"

#include "het/Base/Status.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace het {

class CheckpointSections {
public:
  CheckpointSections(std::shared_ptr<const FileParts> parts, std::string origin)
      : parts(std::move(parts)), source(std::move(origin)) {}
  /// Reads and checks the header and the table, before all else.
  Status read();

  const FileParts &file() const { return *parts; }
  const std::string &origin() const { return source; }
  std::string producer() const;

  uint32_t packageCount() const { return static_cast<uint32_t>(packages.size()); }
  /// The section of a package.
  uint32_t package(uint32_t index) const { return packages[index]; }
  /// The one section of another type.
  uint32_t only(checkpoint::SectionType type) const { return sections[type]; }

  format::Section entry(uint32_t index) const;
  /// A section's bytes, held against their digest. They may lie in `storage`.
  Result<ByteView> checked(uint32_t index, Bytes &storage) const;

  /// A failure in one section, with the remedy for damaged files.
  Status damaged(uint32_t section, const std::string &what) const;

private:
  Status checkTable(uint32_t total);

  std::shared_ptr<const FileParts> parts;
  std::string source;
  Bytes head; ///< The header and the table.
  std::vector<uint32_t> packages;
  std::array<uint32_t, 16> sections{}; ///< By type.
};

} // namespace het

#endif // HET_LIB_PACKAGE_CHECKPOINTSECTIONS_H
