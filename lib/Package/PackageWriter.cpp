// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of .hetpkg. Sections stand in this order: kernel index, variables,
// kernel pages, hetIR by the digest of its bytecode, initial values by
// variable, debug information, relocatable code, attributes of kernels, artifacts' index,
// artifacts, room for signatures. Nothing stands between them.

#include "het/Package/PackageWriter.h"

#include "Compression.h"
#include "Records.h"
#include "Sections.h"
#include "Text.h"
#include "het/Package/Signatures.h"

#include <algorithm>
#include <set>

using namespace het;
using namespace het::format;

namespace {

/// Collects sections and lays out the file around them.
class Layout {
public:
  uint32_t add(SectionType type, uint32_t flags, uint64_t rawSize, Bytes stored) {
    Section section;
    section.type = type;
    section.flags = flags;
    section.storedSize = stored.size();
    section.rawSize = rawSize;
    section.digest = sha256(stored);
    sections.push_back(section);
    contents.push_back(std::move(stored));
    return static_cast<uint32_t>(sections.size() - 1);
  }

  /// Adds contents, compressed where that pays.
  uint32_t addPacked(SectionType type, uint32_t flags, ByteView raw,
                     Compressor &compressor) {
    if (std::optional<Bytes> packed = compressor.compress(raw))
      return add(type, flags | Zstd, raw.size, std::move(*packed));
    return add(type, flags, raw.size, raw.copy());
  }

  /// Puts the contents of a section in that was added before they were known.
  void fill(uint32_t index, Bytes stored) {
    sections[index].storedSize = sections[index].rawSize = stored.size();
    sections[index].digest = sha256(stored);
    contents[index] = std::move(stored);
  }

  uint32_t count() const { return static_cast<uint32_t>(sections.size()); }
  const Digest &digest(uint32_t index) const { return sections[index].digest; }

  /// The minor version is the least that has all of these types, so that the same
  /// contents stay the same bytes.
  Bytes finish(const std::string &producer) {
    FileKind kind = packageKind;
    kind.minor = 0;
    for (const Section &section : sections)
      kind.minor = std::max(kind.minor, minorVersionOf(section.type));
    ByteWriter file;
    file.bytes(writeHeaderAndTable(kind, producer, sections));
    for (Bytes &one : contents)
      file.bytes(one);
    return file.take();
  }

private:
  std::vector<Section> sections;
  std::vector<Bytes> contents;
};

} // namespace

PackageWriter::PackageWriter(std::string name)
    : producer(headerProducer(std::move(name))),
      compressor(std::make_unique<Compressor>()) {}

PackageWriter::PackageWriter(PackageWriter &&) noexcept = default;
PackageWriter &PackageWriter::operator=(PackageWriter &&) noexcept = default;
PackageWriter::~PackageWriter() = default;

/// A status of the rules in Records.h, made complete for the caller.
static Status refused(const Status &problem) {
  return invalid(problem.message + "; it cannot be put into a package");
}

Result<uint32_t> PackageWriter::addVariable(VariableInfo variable) {
  if (Status status = checkVariable(variable); !status.ok())
    return refused(status);
  if (!variable.initial.empty() && variable.initial.size() != variable.size)
    return refused(invalid(
        "variable " + quoted(variable.name) + ", initial value: found " +
        bytesText(variable.initial.size()) + ", expected " + bytesText(variable.size)));
  if (variable.initial.size() > maxRawSize)
    return refused(invalid("variable " + quoted(variable.name) +
                           ", initial value: found " +
                           bytesText(variable.initial.size()) + ", expected at most " +
                           bytesText(maxRawSize)));
  if (!variable.relocations.empty() && variable.initial.empty())
    return refused(invalid("variable " + quoted(variable.name) +
                           ": found relocations without an initial value, "
                           "expected one"));
  variables.push_back(std::move(variable));
  return static_cast<uint32_t>(variables.size() - 1);
}

