// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes ELF around an image: header, one segment, the contents of the sections one after
// another, the sections' table.

#include "ImageFile.h"
#include "../../Support/Lowering/PluginTable.h"
#include "../TensixABI.h"
#include "llvm/Object/ELFTypes.h"

using namespace llvm;

namespace het::tensix {
namespace {

using File = object::ELF32LE;

/// The parts of an artifact, whose sizes have been checked.
struct Parts {
  HetTensixArtifact header;
  ArrayRef<uint8_t> image, constants;
};

Expected<Parts> takeApart(ArrayRef<uint8_t> artifact) {
  auto split = target::splitArtifact<HetTensixArtifact>(artifact, HET_TENSIX_MAGIC);
  if (!split)
    return split.takeError();
  auto [header, rest] = *split;
  const uint64_t texts = uint64_t(header.nameBytes) + header.reasonBytes;
  if (texts > rest.size() || header.imageBytes > rest.size() - texts ||
      header.constantsBytes != rest.size() - texts - header.imageBytes ||
      header.imageBytes > header.memoryBytes)
    return make_error<target::InvalidRequest>("artifact: its sizes do not agree");
  rest = rest.drop_front(texts);
  return Parts{header, rest.take_front(header.imageBytes),
               rest.drop_front(header.imageBytes)};
}

template <typename T> void append(target::Artifact &file, const T &part) {
  auto *begin = reinterpret_cast<const char *>(&part);
  file.append(begin, begin + sizeof(T));
}

/// Sections and their names, for a file whose contents begin behind header and segment.
class Sections {
public:
  void add(StringRef name, uint32_t type, uint32_t flags, uint32_t address,
           uint64_t bytes) {
    File::Shdr section = {};
    section.sh_name = names.size();
    names += name.str() + '\0';
    section.sh_type = type;
    section.sh_flags = flags;
    section.sh_addr = address;
    section.sh_offset = offset;
    section.sh_size = bytes;
    section.sh_addralign = 1;
    all.push_back(section);
    offset += type == llvm::ELF::SHT_NOBITS ? 0 : bytes;
  }
  /// The section of the names themselves, the last one.
  void addNames() {
    constexpr StringRef own = ".shstrtab";
    add(own, llvm::ELF::SHT_STRTAB, 0, 0, names.size() + own.size() + 1);
  }

  std::vector<File::Shdr> all{File::Shdr{}};
  std::string names = std::string(1, '\0');
  uint32_t offset = sizeof(File::Ehdr) + sizeof(File::Phdr);
};

File::Ehdr headerFor(const Sections &sections) {
  File::Ehdr header = {};
  std::memcpy(header.e_ident, llvm::ELF::ElfMagic, 4);
  header.e_ident[llvm::ELF::EI_CLASS] = llvm::ELF::ELFCLASS32;
  header.e_ident[llvm::ELF::EI_DATA] = llvm::ELF::ELFDATA2LSB;
  header.e_ident[llvm::ELF::EI_VERSION] = llvm::ELF::EV_CURRENT;
  header.e_type = llvm::ELF::ET_EXEC;
  header.e_machine = llvm::ELF::EM_RISCV;
  header.e_version = llvm::ELF::EV_CURRENT;
  header.e_entry = HET_TENSIX_IMAGE;
  header.e_phoff = sizeof(File::Ehdr);
  header.e_shoff = sections.offset;
  header.e_ehsize = sizeof(File::Ehdr);
  header.e_phentsize = sizeof(File::Phdr);
  header.e_phnum = 1;
  header.e_shentsize = sizeof(File::Shdr);
  header.e_shnum = sections.all.size();
  header.e_shstrndx = sections.all.size() - 1;
  return header;
}

File::Phdr segmentFor(const HetTensixArtifact &artifact) {
  File::Phdr segment = {};
  segment.p_type = llvm::ELF::PT_LOAD;
  segment.p_offset = sizeof(File::Ehdr) + sizeof(File::Phdr);
  segment.p_vaddr = HET_TENSIX_IMAGE;
  segment.p_paddr = HET_TENSIX_IMAGE;
  segment.p_filesz = artifact.imageBytes;
  segment.p_memsz = artifact.memoryBytes;
  segment.p_flags = llvm::ELF::PF_R | llvm::ELF::PF_W | llvm::ELF::PF_X;
  segment.p_align = 1;
  return segment;
}

} // namespace

Expected<target::Artifact> makeImageFile(ArrayRef<uint8_t> artifact) {
  auto parts = takeApart(artifact);
  if (!parts)
    return parts.takeError();
  const HetTensixArtifact &header = parts->header;
  constexpr uint32_t data = llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_WRITE;
  Sections sections;
  sections.add(".image", llvm::ELF::SHT_PROGBITS, data | llvm::ELF::SHF_EXECINSTR,
               HET_TENSIX_IMAGE, header.imageBytes);
  sections.add(".bss", llvm::ELF::SHT_NOBITS, data, HET_TENSIX_IMAGE + header.imageBytes,
               header.memoryBytes - header.imageBytes);
  if (header.constantsBytes)
    sections.add(".constants", llvm::ELF::SHT_PROGBITS, 0, 0, header.constantsBytes);
  sections.addNames();
  target::Artifact file;
  append(file, headerFor(sections));
  append(file, segmentFor(header));
  file.append(parts->image.begin(), parts->image.end());
  file.append(parts->constants.begin(), parts->constants.end());
  file.append(sections.names.begin(), sections.names.end());
  for (const File::Shdr &section : sections.all)
    append(file, section);
  return file;
}

} // namespace het::tensix
