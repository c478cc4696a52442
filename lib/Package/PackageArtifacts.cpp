// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The artifact index: its bytes, and what makes it valid.

#include "het/Package/PackageArtifacts.h"

#include "Format.h"
#include "Records.h"
#include "Text.h"
#include "het/Package/Package.h"

#include <algorithm>

using namespace het;
using namespace het::format;

const ArtifactEntry *PackageLowering::find(uint32_t kernel) const {
  auto place = std::lower_bound(
      entries.begin(), entries.end(), kernel,
      [](const ArtifactEntry &entry, uint32_t number) { return entry.kernel < number; });
  return place != entries.end() && place->kernel == kernel ? &*place : nullptr;
}

Status het::checkArtifactKind(const ArtifactKind &kind) {
  for (const std::string *text : {&kind.target, &kind.arch, &kind.version})
    if (Status status = checkName("artifacts, what they are for", *text); !status.ok())
      return status;
  return kind.options.empty() ? Status::success()
                              : checkName("artifacts, options", kind.options);
}

void het::writeArtifactIndex(ByteWriter &writer,
                             const std::vector<PackageLowering> &lowerings) {
  writer.u32(artifactIndexVersion);
  writer.u32(static_cast<uint32_t>(lowerings.size()));
  for (const PackageLowering &lowering : lowerings) {
    for (const std::string *text : {&lowering.kind.target, &lowering.kind.arch,
                                    &lowering.kind.options, &lowering.kind.version})
      writer.string(*text);
    writer.u32(static_cast<uint32_t>(lowering.entries.size()));
    for (const ArtifactEntry &entry : lowering.entries) {
      writer.u32(entry.kernel);
      writer.u32(entry.section);
      writer.bytes({entry.code.data(), entry.code.size()});
    }
  }
}

static PackageLowering readLowering(ByteReader &reader) {
  PackageLowering lowering;
  for (std::string *text : {&lowering.kind.target, &lowering.kind.arch,
                            &lowering.kind.options, &lowering.kind.version})
    *text = reader.string();
  lowering.entries.resize(reader.count(artifactEntrySize));
  for (ArtifactEntry &entry : lowering.entries) {
    entry.kernel = reader.u32();
    entry.section = reader.u32();
    ByteView digest = reader.bytes(entry.code.size());
    std::copy(digest.begin(), digest.end(), entry.code.begin());
  }
  return lowering;
}

namespace {

/// Decodes the index, whose order bounds what is decoded by the file's size: kinds,
/// kernels of a kind and sections ascend.
class IndexReader {
public:
  IndexReader(const PackageSections &sections, uint32_t kernels)
      : sections(sections), kernels(kernels) {}

  Result<std::vector<PackageLowering>> read(ByteView index) {
    ByteReader reader(index);
    if (uint32_t version = reader.u32(); version != artifactIndexVersion)
      return unsupported(
          foundExpected("artifact index: version", std::to_string(version),
                        std::to_string(artifactIndexVersion),
                        "use a hetcc at least as new as the one that precompiled it"),
          sections.origin());
    std::vector<PackageLowering> all;
    for (uint32_t count = reader.count(leastLowering); count > 0; --count) {
      all.push_back(readLowering(reader));
      if (reader.failed())
        break;
      if (Status status = check(all.back()); !status.ok())
        return status;
      if (all.size() > 1 && !(all[all.size() - 2].kind < all.back().kind))
        return damaged("found " + quoted(all.back().kind.text()) +
                       " out of order, expected rising kinds");
    }
    if (!reader.finished())
      return damaged("size: found " + bytesText(index.size) +
                     " that do not form its records");
    return all;
  }

private:
  static constexpr size_t leastLowering = 5 * 4;

  Status damaged(const std::string &what) const {
    return sections.damaged(sections.artifactIndex(), what);
  }

  Status check(const PackageLowering &lowering) {
    if (Status status = checkArtifactKind(lowering.kind); !status.ok())
      return damaged(status.message);
    uint64_t nextKernel = 0;
    for (const ArtifactEntry &entry : lowering.entries) {
      if (entry.kernel < nextKernel || entry.kernel >= kernels)
        return damaged("found kernel " + std::to_string(entry.kernel) +
                       " out of order or range, expected rising numbers less than " +
                       std::to_string(kernels));
      nextKernel = uint64_t(entry.kernel) + 1;
      if (entry.section < nextSection || entry.section >= sections.count() ||
          sections.entry(entry.section).type != Artifact)
        return damaged("found section " + std::to_string(entry.section) +
                       ", expected rising numbers of artifacts");
      nextSection = uint64_t(entry.section) + 1;
    }
    return Status::success();
  }

  const PackageSections &sections;
  const uint32_t kernels;
  uint64_t nextSection = 0;
};

} // namespace

Result<std::vector<PackageLowering>> Package::lowerings() const {
  if (!hasArtifacts())
    return std::vector<PackageLowering>();
  Result<Bytes> index = sections.contents(sections.artifactIndex(), ArtifactIndex);
  if (!index.ok())
    return index.status();
  return IndexReader(sections, kernelTotal).read(*index);
}

Result<Bytes> Package::artifact(const ArtifactEntry &entry) const {
  return sections.contents(entry.section, Artifact);
}

Status het::verifyArtifacts(const Package &package, const std::vector<KernelInfo> &all) {
  Result<std::vector<PackageLowering>> lowerings = package.lowerings();
  if (!lowerings.ok())
    return lowerings.status();
  for (const PackageLowering &lowering : *lowerings)
    for (const ArtifactEntry &entry : lowering.entries)
      if (entry.code != package.codeDigest(all[entry.kernel]))
        return invalid(
            foundExpected("section " + std::to_string(entry.section) +
                              " (artifact): kernel " + quoted(all[entry.kernel].name) +
                              " for " + quoted(lowering.kind.text()),
                          "code of other hetIR", "the kernel's", remedyDamaged),
            package.origin());
  return Status::success();
}