Status PackageWriter::addKernel(KernelInfo info, ByteView bytecode) {
  if (Status status = checkKernel(info); !status.ok())
    return refused(status);
  std::string what = "kernel " + quoted(info.name);
  if (bytecode.empty() || bytecode.size > maxRawSize)
    return refused(invalid(what + ", hetIR: found " + bytesText(bytecode.size) +
                           ", expected 1 to " + bytesText(maxRawSize)));
  Digest digest = sha256(bytecode);
  std::string name = info.name;
  if (!kernels.try_emplace(name, Kernel{std::move(info), digest}).second)
    return refused(invalid(what + ": found twice, expected once"));
  auto [place, isNew] = code.try_emplace(digest);
  if (isNew)
    place->second = pack(bytecode);
  return Status::success();
}

PackageWriter::Blob PackageWriter::pack(ByteView contents) {
  std::optional<Bytes> packed = compressor->compress(contents);
  const bool isCompressed = packed.has_value();
  return {isCompressed ? std::move(*packed) : contents.copy(), contents.size,
          isCompressed};
}

Status PackageWriter::addArtifact(const ArtifactKind &kind, const std::string &kernel,
                                  ByteView artifact) {
  if (Status status = checkArtifactKind(kind); !status.ok())
    return refused(status);
  if (artifact.empty() || artifact.size > maxRawSize)
    return refused(invalid("artifact of kernel " + quoted(kernel) + ": found " +
                           bytesText(artifact.size) + ", expected 1 to " +
                           bytesText(maxRawSize)));
  artifacts[kind].insert_or_assign(kernel, pack(artifact));
  return Status::success();
}

void PackageWriter::addDebugInfo(ByteView contents) {
  debugInfo.push_back(contents.copy());
}

void PackageWriter::setRelocatableCode(const RelocatableCode &code) {
  relocatable = writeRelocatableCode(code);
}

Status PackageWriter::checkReferences() const {
  std::set<std::string_view> names;
  auto missing = [&](const std::string &what, uint32_t variable) {
    return refused(invalid(what + ": found variable " + std::to_string(variable) +
                           ", expected less than " + std::to_string(variables.size())));
  };
  for (const VariableInfo &variable : variables) {
    if (variable.external && !names.insert(variable.name).second)
      return refused(
          invalid("variable " + quoted(variable.name) + ": found twice, expected once"));
    for (const Relocation &relocation : variable.relocations)
      if (relocation.variable >= variables.size())
        return missing("variable " + quoted(variable.name) + ", relocation",
                       relocation.variable);
  }
  for (const auto &[name, kernel] : kernels)
    for (uint32_t variable : kernel.info.variables)
      if (variable >= variables.size())
        return missing("kernel " + quoted(name), variable);
  return Status::success();
}

Status PackageWriter::checkArtifacts() const {
  for (const auto &[kind, ofKind] : artifacts)
    for (const auto &[name, blob] : ofKind)
      if (!kernels.count(name))
        return refused(invalid("artifact for " + kind.text() + ": found kernel " +
                               quoted(name) + ", expected one of the package's"));
  return Status::success();
}

static Bytes indexSection(const std::vector<std::string_view> &names, uint32_t firstPage,
                          uint32_t variableSection, size_t variableCount) {
  std::vector<std::pair<uint64_t, uint32_t>> lookup;
  for (uint32_t i = 0; i < names.size(); ++i)
    lookup.emplace_back(hashName(names[i]), i);
  std::sort(lookup.begin(), lookup.end());
  ByteWriter index;
  index.u32(static_cast<uint32_t>(names.size()));
  index.u32(names.empty() ? 0 : firstPage);
  index.u32(variableSection);
  index.u32(static_cast<uint32_t>(variableCount));
  for (auto [hash, kernel] : lookup) {
    index.u64(hash);
    index.u32(kernel);
  }
  return index.take();
}

/// One kernel page: where each record ends, then the records.
static Bytes pageSection(const std::vector<Bytes> &records) {
  ByteWriter page;
  size_t end = 4 * records.size();
  for (const Bytes &record : records)
    page.u32(static_cast<uint32_t>(end += record.size()));
  for (const Bytes &record : records)
    page.bytes(record);
  return page.take();
}

