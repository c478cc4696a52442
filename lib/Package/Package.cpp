// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a package, and what its header says. What is in the sections is read in
// PackageContents.cpp.

#include "het/Package/Package.h"

#include "Sections.h"

using namespace het;
using namespace het::format;

size_t Package::headerSize() { return format::headerSize; }

bool Package::hasMagic(ByteView bytes) { return het::hasMagic(bytes, packageKind); }

Result<uint64_t> Package::sizeOf(const void *header) {
  ByteView bytes(static_cast<const uint8_t *>(header), format::headerSize);
  Result<Header> fields = readHeader(bytes, packageKind);
  if (!fields.ok())
    return fields.status();
  return fields->totalSize;
}

Result<Package> Package::open(ByteView bytes, std::string origin, const Gate &gate) {
  Result<PackageSections> sections = PackageSections::open(bytes, std::move(origin));
  if (!sections.ok())
    return sections.status();
  if (Status status = gate ? gate(*sections) : Status::success(); !status.ok())
    return status;
  Package package(sections.take());
  if (Status status = package.readIndex(); !status.ok())
    return status;
  return package;
}

uint16_t Package::versionMajor() const {
  return ByteReader(*view().slice(magicSize, 2)).u16();
}

uint16_t Package::versionMinor() const {
  return ByteReader(*view().slice(magicSize + 2, 2)).u16();
}

std::string Package::producer() const { return readProducer(view()); }
