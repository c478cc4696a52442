// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --for names: a target's lowering and an architecture of it. No device is needed.

#ifndef HET_TOOLS_HETPKG_NAMEDTARGET_H
#define HET_TOOLS_HETPKG_NAMEDTARGET_H

#include "core/Target.h"
#include "het/Package/PackageArtifacts.h"

namespace het {

/// Where the libraries lie that this tool was installed with.
std::string libraryFolder();

/// Where its device library is.
std::string devicelibPath();

struct NamedTarget {
  std::shared_ptr<core::Target> lowering;
  std::string label; ///< As the user wrote it.
  core::NamedArch arch;

  /// `name`: TARGET or TARGET:ARCH, which the target's lowering understands.
  static Result<NamedTarget> open(const std::string &name);
  static Result<std::vector<NamedTarget>> openAll(const std::vector<std::string> &names);

  /// What artifacts that it lowers with these options are.
  ArtifactKind kind(const std::string &options) const {
    return {lowering->name(), arch.arch, options, arch.version};
  }
  /// Lowers a kernel; a failure names it and the target.
  Result<Bytes> lower(ByteView code, const std::string &kernel,
                      const std::string &options) const;
};

} // namespace het

#endif // HET_TOOLS_HETPKG_NAMEDTARGET_H
