// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// More than ten thousand packages that are not what a trusted key has signed: damaged,
// cut, replayed, put together from others, signed by others. Digests are made right
// where an attacker would. None may be let in.

#include "GoldenPackages.h"
#include "Reseal.h"
#include "SignedPackages.h"

#include "het/Package/Package.h"
#include "het/Package/Signatures.h"
#include "het/Package/Trust.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace het;
using namespace het::test;

namespace {

constexpr size_t tableOffset = 160, entrySize = 64, signaturesSize = 776;

/// The only key that is trusted, and one that is not.
const PrivateKey &trusted() {
  static const PrivateKey key = keyNumber(1);
  return key;
}
const PrivateKey &stranger() {
  static const PrivateKey key = keyNumber(2);
  return key;
}

/// Tries packages, and counts them.
class Attack {
public:
  explicit Attack(Bytes original) : original(std::move(original)) {}

  /// Fails the test if it is let in, and is not the original.
  void attempt(const Bytes &package, const char *what) {
    if (package == original)
      return;
    ++count;
    bool isIn = accepts(package);
    accepted += isIn;
    if (isIn && accepted < 5)
      ADD_FAILURE() << "accepted: " << what;
  }
  void attemptResealed(Bytes package, const char *what) {
    reseal(package);
    attempt(package, what);
  }

  /// Whether it is let in and every byte of it is as the table says.
  static bool accepts(const Bytes &package) {
    const PackageTrust trust({{SignatureLevel::Require,
                               {{trusted().publicKey(), "trusted.pub"}},
                               "test",
                               "do not"}});
    Result<Package> opened = Package::open(
        package, "attack", [&](const PackageSections &s) { return trust.check(s); });
    return opened.ok() && opened->verify().ok();
  }

