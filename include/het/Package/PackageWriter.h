// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of .hetpkg (docs/spec/hetpkg.md). The output depends on what was
// added and nothing else: no time, no path, no order of addition of kernels.

#ifndef HET_PACKAGE_PACKAGEWRITER_H
#define HET_PACKAGE_PACKAGEWRITER_H

#include "het/Base/Hash.h"
#include "het/Base/Status.h"
#include "het/Package/KernelInfo.h"
#include "het/Package/PackageArtifacts.h"
#include "het/Package/RelocatableCode.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace het {

class Compressor;

class PackageWriter {
public:
  /// `producer` names the writing program and its version; at most 63 bytes of
  /// printable ASCII, longer ones are cut.
  explicit PackageWriter(std::string producer);
  PackageWriter(PackageWriter &&) noexcept;
  PackageWriter &operator=(PackageWriter &&) noexcept;
  ~PackageWriter();

  /// Adds a variable and returns its index. Relocations may name variables that
  /// are added later; finish() checks them.
  Result<uint32_t> addVariable(VariableInfo variable);

  /// Adds a kernel with its hetIR bytecode. Kernels with identical code share a
  /// section. A second kernel of the same name is an error.
  Status addKernel(KernelInfo info, ByteView code);

  /// Adds debug information (opaque to this library), in a section of its own.
  /// Readers may skip it.
  void addDebugInfo(ByteView contents);

  /// Sets what the device link takes of a file that was compiled by itself.
  void setRelocatableCode(const RelocatableCode &code);

  /// Adds a kernel's code that was lowered ahead of time, in place of an earlier one of
  /// that kind. finish() checks that the kernel is there.
  Status addArtifact(const ArtifactKind &kind, const std::string &kernel,
                     ByteView artifact);

  /// Keeps room for signatures, so that the package can be signed where it is a part of
  /// another file.
  void reserveSignatures() { hasSignatures = true; }

  /// The package. Fails if something added refers to what is not there.
  Result<Bytes> finish();

private:
  struct Kernel {
    KernelInfo info;
    Digest code; ///< The SHA-256 of the bytecode as it was added.
  };
  struct Blob {
    Bytes stored;
    uint64_t rawSize = 0;
    bool compressed = false;
  };

  Blob pack(ByteView contents);
  Status checkReferences() const;
  Status checkArtifacts() const;

  std::string producer;
  std::unique_ptr<Compressor> compressor;
  std::vector<VariableInfo> variables;
  std::map<std::string, Kernel> kernels; ///< By name: the order of the file.
  std::map<Digest, Blob> code;           ///< By the digest of the bytecode.
  std::vector<Bytes> debugInfo;
  Bytes relocatable; ///< The record; empty: there is none.
  std::map<ArtifactKind, std::map<std::string, Blob>> artifacts; ///< By kernels' names.
  bool hasSignatures = false;
};

} // namespace het

#endif // HET_PACKAGE_PACKAGEWRITER_H
