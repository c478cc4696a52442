// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading an artifact. The driver's loader takes code without its size: PTX must end in
// a NUL, and what a cubin (an ELF file of 64 bits) says of itself must lie within it.

#include "PTXDevice.h"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace het::ptx {
namespace {

bool lies(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

bool isWholeCubin(const uint8_t *code, uint64_t size) {
  Elf64_Ehdr head;
  if (size < sizeof(head))
    return false;
  std::memcpy(&head, code, sizeof(head));
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  if (head.e_phnum && (head.e_phentsize != sizeof(Elf64_Phdr) ||
                       !lies(head.e_phoff, head.e_phnum * sizeof(Elf64_Phdr), size)))
    return false;
  if (head.e_shnum && (head.e_shentsize != sizeof(Elf64_Shdr) ||
                       !lies(head.e_shoff, head.e_shnum * sizeof(Elf64_Shdr), size)))
    return false;
  for (unsigned i = 0; i < head.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, code + head.e_shoff + i * sizeof(section), sizeof(section));
    // Some of the vendor's own types have no bytes in the file, as SHT_NOBITS.
    const bool hasBytes = section.sh_type != SHT_NOBITS && section.sh_type < SHT_LOPROC;
    if (!lies(section.sh_offset, hasBytes ? section.sh_size : 0, size))
      return false;
  }
  return true;
}

/// Null where the artifact is whole, else what is wrong.
const char *read(const uint8_t *data, size_t size, Container &out) {
  HetPtxArtifact &header = out.header;
  if (size < sizeof(header))
    return "shorter than its header";
  std::memcpy(&header, data, sizeof(header));
  if (header.magic != HET_PTX_MAGIC)
    return "not one of this target and version";
  size_t rest = size - sizeof(header);
  const uint8_t *offsets = data + sizeof(header);
  if (header.parameterCount > rest / sizeof(uint32_t))
    return "its parts do not add up to its size";
  const size_t offsetBytes = header.parameterCount * sizeof(uint32_t);
  out.parameterOffsets.resize(header.parameterCount);
  std::copy_n(offsets, offsetBytes,
              reinterpret_cast<uint8_t *>(out.parameterOffsets.data()));
  rest -= offsetBytes;
  if (!header.nameBytes || header.nameBytes > rest ||
      header.codeBytes != rest - header.nameBytes || !header.codeBytes)
    return "its parts do not add up to its size";
  const uint8_t *name = offsets + offsetBytes;
  if (std::memchr(name, 0, header.nameBytes))
    return "a kernel's name with a NUL";
  out.kernel.assign(reinterpret_cast<const char *>(name), header.nameBytes);
  out.code = name + header.nameBytes;
  if (header.form == HET_PTX_TEXT)
    return out.code[header.codeBytes - 1] ? "PTX without a NUL at its end" : nullptr;
  if (header.form == HET_PTX_CUBIN)
    return isWholeCubin(out.code, header.codeBytes) ? nullptr : "a damaged cubin";
  return "code of an unknown form";
}

} // namespace

bool readContainer(const uint8_t *data, size_t size, Container &out, HetStatus *status) {
  const char *wrong = read(data, size, out);
  if (!wrong)
    return true;
  report(status, HET_INVALID,
         std::string("artifact: found ") + wrong + ", expected a whole artifact");
  return false;
}

} // namespace het::ptx
