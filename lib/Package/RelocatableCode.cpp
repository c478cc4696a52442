// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of relocatable code, and the section that holds it.

#include "het/Package/RelocatableCode.h"

#include "Format.h"
#include "Sections.h"
#include "het/Package/PackageSections.h"

#include <algorithm>
#include <cctype>

using namespace het;
using namespace het::format;

static bool isId(const std::string &id) {
  return !id.empty() && id.size() <= maxIdSize &&
         std::all_of(id.begin(), id.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

static void writeSymbols(ByteWriter &writer, const std::vector<LinkSymbol> &symbols) {
  writer.u32(static_cast<uint32_t>(symbols.size()));
  for (const LinkSymbol &symbol : symbols) {
    writer.string(symbol.name);
    writer.string(symbol.place);
  }
}

Bytes het::writeRelocatableCode(const RelocatableCode &code) {
  ByteWriter writer;
  writer.u32(relocatableVersion);
  writer.string(code.id);
  writeSymbols(writer, code.defined);
  writeSymbols(writer, code.shared);
  writeSymbols(writer, code.needed);
  writer.u8(code.isOpen);
  writer.bytes(code.bitcode);
  return writer.take();
}

static std::vector<LinkSymbol> readSymbols(ByteReader &reader) {
  std::vector<LinkSymbol> symbols(reader.count(8));
  for (LinkSymbol &symbol : symbols) {
    symbol.name = reader.string();
    symbol.place = reader.string();
    if (symbol.name.empty() || symbol.name.size() > maxNameSize)
      reader.fail();
  }
  return symbols;
}

Result<RelocatableCode> het::readRelocatableCode(ByteView record) {
  ByteReader reader(record);
  const uint32_t version = reader.u32();
  if (version != relocatableVersion)
    return invalid("version: found " + std::to_string(version) + ", expected " +
                   std::to_string(relocatableVersion));
  RelocatableCode code;
  code.id = reader.string();
  code.defined = readSymbols(reader);
  code.shared = readSymbols(reader);
  code.needed = readSymbols(reader);
  const uint8_t open = reader.u8();
  if (reader.failed() || open > 1 || !isId(code.id))
    return invalid("found a record that ends early or has a value out of its range");
  code.isOpen = open != 0;
  code.bitcode = reader.bytes(reader.remaining()).copy();
  return code;
}

Result<std::optional<RelocatableCode>>
het::findRelocatableCode(const PackageSections &package) {
  std::optional<RelocatableCode> found;
  for (uint32_t i = 0; i < package.count(); ++i) {
    if (package.entry(i).type != RelocatablePart)
      continue;
    if (found)
      return package.damaged(i, "found a second one, expected one");
    Result<Bytes> record = package.contents(i, RelocatablePart);
    if (!record.ok())
      return record.status();
    Result<RelocatableCode> code = readRelocatableCode(*record);
    if (!code.ok())
      return package.damaged(i, code.status().message);
    found = code.take();
  }
  return found;
}
