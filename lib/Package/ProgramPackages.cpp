// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections of ELF programs that hold packages. Only the table of sections is changed, at
// the file's end; segments, and so all that is loaded, stay where they are.

#include "het/Package/ProgramPackages.h"

#include "FileParts.h"
#include "Format.h"
#include "Text.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <optional>

using namespace het;

// The record: magic, u32 version, the package's header digest.
static constexpr uint32_t recordVersion = 1;
static constexpr size_t recordSize = 8 + 4 + 32;
static constexpr std::string_view sectionName = ".hetpkg";
static constexpr size_t maxHeaders = 0xff00; ///< ELF's own, without extensions.
static constexpr uint64_t maxNames = uint64_t(1) << 24;

bool het::hasSectionReferenceMagic(ByteView bytes) {
  return bytes.size >= sectionReferenceMagic.size() &&
         std::memcmp(bytes.data, sectionReferenceMagic.data(),
                     sectionReferenceMagic.size()) == 0;
}

static Bytes recordFor(ByteView package) {
  ByteWriter record;
  record.bytes(ByteView(sectionReferenceMagic));
  record.u32(recordVersion);
  record.bytes(*package.slice(format::headerDigestOffset, 32));
  return record.take();
}

void het::replaceSectionReferences(Bytes &program, ByteView before, ByteView after) {
  const Bytes is = recordFor(before), willBe = recordFor(after);
  for (auto place = program.begin();
       (place = std::search(place, program.end(), is.begin(), is.end())) !=
       program.end();)
    place = std::copy(willBe.begin(), willBe.end(), place);
}

namespace {

/// The sections of an ELF file and their names.
class SectionTable {
public:
  static Result<SectionTable> read(const FileParts &file, const std::string &origin);

  std::string_view nameOf(const Elf64_Shdr &section) const {
    return section.sh_name < names.size() ? names.c_str() + section.sh_name : "";
  }
  bool holdsPackage(const Elf64_Shdr &section) const {
    return section.sh_type == SHT_PROGBITS && nameOf(section) == sectionName;
  }

  Elf64_Ehdr header = {};
  std::vector<Elf64_Shdr> sections;
  std::string names;
};

} // namespace

static Status refuse(const std::string &found, const std::string &origin) {
  return invalid(foundExpected("program", found,
                               "an ELF program or shared library of 64 bits with its "
                               "table of sections",
                               "name the program, not what it is linked from or a part "
                               "of it"),
                 origin);
}

Result<SectionTable> SectionTable::read(const FileParts &file,
                                        const std::string &origin) {
  SectionTable table;
  Bytes storage;
  Result<ByteView> part =
      file.read(0, std::min<uint64_t>(sizeof(Elf64_Ehdr), file.size()), storage);
  if (!part.ok())
    return part.status();
  if (part->size < sizeof(Elf64_Ehdr))
    return refuse("no ELF file", origin);
  Elf64_Ehdr &header = table.header;
  std::memcpy(&header, part->data, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
    return refuse("no ELF file of 64 bits", origin);
  if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
    return refuse("an object", origin);
  if (!header.e_shnum || header.e_shnum >= maxHeaders ||
      header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum)
    return refuse("no table of sections", origin);
  part = file.read(header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr), storage);
  if (!part.ok())
    return part.status();
  table.sections.resize(header.e_shnum);
  std::memcpy(table.sections.data(), part->data, part->size);
  const Elf64_Shdr &names = table.sections[header.e_shstrndx];
  if (names.sh_size > maxNames)
    return refuse("a damaged table of sections", origin);
  part = file.read(names.sh_offset, names.sh_size, storage);
  if (!part.ok())
    return part.status();
  table.names = std::string(part->text());
  return table;
}

//===----------------------------------------------------------------------===//
// Exchanging packages
//===----------------------------------------------------------------------===//

namespace {

/// A program while its packages are exchanged. First the packages are taken out of the
/// old file, then those and the tables are written behind what is left of it.
class ProgramWriter {
public:
  ProgramWriter(ByteView program, SectionTable table)
      : old(program), table(std::move(table)), file(program.copy()),
        contents(this->table.sections.size()) {}

  /// Fails for a package without room for a record.
  Status exchange(const PackageExchange &one);
  Bytes finish();

private:
  void put(uint64_t offset, ByteView bytes) {
    std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<ptrdiff_t>(offset));
  }
  void erase(uint64_t offset, uint64_t count) {
    std::fill_n(file.begin() + static_cast<ptrdiff_t>(offset), count, 0);
  }
  uint64_t findTail() const;
  uint64_t append(ByteView bytes, size_t alignment);
  void addSection(ByteView package);

  const ByteView old;
  SectionTable table;
  Bytes file;
  /// By section: the new package in it, where there is one.
  std::vector<std::optional<ByteView>> contents;
};

} // namespace

void ProgramWriter::addSection(ByteView package) {
  size_t name = table.names.find(std::string(1, '\0') + std::string(sectionName) + '\0');
  if (name == std::string::npos) {
    name = table.names.size();
    table.names += std::string(sectionName) + '\0';
  } else {
    ++name;
  }
  Elf64_Shdr section = {};
  section.sh_name = static_cast<Elf64_Word>(name);
  section.sh_type = SHT_PROGBITS;
  section.sh_addralign = 16;
  table.sections.push_back(section);
  contents.emplace_back(package);
}