  const Bytes original;
  size_t count = 0, accepted = 0;
};

size_t sectionsOf(const Bytes &package) {
  return ByteReader(*ByteView(package).slice(24, 4)).u32();
}

void put(Bytes &package, size_t offset, uint64_t value, size_t width) {
  std::memcpy(package.data() + offset, &value, width);
}

void flipEveryByte(Attack &attack) {
  for (size_t i = 0; i < attack.original.size(); ++i)
    for (uint8_t change : {0x01, 0x80, 0xff}) {
      Bytes package = attack.original;
      package[i] ^= change;
      attack.attempt(package, "a byte changed");
      attack.attemptResealed(package, "a byte changed behind the digests");
    }
}

void cutAndAppend(Attack &attack) {
  for (size_t size = 0; size < attack.original.size(); ++size) {
    Bytes package(attack.original.begin(), attack.original.begin() + ptrdiff_t(size));
    attack.attempt(package, "cut");
    if (size >= tableOffset) {
      put(package, 16, size, 8);
      attack.attemptResealed(package, "cut, with the size right");
    }
  }
  for (size_t more = 1; more <= 200; ++more)
    for (uint8_t byte : {0x00, 0x89, 0xff}) {
      Bytes package = attack.original;
      package.insert(package.end(), more, byte);
      attack.attempt(package, "bytes behind it");
      put(package, 16, package.size(), 8);
      attack.attemptResealed(package, "bytes behind it, with the size right");
      const size_t last = tableOffset + (sectionsOf(package) - 1) * entrySize;
      put(package, last + 16, signaturesSize + more, 8);
      put(package, last + 24, signaturesSize + more, 8);
      attack.attemptResealed(package, "bytes behind it, as a part of the last section");
    }
}

void otherVersions(Attack &attack) {
  for (uint64_t major = 0; major < 300; ++major) {
    Bytes package = attack.original;
    put(package, 8, major, 2);
    attack.attemptResealed(package, "another major version");
  }
  for (uint64_t minor = 0; minor < 1000; ++minor) {
    Bytes package = attack.original;
    put(package, 10, minor, 2);
    attack.attemptResealed(package, "another minor version");
  }
}

/// An entry and its contents.
struct Part {
  Bytes entry, contents;
};

std::vector<Part> partsOf(const Bytes &package) {
  std::vector<Part> parts;
  for (size_t i = 0; i < sectionsOf(package); ++i) {
    const ByteView entry =
        *ByteView(package).slice(tableOffset + i * entrySize, entrySize);
    ByteReader reader(*entry.slice(8, 16));
    const uint64_t offset = reader.u64(), size = reader.u64();
    parts.push_back({entry.copy(), ByteView(package).slice(offset, size)->copy()});
  }
  return parts;
}

/// A package of these parts, with everything right but the signatures.
Bytes assemble(const Bytes &header, const std::vector<Part> &parts) {
  Bytes package(header.begin(), header.begin() + tableOffset);
  size_t offset = tableOffset + parts.size() * entrySize;
  for (Part part : parts) {
    put(part.entry, 8, offset, 8);
    put(part.entry, 16, part.contents.size(), 8);
    package.insert(package.end(), part.entry.begin(), part.entry.end());
    offset += part.contents.size();
  }
  for (const Part &part : parts)
    package.insert(package.end(), part.contents.begin(), part.contents.end());
  put(package, 16, package.size(), 8);
  put(package, 24, parts.size(), 4);
  reseal(package);
  return package;
}

void otherSections(Attack &attack) {
  const std::vector<Part> parts = partsOf(attack.original);
  EXPECT_EQ(assemble(attack.original, parts), attack.original);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::vector<Part> changed = parts;
    changed.erase(changed.begin() + ptrdiff_t(i));
    attack.attempt(assemble(attack.original, changed), "a section less");
    for (size_t j = 0; j <= parts.size(); ++j) {
      changed = parts;
      changed.insert(changed.begin() + ptrdiff_t(j), parts[i]);
      attack.attempt(assemble(attack.original, changed), "a section twice");
      changed = parts;
      Part unknown = parts[i];
      put(unknown.entry, 0, 77, 4);
      put(unknown.entry, 4, 1, 4);
      changed.insert(changed.begin() + ptrdiff_t(j), unknown);
      attack.attempt(assemble(attack.original, changed), "a section that is skipped");
      if (j == parts.size())
        continue;
      changed = parts;
      std::swap(changed[i], changed[j]);
      attack.attempt(assemble(attack.original, changed), "sections swapped");
      Bytes overlapping = attack.original;
      std::copy_n(overlapping.begin() + ptrdiff_t(tableOffset + j * entrySize + 8), 16,
                  overlapping.begin() + ptrdiff_t(tableOffset + i * entrySize + 8));
      attack.attemptResealed(overlapping, "sections that overlap");
    }
  }
}

/// The package with this section for signatures.
Bytes withSection(const Bytes &package, ByteView section) {
  Bytes changed = package;
  std::copy(section.begin(), section.end(), changed.end() - signaturesSize);
  reseal(changed);
  return changed;
}

void otherSignatures(Attack &attack, const Bytes &unsignedPackage) {
  attack.attempt(unsignedPackage, "no signature");
  attack.attempt(withSection(attack.original, writeSignatures({})), "none any more");
  const Bytes message = signedMessage(tableOf(attack.original));
  const ByteView whole(attack.original), view(message);
  std::vector<Bytes> others = {{},
                               view.slice(20, view.size - 20)->copy(),
                               whole.copy(),
                               whole.slice(0, 160)->copy(),
                               whole.slice(0, 128)->copy(),
                               unsignedPackage,
                               view.slice(0, 20)->copy()};
  for (const char *domain : {"hetpkg signature v0", "hetpkg signature v2",
                             "hetckpt signature v1", "HETPKG SIGNATURE V1"}) {
    Bytes other = message;
    std::memcpy(other.data(), domain, 19);
    others.push_back(other);
  }
  for (const Bytes &other : others)
    for (const PrivateKey &signer : {trusted(), stranger()})
      for (const PrivateKey &named : {trusted(), stranger()})
        attack.attempt(
            withSection(attack.original,
                        writeSignatures({{named.publicKey(), signer.sign(other)}})),
            "a signature of something else");
  for (uint8_t number = 2; number < 200; ++number) {
    const PrivateKey other = keyNumber(number);
    for (const PrivateKey &named : {other, trusted()})
      attack.attempt(
          withSection(attack.original,
                      writeSignatures({{named.publicKey(), other.sign(message)}})),
          "a signature by another key");
  }
  for (uint32_t number = 0; number < 300; ++number)
    for (size_t offset : {0, 4}) { // version and count
      Bytes section(attack.original.end() - signaturesSize, attack.original.end());
      put(section, offset, number, 4);
      attack.attempt(withSection(attack.original, section), "another version or count");
    }
}

