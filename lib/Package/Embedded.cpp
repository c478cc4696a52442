// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for packages by their magic. A file that is a program is not
// parsed: a package is found wherever the linker put it.

#include "het/Package/Embedded.h"

#include "Format.h"
#include "het/Package/Package.h"
#include "het/Package/PackageReference.h"

#include <set>

using namespace het;

/// Whether the bytes after the magic look like a header. The magic alone is no
/// sign of a package: every program that reads packages holds it as a constant.
static bool resemblesHeader(ByteView header) {
  ByteReader reader(header);
  reader.bytes(format::magicSize);
  uint16_t major = reader.u16();
  reader.u16();
  return major == format::versionMajor || reader.u32() == format::headerSize;
}

/// Bounds for things of which a file may hold one every few bytes.
static constexpr size_t maxDamaged = 64, maxReferences = 1024;

/// Looks at a place with the package magic; returns how far to go on from it.
static uint64_t tryPackage(ByteView file, uint64_t offset, const std::string &origin,
                           EmbeddedPackages &found) {
  std::string place = origin + " at offset " + std::to_string(offset);
  std::optional<ByteView> header = file.slice(offset, Package::headerSize());
  if (!resemblesHeader(*file.slice(offset, file.size - offset)))
    return format::magicSize;
  if (!header) {
    found.damaged.push_back(
        invalid("package: found the end of the file inside its header, "
                "expected " +
                    std::to_string(Package::headerSize()) +
                    " bytes; copy the file or build it again",
                place));
    return format::magicSize;
  }
  Result<uint64_t> size = Package::sizeOf(header->data);
  if (!size.ok()) {
    found.damaged.push_back(size.status().from(place));
    return format::magicSize;
  }
  uint64_t available = file.size - offset;
  if (*size > available) {
    found.damaged.push_back(
        invalid(foundExpected("package: total size",
                              std::to_string(available) + " bytes to the file's end",
                              std::to_string(*size) + " bytes",
                              "the file is cut short: copy it or build it again"),
                place));
    return format::magicSize;
  }
  found.packages.push_back({offset, *file.slice(offset, *size)});
  return *size;
}

/// Every place of `magic` in the text, by calling `visit(offset)`, which
/// returns how far to go on from there.
template <typename Visit>
static void forEach(std::string_view text, std::string_view magic, Visit visit) {
  size_t offset = text.find(magic);
  while (offset != std::string_view::npos)
    offset = text.find(magic, offset + static_cast<size_t>(visit(offset)));
}

EmbeddedPackages het::findPackages(ByteView file, const std::string &origin) {
  EmbeddedPackages found;
  std::set<std::string> names;
  if (file.empty())
    return found;
  std::string_view packageMagic(reinterpret_cast<const char *>(format::magic),
                                format::magicSize);
  forEach(file.text(), packageMagic, [&](uint64_t offset) {
    return found.damaged.size() < maxDamaged ? tryPackage(file, offset, origin, found)
                                             : file.size;
  });
  forEach(file.text(), referenceMagic, [&](uint64_t offset) {
    ByteView candidate = *file.slice(offset, file.size - offset);
    if (Result<std::string> name = readPackageReference(candidate);
        name.ok() && names.size() < maxReferences && names.insert(*name).second)
      found.references.push_back(name.take());
    return referenceMagic.size();
  });
  return found;
}