Status ProgramWriter::exchange(const PackageExchange &one) {
  for (size_t i = 0; i < table.sections.size(); ++i)
    if (table.holdsPackage(table.sections[i]) && !contents[i] &&
        table.sections[i].sh_offset == one.offset &&
        table.sections[i].sh_size == one.before.size) {
      replaceSectionReferences(file, one.before, one.package);
      contents[i] = one.package;
      return Status::success();
    }
  if (one.before.size < recordSize)
    return invalid("package: found no room for a record");
  erase(one.offset, one.before.size);
  put(one.offset, recordFor(one.package));
  addSection(one.package);
  return Status::success();
}

/// Where the sections of packages begin that are the file's end already, with nothing
/// behind them but the tables; else the file's end.
uint64_t ProgramWriter::findTail() const {
  uint64_t tail = old.size, others = 0;
  for (size_t i = 0; i < table.header.e_shnum; ++i) {
    const Elf64_Shdr &section = table.sections[i];
    if (table.holdsPackage(section) && contents[i])
      tail = std::min<uint64_t>(tail, section.sh_offset);
    else if (section.sh_type != SHT_NOBITS && i != table.header.e_shstrndx)
      others = std::max<uint64_t>(others, section.sh_offset + section.sh_size);
  }
  for (size_t i = 0; i < table.header.e_phnum; ++i) {
    Elf64_Phdr segment;
    const std::optional<ByteView> bytes =
        old.slice(table.header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (!bytes)
      return old.size;
    std::memcpy(&segment, bytes->data, sizeof(segment));
    others = std::max<uint64_t>(others, segment.p_offset + segment.p_filesz);
  }
  return others <= tail ? tail : old.size;
}

uint64_t ProgramWriter::append(ByteView bytes, size_t alignment) {
  file.resize((file.size() + alignment - 1) / alignment * alignment);
  const uint64_t offset = file.size();
  file.insert(file.end(), bytes.begin(), bytes.end());
  return offset;
}

Bytes ProgramWriter::finish() {
  for (size_t i = 0; i < table.header.e_shnum; ++i)
    if (contents[i]) // what may stay behind is no package any more
      erase(table.sections[i].sh_offset, table.sections[i].sh_size);
  file.resize(findTail());
  for (size_t i = 0; i < table.sections.size(); ++i)
    if (contents[i]) {
      table.sections[i].sh_offset = append(*contents[i], 16);
      table.sections[i].sh_size = contents[i]->size;
    }
  Elf64_Shdr &names = table.sections[table.header.e_shstrndx];
  names.sh_offset = append(ByteView(std::string_view(table.names)), 1);
  names.sh_size = table.names.size();
  table.header.e_shoff = append({reinterpret_cast<const uint8_t *>(table.sections.data()),
                                 table.sections.size() * sizeof(Elf64_Shdr)},
                                8);
  table.header.e_shnum = static_cast<Elf64_Half>(table.sections.size());
  put(0, {reinterpret_cast<const uint8_t *>(&table.header), sizeof(table.header)});
  return std::move(file);
}

Result<Bytes> het::exchangePackages(ByteView program,
                                    const std::vector<PackageExchange> &exchanges,
                                    const std::string &origin) {
  Result<SectionTable> table = SectionTable::read(FileParts(program), origin);
  if (!table.ok())
    return table.status().from(origin);
  if (table->sections.size() + exchanges.size() >= maxHeaders)
    return refuse("too many sections", origin);
  for (const Elf64_Shdr &section : table->sections)
    if (section.sh_type != SHT_NOBITS &&
        !program.slice(section.sh_offset, section.sh_size))
      return refuse("a damaged table of sections", origin);
  ProgramWriter writer(program, table.take());
  for (const PackageExchange &one : exchanges)
    if (Status status = writer.exchange(one); !status.ok())
      return std::move(status).from(origin);
  return writer.finish();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Result<Bytes> het::readReferencedPackage(const void *record, const std::string &path) {
  ByteReader reader({static_cast<const uint8_t *>(record), recordSize});
  reader.bytes(sectionReferenceMagic.size());
  if (uint32_t version = reader.u32(); version != recordVersion)
    return unsupported(foundExpected("section reference, version",
                                     std::to_string(version),
                                     std::to_string(recordVersion),
                                     "use a runtime at least as new as the hetpkg that "
                                     "precompiled the program"),
                       path);
  const ByteView digest = reader.bytes(32);
  Result<std::shared_ptr<FileParts>> file = FileParts::open(path);
  if (!file.ok())
    return file.status();
  Result<SectionTable> table = SectionTable::read(**file, path);
  if (!table.ok())
    return table.status().from(path);
  Bytes storage;
  for (const Elf64_Shdr &section : table->sections) {
    if (!table->holdsPackage(section) || section.sh_size < format::headerSize)
      continue;
    Result<ByteView> head = (*file)->read(section.sh_offset, format::headerSize, storage);
    if (!head.ok())
      return head.status();
    if (!sameBytes(*head->slice(format::headerDigestOffset, 32), digest))
      continue;
    Result<ByteView> whole = (*file)->read(section.sh_offset, section.sh_size, storage);
    if (!whole.ok())
      return whole.status();
    return storage;
  }
  return unavailable("package: found no section " + std::string(sectionName) +
                         " with it in the file, expected the one that hetpkg precompile "
                         "made; copy the program, and strip it only before it is "
                         "precompiled",
                     path);
}
