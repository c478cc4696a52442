// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The package reference: magic, u32 version, u32 length, file name.

#include "het/Package/PackageReference.h"

#include "Records.h"
#include "Text.h"

#include <algorithm>
#include <cstring>

using namespace het;

static constexpr uint32_t version = 1;
static constexpr uint32_t maxLength = 4095;

bool het::hasReferenceMagic(ByteView bytes) {
  return bytes.size >= referenceMagic.size() &&
         std::memcmp(bytes.data, referenceMagic.data(), referenceMagic.size()) == 0;
}

/// A name in the program's own folder, printable.
static bool goodName(std::string_view name) {
  if (name.empty() || name.size() > maxLength || name == "." || name == "..")
    return false;
  for (unsigned char c : name)
    if (c < 0x20 || c == 0x7f || c == '/')
      return false;
  return true;
}

Result<Bytes> het::writePackageReference(std::string_view fileName) {
  if (!goodName(fileName))
    return invalid(foundExpected("name of the package file", quoted(fileName),
                                 "a file name without a folder", "choose another name"));
  ByteWriter record;
  record.bytes(ByteView(referenceMagic));
  record.u32(version);
  record.string(fileName);
  return record.take();
}

Result<std::string> het::readPackageReference(ByteView bytes) {
  constexpr const char *remedy = "build the program again";
  if (bytes.size < referenceHeaderSize || !hasReferenceMagic(bytes))
    return invalid(
        foundExpected("package reference", "other bytes", "the magic HETPKREF", remedy));
  ByteReader reader(bytes);
  reader.bytes(referenceMagic.size());
  if (uint32_t found = reader.u32(); found != version)
    return unsupported(foundExpected("package reference, version", std::to_string(found),
                                     std::to_string(version), remedy));
  std::string_view name = reader.stringView();
  if (reader.failed() || !goodName(name))
    return invalid(foundExpected("package reference, file name", quoted(name),
                                 "a file name without a folder", remedy));
  return std::string(name);
}

Result<std::string> het::readPackageReference(const void *record) {
  const auto *start = static_cast<const uint8_t *>(record);
  ByteReader length(ByteView(start + referenceMagic.size() + 4, 4));
  uint32_t size = length.u32();
  return readPackageReference(
      ByteView(start, referenceHeaderSize + std::min(size, maxLength + 1)));
}
