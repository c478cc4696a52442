// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signing packages: what is signed, who has signed, and that nothing else changes.

#include "GoldenPackages.h"
#include "SignedPackages.h"

#include "het/Base/Hash.h"
#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"
#include "het/Package/Signatures.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static std::vector<PackageSignature> signaturesOf(const Bytes &package) {
  Result<std::vector<PackageSignature>> signatures = readSignatures(tableOf(package));
  EXPECT_TRUE(signatures.ok()) << signatures.status().text();
  return *signatures;
}

TEST(Signatures, ASignedPackageSaysWhatItSaid) {
  for (const GoldenPackage &golden : goldenPackages()) {
    const Bytes made = signedBy(golden.bytes, keyNumber(1));
    Result<Package> before = Package::open(golden.bytes, "before");
    Result<Package> after = Package::open(made, "after");
    ASSERT_TRUE(after.ok()) << after.status().text();
    EXPECT_TRUE(after->verify().ok()) << after->verify().text();
    EXPECT_EQ(after->producer(), before->producer());
    EXPECT_EQ(after->versionMinor(), std::max<int>(2, before->versionMinor()));
    EXPECT_EQ(after->sectionCount(), before->sectionCount() + 1);
    EXPECT_EQ(made.size(), golden.bytes.size() + 64 + 776);
    ASSERT_EQ(after->kernelCount(), before->kernelCount());
    for (uint32_t i = 0; i < after->kernelCount(); ++i) {
      EXPECT_EQ(*after->kernelCode(i), *before->kernelCode(i));
      EXPECT_EQ(*after->codeDigest(i), *before->codeDigest(i)) << "it is a cache key";
    }
  }
}

TEST(Signatures, SigningTwiceWithOneKeyReplaces) {
  const Bytes once = signedBy(goldenPlain().bytes, keyNumber(1));
  Result<SignedPackage> twice = signPackage(tableOf(once), keyNumber(1), false);
  ASSERT_TRUE(twice.ok());
  EXPECT_TRUE(twice->replaced);
  EXPECT_EQ(twice->bytes, once);
}

TEST(Signatures, TheOrderOfSigningDoesNotShow) {
  const Bytes plain = goldenPlain().bytes;
  const Bytes one = signedBy(signedBy(plain, keyNumber(1)), keyNumber(2));
  const Bytes other = signedBy(signedBy(plain, keyNumber(2)), keyNumber(1));
  EXPECT_EQ(one, other);
  EXPECT_EQ(signaturesOf(one).size(), 2u);
  const Bytes message = signedMessage(tableOf(one));
  for (const PackageSignature &signature : signaturesOf(one))
    EXPECT_TRUE(isSigned(message, signature.bytes, signature.key));
}

TEST(Signatures, EightKeysAndNoNinth) {
  Bytes package = goldenPlain().bytes;
  for (uint8_t i = 0; i < 8; ++i)
    package = signedBy(package, keyNumber(i));
  EXPECT_EQ(signaturesOf(package).size(), 8u);
  Result<SignedPackage> ninth = signPackage(tableOf(package), keyNumber(8), true);
  ASSERT_FALSE(ninth.ok());
  EXPECT_NE(ninth.status().message.find("found 8 of other keys, expected at most 8"),
            std::string::npos)
      << ninth.status().text();
}

TEST(Signatures, RoomThatWasKeptIsUsedInPlace) {
  PackageWriter writer("test");
  writer.reserveSignatures();
  const Bytes room = *writer.finish();
  EXPECT_TRUE(signaturesOf(room).empty());
  Result<SignedPackage> made = signPackage(tableOf(room), keyNumber(1), false);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(made->bytes.size(), room.size());
  EXPECT_EQ(signaturesOf(made->bytes).size(), 1u);

  Result<SignedPackage> none =
      signPackage(tableOf(goldenPlain().bytes), keyNumber(1), false);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.status().message.find("no room for them"), std::string::npos);
}

