// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of .hetpkg (docs/spec/hetpkg.md). It borrows the bytes and is safe to use
// from many threads at once.
//
// Everything read is treated as hostile: bounds first, then the SHA-256, then
// zstd with caps. Opening checks the header, the section table and the kernel
// index; every other section is checked when it is used, each time it is used, but
// that the digest of a kernel page, which serves many kernels, is taken once.

#ifndef HET_PACKAGE_PACKAGE_H
#define HET_PACKAGE_PACKAGE_H

#include "het/Base/Hash.h"
#include "het/Base/Status.h"
#include "het/Package/KernelInfo.h"
#include "het/Package/PackageArtifacts.h"
#include "het/Package/PackageSections.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace het {

class Package {
public:
  /// Says whether a package may be used, by its section table and signatures alone.
  using Gate = std::function<Status(const PackageSections &)>;

  /// Opens the package that fills exactly these bytes. `origin` is the file (or
  /// "package embedded in FILE") that messages name. Nothing but the header and the
  /// section table is read before `gate`, if there is one, lets it pass.
  static Result<Package> open(ByteView bytes, std::string origin,
                              const Gate &gate = nullptr);

  /// The total size that the fixed header at this address states. At least
  /// headerSize() bytes must be readable there; the header is checked by its
  /// digest first, so the size can be trusted as far as the file can.
  static Result<uint64_t> sizeOf(const void *header);
  static size_t headerSize();

  /// Whether these bytes begin with the magic of a package.
  static bool hasMagic(ByteView bytes);

  uint32_t kernelCount() const { return kernelTotal; }

  /// One kernel, 0 … kernelCount()-1, in the order of the names.
  Result<KernelInfo> kernel(uint32_t index) const;

  /// All kernels, decoded. Costs time in proportion: launch paths use
  /// findKernel() and kernel().
  Result<std::vector<KernelInfo>> kernels() const;

  /// The index of the kernel with this (mangled) name. Unavailable if there is
  /// none.
  Result<uint32_t> findKernel(std::string_view name) const;

  /// The hetIR bytecode of a kernel: verified and decompressed.
  Result<Bytes> kernelCode(uint32_t index) const;

  /// The SHA-256 of the section that holds a kernel's hetIR, as stored: the
  /// kernel's part of a cache key.
  Result<Digest> codeDigest(uint32_t index) const;
  /// Likewise, of a kernel that this package gave.
  Digest codeDigest(const KernelInfo &kernel) const;

  uint32_t variableCount() const { return variableTotal; }

  /// All variables with their initial values. The order is that of
  /// KernelInfo::variables and Relocation::variable.
  Result<std::vector<VariableInfo>> variables() const;

  /// Every piece of debug information, as it was added.
  Result<std::vector<Bytes>> debugInfo() const;

  /// Whether it says that there is code lowered ahead of time.
  bool hasArtifacts() const { return sections.artifactIndex() != 0; }
  /// Lowerings whose artifacts the package has. Takes time in proportion to their number.
  Result<std::vector<PackageLowering>> lowerings() const;
  /// The bytes of one artifact, verified and decompressed.
  Result<Bytes> artifact(const ArtifactEntry &entry) const;

  std::string producer() const;
  uint64_t totalSize() const { return view().size; }
  uint16_t versionMajor() const;
  uint16_t versionMinor() const;
  const std::string &origin() const { return sections.origin(); }
  ByteView view() const { return sections.view(); }

  /// Checks and decodes every section. Only after this is each byte known to be
  /// what the writer wrote. `progress` is told of the bytes that are done.
  Status verify(const ProgressFunction &progress = nullptr) const;

  uint32_t sectionCount() const { return sections.count(); }
  PackageSections::Info section(uint32_t index) const { return sections.info(index); }
  const PackageSections &table() const { return sections; }

private:
  explicit Package(PackageSections sections) : sections(std::move(sections)) {}

  Status readIndex();
  Status checkLookup() const;

  Result<ByteView> page(uint32_t index) const;
  Result<ByteView> record(uint32_t kernel) const;
  Result<KernelInfo> decode(uint32_t kernel, ByteView record) const;

  Status readInitialValue(uint32_t section, VariableInfo &info) const;

  Status verifyLookup(const std::vector<KernelInfo> &all) const;

  PackageSections sections;
  uint32_t kernelTotal = 0;
  uint32_t firstPage = 0;       ///< The section of the first kernel page.
  uint32_t variableSection = 0; ///< The section of the variable list.
  uint32_t variableTotal = 0;
  /// By page: whether its digest was right. Shared by copies.
  std::shared_ptr<std::atomic<bool>[]> checkedPages;
  ByteView lookup;     ///< The table of name hashes in the kernel index.
  ByteView attributes; ///< Those of kernels that a record has no place for.
};

} // namespace het

#endif // HET_PACKAGE_PACKAGE_H
