// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copying packages into a new one.

#ifndef HET_TOOLS_HETPKG_MERGER_H
#define HET_TOOLS_HETPKG_MERGER_H

#include "Input.h"
#include "het/Package/PackageWriter.h"

#include <functional>
#include <map>

namespace het {

/// Adds packages to one. A variable belongs to the file that was compiled with it: two
/// files that each have their own `counter` mean two variables. A package has one
/// variable for each name that the host knows, so such files cannot be merged; nor can
/// kernels of one name unless they are the same to the bit and touch no variables.
class Merger {
public:
  /// Which artifacts to take along.
  using Filter = std::function<bool(const ArtifactKind &)>;

  explicit Merger(std::string producer) : writer(std::move(producer)) {}

  /// The input must outlive this.
  Status add(const InputPackage &input, const Filter &keeps);
  /// For what is to be in the package beside.
  PackageWriter &target() { return writer; }
  Result<Bytes> finish() { return writer.finish(); }

private:
  struct Seen {
    std::string origin;
    const InputPackage *input;
    uint32_t kernel;
  };

  Status addVariables(const InputPackage &input);
  Status addKernel(const InputPackage &input, uint32_t index);
  Status addArtifacts(const InputPackage &input, const Filter &keeps);
  Status checkDuplicate(const Seen &before, const InputPackage &input,
                        uint32_t index) const;

  PackageWriter writer;
  uint32_t variableBase = 0; ///< Start of the current input's indices.
  std::map<std::string, std::string> variableOrigins;
  std::map<std::string, Seen> kernels;
};

} // namespace het

#endif // HET_TOOLS_HETPKG_MERGER_H