/// The index and the artifacts, if there are any. `names` are those of the kernels, by
/// their numbers; `codeOf` gives the digest of a kernel's hetIR.
template <typename Artifacts, typename CodeOf>
static void addArtifacts(Layout &layout, Artifacts &artifacts,
                         const std::vector<std::string_view> &names, CodeOf codeOf) {
  if (artifacts.empty())
    return;
  const uint32_t index = layout.add(ArtifactIndex, Ignorable, 0, {});
  std::vector<PackageLowering> lowerings;
  for (auto &[kind, ofKind] : artifacts) {
    lowerings.push_back({kind, {}});
    for (auto &[name, blob] : ofKind) {
      const auto number = std::lower_bound(names.begin(), names.end(), name);
      const uint32_t section = layout.add(
          Artifact, Ignorable | (blob.compressed ? Zstd : 0), blob.rawSize, blob.stored);
      lowerings.back().entries.push_back(
          {static_cast<uint32_t>(number - names.begin()), section, codeOf(name)});
    }
  }
  ByteWriter records;
  writeArtifactIndex(records, lowerings);
  layout.fill(index, records.take());
}

static void addKernelAttributes(Layout &layout,
                                const std::vector<const KernelInfo *> &kernels) {
  Bytes table = writeKernelAttributes(kernels);
  const size_t size = table.size();
  if (size)
    layout.add(KernelAttributes, Ignorable, size, std::move(table));
}

Result<Bytes> PackageWriter::finish() {
  for (const Status &status : {checkReferences(), checkArtifacts()})
    if (!status.ok())
      return status;
  Layout layout;
  layout.add(KernelIndex, 0, 0, {});
  uint32_t variableSection = layout.add(Variables, 0, 0, {});
  uint32_t firstPage = layout.count();
  for (size_t i = 0; i < kernels.size(); i += kernelsPerPage)
    layout.add(KernelPage, 0, 0, {});

  std::map<Digest, uint32_t> codeSections;
  for (auto &[digest, blob] : code)
    codeSections[digest] =
        layout.add(KernelCode, blob.compressed ? Zstd : 0, blob.rawSize, blob.stored);

  std::vector<std::string_view> names;
  std::vector<const KernelInfo *> infos;
  std::vector<Bytes> records;
  uint32_t page = firstPage;
  for (auto &[name, kernel] : kernels) {
    kernel.info.section = codeSections[kernel.code];
    names.push_back(name);
    infos.push_back(&kernel.info);
    ByteWriter record;
    writeKernel(record, kernel.info);
    records.push_back(record.take());
    if (records.size() == kernelsPerPage || names.size() == kernels.size()) {
      layout.fill(page++, pageSection(records));
      records.clear();
    }
  }
  layout.fill(0, indexSection(names, firstPage, variableSection, variables.size()));

  ByteWriter list;
  list.u32(static_cast<uint32_t>(variables.size()));
  for (const VariableInfo &variable : variables) {
    uint32_t initial = noSection;
    if (!variable.initial.empty())
      initial = layout.addPacked(InitialValue, 0, variable.initial, *compressor);
    writeVariable(list, variable, initial);
  }
  layout.fill(variableSection, list.take());
  for (const Bytes &one : debugInfo)
    layout.addPacked(DebugInfo, Ignorable, one, *compressor);
  if (!relocatable.empty())
    layout.addPacked(RelocatablePart, Ignorable, relocatable, *compressor);
  addKernelAttributes(layout, infos);
  addArtifacts(layout, artifacts, names, [&](const std::string &name) {
    return layout.digest(kernels.at(name).info.section);
  });
  if (hasSignatures)
    layout.add(Signatures, Ignorable, signaturesSize, writeSignatures({}));
  if (layout.count() > maxSections)
    return refused(invalid("sections: found " + std::to_string(layout.count()) +
                           ", expected at most " + std::to_string(maxSections)));
  return layout.finish(producer);
}
