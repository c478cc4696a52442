// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device link: the kernels of several files that were compiled with -rdc=true become
// one package. Each object carries its file's part, a package with a section of
// relocatable code, in the ELF section `.het.device`, which linkers leave out of
// programs.

#ifndef HET_FRONTEND_DEVICELINK_H
#define HET_FRONTEND_DEVICELINK_H

#include "het/Frontend/Frontend.h"

#include "llvm/ADT/ArrayRef.h"

namespace het {

/// One file's part of a device link.
struct DevicePart {
  std::string origin; ///< The object, or `archive(member)`.
  Bytes package;
  /// A package that was compiled whole may be a part, which needs nothing of others.
  bool mayBeWhole = false;
};

/// Adds the parts in an object or archive to `parts`. A file of another kind has none.
/// Fails if the file cannot be read or a part is damaged.
llvm::Error readDeviceParts(const std::string &file, std::vector<DevicePart> &parts);

/// Likewise, of an object or archive in memory.
llvm::Error readDeviceParts(ByteView bytes, const std::string &name,
                            std::vector<DevicePart> &parts);

/// Whether an object or archive has parts. A file that cannot be read has none.
bool hasDeviceParts(const std::string &file);

struct LinkedDevice {
  Bytes package;
  /// Ids of the files in it, by which host objects ask for the link.
  std::vector<std::string> ids;
};

/// Links parts; the same one may come several times. Of the options those count that say
/// how to report. Symbols that are missing or defined twice are reported with the places
/// of both.
llvm::Expected<LinkedDevice> linkDevice(llvm::ArrayRef<DevicePart> parts,
                                        const CompileOptions &options);

} // namespace het

#endif // HET_FRONTEND_DEVICELINK_H