/// Signatures of what a package once was do not stay when it is signed anew.
TEST(Signatures, ThoseOfOtherContentsAreDropped) {
  const Bytes other = signedBy(goldenVariables().bytes, keyNumber(2));
  Bytes package = signedBy(goldenPlain().bytes, keyNumber(1));
  std::copy(other.end() - 776, other.end(), package.end() - 776);
  // The entry's digest, then the table's and the header's.
  auto seal = [&](size_t at, size_t begin, size_t size) {
    const Digest digest = sha256(*ByteView(package).slice(begin, size));
    std::copy(digest.begin(), digest.end(), package.begin() + ptrdiff_t(at));
  };
  const size_t tableSize = tableOf(package).count() * 64;
  seal(160 + tableSize - 32, package.size() - 776, 776);
  seal(96, 160, tableSize);
  seal(128, 0, 128);
  Result<SignedPackage> made = signPackage(tableOf(package), keyNumber(3), false);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(made->dropped, std::vector<PublicKey>{keyNumber(2).publicKey()});
  EXPECT_EQ(signaturesOf(made->bytes).size(), 1u);
}

/// As docs/spec/hetpkg.md says it, written again on purpose.
/// A package with room for signatures, and with code lowered ahead of time if that is not
/// empty.
static Bytes withArtifact(const std::string &code) {
  PackageWriter writer("artifacts");
  KernelInfo kernel;
  kernel.name = "k";
  EXPECT_TRUE(writer.addKernel(kernel, sampleCode(1, 50)).ok());
  if (!code.empty())
    EXPECT_TRUE(writer
                    .addArtifact({"host", "x86-64-v3", "", "1"}, "k",
                                 ByteView(std::string_view(code)))
                    .ok());
  writer.reserveSignatures();
  Result<Bytes> package = writer.finish();
  EXPECT_TRUE(package.ok()) << package.status().text();
  return package.take();
}

TEST(Signatures, ArtifactsAreSigned) {
  const std::vector<Bytes> packages = {withArtifact(""), withArtifact("code"),
                                       withArtifact("evil")};
  for (const Bytes &one : packages) {
    const PackageSignature signature = signaturesOf(signedBy(one, keyNumber(1))).front();
    for (const Bytes &other : packages)
      EXPECT_EQ(isSigned(signedMessage(tableOf(other)), signature.bytes, signature.key),
                one == other);
  }
}

TEST(Signatures, TheMessageIsThatOfTheSpecification) {
  const Bytes package = signedBy(goldenPages().bytes, keyNumber(1));
  const size_t tableSize = tableOf(package).count() * 64;
  Bytes table(package.begin() + 160, package.begin() + 160 + ptrdiff_t(tableSize));
  std::fill(table.end() - 32, table.end(), uint8_t(0));
  ByteWriter message;
  message.bytes(ByteView(std::string_view("hetpkg signature v1\0", 20)));
  message.bytes(*ByteView(package).slice(0, 96));
  const Digest digest = sha256(table);
  message.bytes({digest.data(), digest.size()});
  EXPECT_EQ(message.view().size(), 148u);
  const Bytes section(package.end() - 776, package.end());
  ByteReader reader{ByteView(section)};
  EXPECT_EQ(reader.u32(), 1u);
  EXPECT_EQ(reader.u32(), 1u);
  EXPECT_TRUE(sameBytes(reader.bytes(32), {keyNumber(1).publicKey().data(), size_t(32)}));
  Signature signature;
  std::memcpy(signature.data(), reader.bytes(64).data, 64);
  EXPECT_TRUE(isSigned(message.view(), signature, keyNumber(1).publicKey()));
}

/// RFC 8032, 7.1, test 2.
TEST(Signatures, Ed25519IsThatOfTheStandard) {
  const PrivateKey key({0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
                        0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
                        0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb});
  const PublicKey expected = {0x3d, 0x40, 0x17, 0xc3, 0xe8, 0x43, 0x89, 0x5a,
                              0x92, 0xb7, 0x0a, 0xa7, 0x4d, 0x1b, 0x7e, 0xbc,
                              0x9c, 0x98, 0x2c, 0xcf, 0x2e, 0xc4, 0x96, 0x8c,
                              0xc0, 0xcd, 0x55, 0xf1, 0x2a, 0xf4, 0x66, 0x0c};
  EXPECT_EQ(key.publicKey(), expected);
  const Bytes message = {0x72};
  const Signature signature = key.sign(message);
  EXPECT_EQ(signature[0], 0x92);
  EXPECT_EQ(signature[63], 0x00);
  EXPECT_TRUE(isSigned(message, signature, expected));
  EXPECT_FALSE(isSigned(Bytes{0x73}, signature, expected));
}
