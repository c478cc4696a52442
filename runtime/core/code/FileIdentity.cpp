// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build IDs by ELF's program headers: a few small reads, whatever the file's size.

#include "core/code/FileIdentity.h"
#include "het/Base/File.h"
#include "het/Base/Hash.h"

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace het::core {

static constexpr size_t maxHeaders = 64, maxNotes = 4096;

/// Exactly these bytes of a file, or nothing.
static std::optional<Bytes> readPart(int file, uint64_t offset, size_t size) {
  Bytes part(size);
  if (::pread(file, part.data(), size, static_cast<off_t>(offset)) !=
      static_cast<ssize_t>(size))
    return std::nullopt;
  return part;
}

/// The build ID among notes; empty: none.
static std::string findBuildId(ByteView notes, uint64_t alignment) {
  auto padded = [&](uint64_t size) {
    return alignment == 8 ? (size + 7) / 8 * 8 : (size + 3) / 4 * 4;
  };
  for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size;) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data + at, sizeof(note));
    const uint64_t name = at + sizeof(note), content = name + padded(note.n_namesz);
    std::optional<ByteView> id = notes.slice(content, note.n_descsz);
    std::optional<ByteView> owner = notes.slice(name, note.n_namesz);
    if (!id || !owner)
      return "";
    if (note.n_type == NT_GNU_BUILD_ID && owner->text() == std::string_view("GNU\0", 4)) {
      Digest digest = sha256(*id); // of one length
      return hex(digest);
    }
    at = content + padded(note.n_descsz);
  }
  return "";
}

static std::string buildIdOf(int file) {
  std::optional<Bytes> bytes = readPart(file, 0, sizeof(Elf64_Ehdr));
  Elf64_Ehdr header;
  if (!bytes)
    return "";
  std::memcpy(&header, bytes->data(), sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phnum > maxHeaders ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return "";
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    bytes = readPart(file, header.e_phoff + i * sizeof(segment), sizeof(segment));
    if (!bytes)
      return "";
    std::memcpy(&segment, bytes->data(), sizeof(segment));
    if (segment.p_type != PT_NOTE || segment.p_filesz > maxNotes)
      continue;
    bytes = readPart(file, segment.p_offset, static_cast<size_t>(segment.p_filesz));
    if (std::string id = bytes ? findBuildId(*bytes, segment.p_align) : ""; !id.empty())
      return id;
  }
  return "";
}

std::string identityOfLibrary(const std::string &path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about;
  if (file < 0 || ::fstat(file, &about) != 0)
    return "none";
  if (std::string id = buildIdOf(file); !id.empty())
    return id;
  std::string stamp = std::to_string(about.st_size);
  for (timespec time : {about.st_mtim, about.st_ctim})
    stamp += "@" + std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
  return stamp;
}

std::string identityOfContents(const std::string &path) {
  Result<Bytes> contents = readFile(path);
  return contents.ok() ? hex(blake2b({*contents})) : "none";
}

} // namespace het::core
