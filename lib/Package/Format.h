// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixed parts of .hetpkg in numbers (docs/spec/hetpkg.md is the norm; the
// comments here only name its tables). Private to this library.

#ifndef HET_LIB_PACKAGE_FORMAT_H
#define HET_LIB_PACKAGE_FORMAT_H

#include "het/Base/Bytes.h"
#include "het/Base/Hash.h"

namespace het::format {

constexpr size_t magicSize = 8;
constexpr uint8_t magic[magicSize] = {0x89, 'H', 'E', 'T', 'P', 'K', 'G', '\n'};

constexpr uint16_t versionMajor = 1;
constexpr uint16_t versionMinor = 4;

// The header: magic, major, minor, header size, total size, section count,
// flags, producer, digest of the section table, digest of all before it.
constexpr size_t headerSize = 160;
constexpr size_t producerOffset = 32;
constexpr size_t producerSize = 64;
constexpr size_t tableDigestOffset = 96;
constexpr size_t headerDigestOffset = 128;

enum SectionType : uint32_t {
  KernelIndex = 1,
  KernelPage = 2,
  Variables = 3,
  KernelCode = 4,
  InitialValue = 5,
  DebugInfo = 6,
  Signatures = 7,
  ArtifactIndex = 8,
  Artifact = 9,
  RelocatablePart = 10,
  KernelAttributes = 11,
  LastType = KernelAttributes,
};

/// The minor version that brought a type: a package states the newest that it needs.
constexpr uint16_t minorVersionOf(uint32_t type) {
  if (type == KernelAttributes)
    return 4;
  if (type == RelocatablePart)
    return 3;
  if (type == Signatures)
    return 2;
  return type > DebugInfo ? 1 : 0;
}

enum SectionFlags : uint32_t {
  Ignorable = 1, ///< A reader that does not know the type may skip it.
  Zstd = 2,      ///< Stored as one zstd frame.
};

constexpr size_t sectionEntrySize = 64;

/// One entry of the section table.
struct Section {
  uint32_t type = 0;
  uint32_t flags = 0;
  uint64_t offset = 0;
  uint64_t storedSize = 0;
  uint64_t rawSize = 0;
  Digest digest{};

  bool compressed() const { return flags & Zstd; }
  bool ignorable() const { return flags & Ignorable; }
};

// Limits: what a reader refuses and a writer must not exceed.
constexpr uint32_t maxSections = 1u << 20;
constexpr uint64_t maxRawSize = uint64_t(1) << 30;
constexpr uint64_t freeRawSize = uint64_t(1) << 16; ///< No ratio up to this.
constexpr uint64_t maxRatio = 1024;
constexpr uint32_t maxArgumentBytes = 1u << 16;
constexpr uint32_t maxAlignment = 1u << 16;
constexpr uint64_t maxVariableSize = uint64_t(1) << 48;
constexpr uint32_t maxNameSize = 1u << 16;
constexpr uint32_t maxEqualHashes = 8;

// The signatures: u32 version, u32 count, and room for this many, each a public key and
// its signature. The section has always the same size.
constexpr uint32_t signaturesVersion = 1;
constexpr uint32_t maxSignatures = 8;
constexpr size_t signatureSize = 32 + 64;
constexpr size_t signaturesSize = 8 + maxSignatures * signatureSize;

constexpr uint32_t kernelsPerPage = 32;
constexpr uint32_t noSection = 0xffffffff;

// The kernel index: four u32, then one lookup entry (u64 hash, u32 kernel) for
// each kernel.
constexpr size_t indexHeaderSize = 16;
constexpr size_t lookupEntrySize = 12;

// The artifact index: u32 version, then the lowerings; each entry of one is u32 kernel,
// u32 section, digest of hetIR.
constexpr uint32_t artifactIndexVersion = 1;
constexpr size_t artifactEntrySize = 40;

// One attribute of a kernel: u32 kernel, u32 attribute, u32 value.
constexpr size_t kernelAttributeSize = 12;
constexpr uint32_t maxArchitecture = 0xffff;

constexpr uint32_t relocatableVersion = 1;
constexpr uint32_t maxIdSize = 64;

/// Whether a section of these sizes keeps to the limits on expansion.
constexpr bool allowedExpansion(uint64_t stored, uint64_t raw) {
  return raw <= maxRawSize && (raw <= freeRawSize || raw / maxRatio <= stored);
}

/// FNV-1a, 64 bits: the hash of kernel names in the index.
inline uint64_t hashName(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char byte : name)
    hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

} // namespace het::format

#endif // HET_LIB_PACKAGE_FORMAT_H
