// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file named on the command line and the packages in it.

#ifndef HET_TOOLS_HETPKG_INPUT_H
#define HET_TOOLS_HETPKG_INPUT_H

#include "het/Package/Package.h"
#include "het/Package/RelocatableCode.h"

#include <memory>
#include <optional>

namespace het {

/// One package of an input, verified and decoded.
struct InputPackage {
  Package package;
  uint64_t offset; ///< Where it stands in the file; 0 for a .hetpkg.
  std::vector<KernelInfo> kernels;
  std::vector<VariableInfo> variables;
  std::vector<PackageLowering> lowerings;
  std::optional<RelocatableCode> relocatable;
  bool isBeside = false; ///< In a file of its own, which the input refers to.
};

/// One file: a package, or a program, object or library with packages inside or
/// beside it. Owns the bytes that its packages borrow.
struct Input {
  std::string path;
  bool embedded = false;
  std::vector<InputPackage> packages;
  std::vector<std::unique_ptr<const Bytes>> storage;

  /// Keeps the bytes as long as this lives, wherever it is moved.
  ByteView keep(Bytes bytes) {
    storage.push_back(std::make_unique<const Bytes>(std::move(bytes)));
    return *storage.back();
  }
};

/// Reads a file, finds its packages and verifies each of them wholly. Nothing of a
/// package is decompressed or parsed before `gate`, if there is one, lets it pass.
Result<Input> loadInput(const std::string &path, const Package::Gate &gate = nullptr);

/// All files, or the first failure.
Result<std::vector<Input>> loadInputs(const std::vector<std::string> &paths);

} // namespace het

#endif // HET_TOOLS_HETPKG_INPUT_H