/// Signatures of what the trusted key has signed, in packages that it has not.
void replays(Attack &attack, const std::vector<Bytes> &otherSigned,
             const Bytes &unsignedPackage) {
  for (const Bytes &other : otherSigned) {
    const Bytes section(other.end() - signaturesSize, other.end());
    if (other != attack.original)
      attack.attempt(withSection(attack.original, section), "another's signature");
  }
  const Bytes section(attack.original.end() - signaturesSize, attack.original.end());
  for (size_t i = tableOffset; i < unsignedPackage.size(); ++i) {
    Bytes changed = unsignedPackage;
    changed[i] ^= 0x10;
    reseal(changed);
    Result<PackageSections> table = PackageSections::open(changed, "changed");
    if (!table.ok() || changed == unsignedPackage)
      continue;
    Result<SignedPackage> made = signPackage(*table, stranger(), true);
    ASSERT_TRUE(made.ok());
    attack.attempt(withSection(made->bytes, section), "a signature of an older package");
  }
}

void atRandom(Attack &attack) {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    Bytes package = attack.original;
    for (unsigned changes = 1 + random() % 8; changes; --changes)
      package[random() % package.size()] = static_cast<uint8_t>(random());
    attack.attemptResealed(package, "random changes");
  }
}

} // namespace

TEST(SignatureAttack, NoneOfTenThousandIsLetIn) {
  std::vector<Bytes> signedOnes;
  for (const GoldenPackage &golden : goldenPackages())
    signedOnes.push_back(signedBy(golden.bytes, trusted()));
  size_t count = 0;
  for (const Bytes &unsignedPackage :
       {goldenPlain().bytes, goldenVariables().bytes, goldenPrecompiled().bytes}) {
    Attack attack(signedBy(unsignedPackage, trusted()));
    ASSERT_TRUE(Attack::accepts(attack.original));
    flipEveryByte(attack);
    cutAndAppend(attack);
    otherVersions(attack);
    otherSections(attack);
    otherSignatures(attack, unsignedPackage);
    replays(attack, signedOnes, unsignedPackage);
    atRandom(attack);
    EXPECT_EQ(attack.accepted, 0u) << "of " << attack.count;
    count += attack.count;
  }
  EXPECT_GE(count, 10000u);
  RecordProperty("packages", static_cast<int>(count));
}

/// A stranger's signature neither helps nor harms.
TEST(SignatureAttack, AForeignSignatureChangesNothing) {
  const Bytes package = signedBy(goldenPlain().bytes, trusted());
  EXPECT_TRUE(Attack::accepts(signedBy(package, stranger())));
  EXPECT_FALSE(Attack::accepts(signedBy(goldenPlain().bytes, stranger())));
}

/// Behind right digests everything but the header and the table is nonsense: a reader
/// that looked at it before the signature would say so.
TEST(SignatureAttack, NothingIsParsedBeforeTheSignatureIsChecked) {
  Bytes package = signedBy(goldenPlain().bytes, stranger());
  const size_t begin = tableOffset + sectionsOf(package) * entrySize;
  std::fill(package.begin() + ptrdiff_t(begin), package.end() - signaturesSize,
            uint8_t(0xff));
  reseal(package);
  EXPECT_FALSE(Package::open(package, "nonsense").ok());
  const PackageTrust trust({{SignatureLevel::Require, {}, "test", "do not"}});
  Result<Package> opened = Package::open(
      package, "nonsense", [&](const PackageSections &s) { return trust.check(s); });
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.status().message.find("signatures: found those by"), std::string::npos)
      << opened.status().text();
}
