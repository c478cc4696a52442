// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's table of addresses, written into its cubin before the driver has it: the
// initial value of a variable in constant memory is a section's bytes, which a symbol
// points into. So loading takes no copy to the device, and none to wait for.

#include "PTXDevice.h"

#include <cstring>
#include <elf.h>

namespace het::ptx {
namespace {

/// The sections of a cubin that readContainer found whole.
class Image {
public:
  explicit Image(uint8_t *bytes) : bytes(bytes) {
    std::memcpy(&head, bytes, sizeof(head));
  }

  /// Where the variable's initial value lies; null where that can not be told.
  uint8_t *find(const char *name, size_t wanted) const {
    for (unsigned i = 0; i < head.e_shnum; ++i) {
      const Elf64_Shdr table = section(i);
      if (table.sh_type == SHT_SYMTAB && table.sh_link < head.e_shnum)
        if (uint8_t *found = findIn(table, section(table.sh_link), name, wanted))
          return found;
    }
    return nullptr;
  }

private:
  Elf64_Shdr section(unsigned index) const {
    Elf64_Shdr out;
    std::memcpy(&out, bytes + head.e_shoff + index * sizeof(out), sizeof(out));
    return out;
  }

  uint8_t *findIn(const Elf64_Shdr &table, const Elf64_Shdr &names, const char *name,
                  size_t wanted) const {
    for (size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, bytes + table.sh_offset + i * sizeof(symbol),
                  sizeof(symbol));
      if (symbol.st_shndx < head.e_shnum && isNamed(names, symbol.st_name, name))
        return place(section(symbol.st_shndx), symbol, wanted);
    }
    return nullptr;
  }

  bool isNamed(const Elf64_Shdr &names, size_t at, const char *name) const {
    const size_t length = std::strlen(name) + 1; // with its NUL
    return names.sh_type == SHT_STRTAB && at <= names.sh_size &&
           length <= names.sh_size - at &&
           !std::memcmp(bytes + names.sh_offset + at, name, length);
  }

  uint8_t *place(const Elf64_Shdr &in, const Elf64_Sym &symbol, size_t wanted) const {
    const bool lies = in.sh_type == SHT_PROGBITS && symbol.st_size >= wanted &&
                      symbol.st_value <= in.sh_size &&
                      wanted <= in.sh_size - symbol.st_value;
    return lies ? bytes + in.sh_offset + symbol.st_value : nullptr;
  }

  uint8_t *const bytes;
  Elf64_Ehdr head;
};

} // namespace

bool setVariablesInImage(uint8_t *cubin, const uint64_t *variables, size_t count) {
  const size_t bytes = count * sizeof(uint64_t);
  uint8_t *place = Image(cubin).find(HET_PTX_VARIABLES, bytes);
  if (place)
    std::memcpy(place, variables, bytes);
  return place;
}

} // namespace het::ptx
