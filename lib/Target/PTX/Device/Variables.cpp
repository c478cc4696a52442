// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a cubin's symbols: whether it calls functions of the driver's, and where a
// kernel's table of addresses is. That is written into the cubin before the driver has
// it: the initial value of a variable in constant memory is a section's bytes, which a
// symbol points into. So loading takes no copy to the device, and none to wait for.

#include "PTXDevice.h"

#include <cstring>
#include <elf.h>
#include <optional>

namespace het::ptx {
namespace {

/// The sections of a cubin that readContainer found whole.
class Image {
public:
  explicit Image(const uint8_t *bytes) : bytes(bytes) {
    std::memcpy(&head, bytes, sizeof(head));
  }

  std::optional<Elf64_Sym> find(const char *name) const {
    for (unsigned i = 0; i < head.e_shnum; ++i) {
      const Elf64_Shdr table = section(i);
      if (table.sh_type == SHT_SYMTAB && table.sh_link < head.e_shnum)
        if (auto found = findIn(table, section(table.sh_link), name))
          return found;
    }
    return std::nullopt;
  }

  /// Where the symbol's initial value of this size lies in the cubin; nothing where that
  /// can not be told.
  std::optional<size_t> place(const Elf64_Sym &symbol, size_t wanted) const {
    if (symbol.st_shndx >= head.e_shnum)
      return std::nullopt;
    const Elf64_Shdr in = section(symbol.st_shndx);
    if (in.sh_type != SHT_PROGBITS || symbol.st_size < wanted ||
        symbol.st_value > in.sh_size || wanted > in.sh_size - symbol.st_value)
      return std::nullopt;
    return in.sh_offset + symbol.st_value;
  }

private:
  Elf64_Shdr section(unsigned index) const {
    Elf64_Shdr out;
    std::memcpy(&out, bytes + head.e_shoff + index * sizeof(out), sizeof(out));
    return out;
  }

  std::optional<Elf64_Sym> findIn(const Elf64_Shdr &table, const Elf64_Shdr &names,
                                  const char *name) const {
    for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes + table.sh_offset + i * sizeof(symbol), sizeof(symbol));
      if (isNamed(names, symbol.st_name, name))
        return symbol;
    }
    return std::nullopt;
  }

  bool isNamed(const Elf64_Shdr &names, size_t at, const char *name) const {
    const size_t length = std::strlen(name) + 1; // with its NUL
    return names.sh_type == SHT_STRTAB && at <= names.sh_size &&
           length <= names.sh_size - at &&
           !std::memcmp(bytes + names.sh_offset + at, name, length);
  }

  const uint8_t *const bytes;
  Elf64_Ehdr head;
};

} // namespace

bool setVariablesInImage(uint8_t *cubin, const uint64_t *variables, size_t count) {
  const size_t bytes = count * sizeof(uint64_t);
  const Image image(cubin);
  std::optional<Elf64_Sym> symbol = image.find(HET_PTX_VARIABLES);
  std::optional<size_t> place = symbol ? image.place(*symbol, bytes) : std::nullopt;
  if (place)
    std::memcpy(cubin + *place, variables, bytes);
  return place.has_value();
}

bool takesLimitedMemory(const uint8_t *cubin) {
  const Image image(cubin);
  for (const char *function : {"malloc", "free", "vprintf"})
    if (image.find(function))
      return true;
  return false;
}

} // namespace het::ptx
