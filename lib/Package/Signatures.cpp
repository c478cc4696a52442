// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and making the signatures of packages. What is signed is the header and the
// section table with zeros for what a signature changes: the digest of the section that
// holds it, and what follows from that.

#include "het/Package/Signatures.h"

#include "Sections.h"
#include "Text.h"
#include "het/Package/Keys.h"
#include "het/Package/Package.h"

#include <algorithm>
#include <cstring>

using namespace het;
using namespace het::format;

/// Sets this use of a key apart from any other; the zero behind it is a part.
static constexpr char domain[] = "hetpkg signature v1";

Bytes het::signedMessage(const PackageSections &package) {
  ByteWriter message;
  message.bytes({reinterpret_cast<const uint8_t *>(domain), sizeof(domain)});
  message.bytes(*package.view().slice(0, tableDigestOffset));
  const Digest &table = package.signedTableDigest();
  message.bytes({table.data(), table.size()});
  return message.take();
}

/// The records of a section for signatures; its size is right.
static Result<std::vector<PackageSignature>> readRecords(const PackageSections &package,
                                                         ByteView contents) {
  const uint32_t section = package.count() - 1;
  ByteReader reader(contents);
  if (uint32_t version = reader.u32(); version != signaturesVersion)
    return unsupported(
        foundExpected("signatures: version", std::to_string(version),
                      std::to_string(signaturesVersion),
                      "use a hetcc at least as new as the one that signed"),
        package.origin());
  const uint32_t count = reader.u32();
  if (count > maxSignatures)
    return package.damaged(section, "count: found " + std::to_string(count) +
                                        ", expected at most " +
                                        std::to_string(maxSignatures));
  std::vector<PackageSignature> signatures(count);
  for (PackageSignature &one : signatures) {
    std::memcpy(one.key.data(), reader.bytes(one.key.size()).data, one.key.size());
    std::memcpy(one.bytes.data(), reader.bytes(one.bytes.size()).data, one.bytes.size());
  }
  for (uint32_t i = 1; i < count; ++i)
    if (signatures[i].key <= signatures[i - 1].key)
      return package.damaged(section, "keys: found one that is not above the one before "
                                      "it, expected ascending keys");
  const std::string_view rest = reader.bytes(reader.remaining()).text();
  if (rest.find_first_not_of('\0') != std::string_view::npos)
    return package.damaged(section, "unused room: found other bytes, expected zeros");
  return signatures;
}

Result<std::vector<PackageSignature>>
het::readSignatures(const PackageSections &package) {
  if (!package.holdsSignatures())
    return std::vector<PackageSignature>();
  Result<ByteView> contents = package.stored(package.count() - 1, Signatures);
  if (!contents.ok())
    return contents.status();
  return readRecords(package, *contents);
}

Bytes het::writeSignatures(const std::vector<PackageSignature> &signatures) {
  ByteWriter section;
  section.u32(signaturesVersion);
  section.u32(static_cast<uint32_t>(signatures.size()));
  for (const PackageSignature &one : signatures) {
    section.bytes({one.key.data(), one.key.size()});
    section.bytes({one.bytes.data(), one.bytes.size()});
  }
  section.zeros(signaturesSize - section.size());
  return section.take();
}

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

/// The package with these signatures, in the last section or, where it has none for them,
/// in one that is added.
static Bytes withSignatures(const PackageSections &package,
                            const std::vector<PackageSignature> &signatures) {
  const ByteView view = package.view();
  Section last;
  last.type = Signatures;
  last.flags = Ignorable;
  last.storedSize = last.rawSize = signaturesSize;
  const Bytes contents = writeSignatures(signatures);
  last.digest = sha256(contents);

  const uint32_t kept = package.count() - (package.holdsSignatures() ? 1 : 0);
  std::vector<Section> sections;
  uint64_t end = headerSize + uint64_t(package.count()) * sectionEntrySize;
  const uint64_t begin = end;
  for (uint32_t i = 0; i < kept; ++i) {
    sections.push_back(package.entry(i));
    end += sections.back().storedSize;
  }
  sections.push_back(last);

  FileKind kind = packageKind;
  kind.minor = ByteReader(*view.slice(magicSize + 2, 2)).u16();
  if (!package.holdsSignatures())
    kind.minor = std::max(kind.minor, minorVersionOf(Signatures));
  ByteWriter file;
  file.bytes(writeHeaderAndTable(kind, readProducer(view), sections));
  file.bytes(*view.slice(begin, end - begin));
  file.bytes(contents);
  return file.take();
}

/// The package without signatures and with room for them, as it will be signed.
static Result<Bytes> prepare(const PackageSections &package, bool mayGrow) {
  if (!package.holdsSignatures() && !mayGrow)
    return unavailable(
        foundExpected("signatures", "no room for them in this package",
                      bytesText(signaturesSize) + " that are kept for them",
                      "build it again with this hetcc, or put the package beside its "
                      "program by --het-package"),
        package.origin());
  if (!package.holdsSignatures() && package.count() == maxSections)
    return invalid(foundExpected("sections", std::to_string(maxSections),
                                 "fewer, to add one for signatures",
                                 "make several packages of it"),
                   package.origin());
  return withSignatures(package, {});
}

Result<SignedPackage> het::signPackage(const PackageSections &package,
                                       const PrivateKey &key, bool mayGrow) {
  Result<std::vector<PackageSignature>> old = readSignatures(package);
  if (!old.ok())
    return old.status();
  Result<Bytes> prepared = prepare(package, mayGrow);
  if (!prepared.ok())
    return prepared.status();
  Result<PackageSections> sections = PackageSections::open(*prepared, package.origin());
  if (!sections.ok())
    return sections.status();
  const Bytes message = signedMessage(*sections);
  SignedPackage result;
  std::vector<PackageSignature> signatures{{key.publicKey(), key.sign(message)}};
  for (const PackageSignature &one : *old) {
    if (one.key == key.publicKey())
      result.replaced = true;
    else if (isSigned(message, one.bytes, one.key))
      signatures.push_back(one);
    else
      result.dropped.push_back(one.key);
  }
  if (signatures.size() > maxSignatures)
    return unavailable(
        foundExpected("signatures", std::to_string(maxSignatures) + " of other keys",
                      "at most " + std::to_string(maxSignatures) + " with this one",
                      "build the package again, and sign that"),
        package.origin());
  std::sort(
      signatures.begin(), signatures.end(),
      [](const PackageSignature &a, const PackageSignature &b) { return a.key < b.key; });
  result.bytes = withSignatures(*sections, signatures);
  return result;
}
