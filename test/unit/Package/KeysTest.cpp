// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of keys: one form, never overwritten, and only where nobody else can have read or
// written them.

#include "SignedPackages.h"
#include "TestFolder.h"

#include "het/Base/File.h"
#include "het/Package/Keys.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;
using namespace het::test;

template <typename T>
static void expectRefused(const Result<T> &result, const std::string &part) {
  ASSERT_FALSE(result.ok()) << part;
  EXPECT_NE(result.status().text().find(part), std::string::npos)
      << result.status().text();
}

static std::string replaced(std::string text, const std::string &from,
                            const std::string &to) {
  return text.replace(text.find(from), from.size(), to);
}

static mode_t modeOf(const std::string &path) {
  struct stat about = {};
  EXPECT_EQ(::stat(path.c_str(), &about), 0);
  return about.st_mode & 07777;
}

TEST(Keys, TextSaysWhatItIsAndComesBack) {
  const PrivateKey key = keyNumber(1);
  const std::string secret = privateKeyText(key), open = publicKeyText(key.publicKey());
  EXPECT_EQ(secret.find("hetpkg private key v1\nid "), 0u);
  EXPECT_EQ(open, "hetpkg public key v1\nid " + keyId(key.publicKey()) +
                      "\nkey 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f"
                      "6f5c\n");
  EXPECT_EQ(keyId(key.publicKey()).size(), 32u);
  EXPECT_EQ(parsePrivateKey(secret)->publicKey(), key.publicKey());
  EXPECT_EQ(*parsePublicKey(open), key.publicKey());
  EXPECT_TRUE(parsePublicKey(replaced(open, "\nkey", "\n# whose\nkey")).ok());
}

TEST(Keys, OtherTextIsRefused) {
  const PrivateKey key = keyNumber(1);
  const std::string secret = privateKeyText(key), open = publicKeyText(key.publicKey());
  expectRefused(parsePublicKey(secret), "found a private key");
  expectRefused(parsePrivateKey(open), "found a public key");
  for (const char *text : {"", "\n", "hetpkg public key v2\n", "-----BEGIN KEY-----\n"})
    expectRefused(parsePublicKey(text), "found other text");
  expectRefused(parsePublicKey(replaced(open, "key 8a", "key 8A")), "other lines");
  expectRefused(parsePublicKey(replaced(open, "key 8a", "key 8b")), "id: found");
  expectRefused(parsePublicKey(open + "more\n"), "other lines");
  for (size_t size = 21; size < open.size(); ++size)
    EXPECT_FALSE(parsePublicKey(open.substr(0, size)).ok()) << size;
  for (size_t size = 0; size < secret.size(); ++size)
    EXPECT_FALSE(parsePrivateKey(secret.substr(0, size)).ok()) << size;
}

/// A key of few points would make signatures for many messages.
TEST(Keys, PointsThatAreNoKeysAreRefused) {
  for (uint8_t first : {0, 1}) {
    PublicKey weak{};
    weak[0] = first;
    expectRefused(parsePublicKey(publicKeyText(weak)), "expected a point of Ed25519");
  }
}

TEST(Keys, APairIsMadeOnce) {
  const TestFolder folder;
  const std::string path = folder / "keys";
  Result<PublicKey> made = createKeys(path);
  ASSERT_TRUE(made.ok()) << made.status().text();
  EXPECT_EQ(modeOf(path), 0700u);
  EXPECT_EQ(modeOf(path + "/hetpkg.key"), 0600u);
  EXPECT_EQ(readPrivateKey(path + "/hetpkg.key")->publicKey(), *made);
  EXPECT_EQ(readPublicKeys(path + "/hetpkg.pub")->front().key, *made);
  const Bytes before = *readFile(path + "/hetpkg.key");
  expectRefused(createKeys(path), "expected none, as keys are never overwritten");
  EXPECT_EQ(*readFile(path + "/hetpkg.key"), before);
  // Of a pair that is there in part nothing is added.
  ASSERT_EQ(::unlink((path + "/hetpkg.pub").c_str()), 0);
  expectRefused(createKeys(path), "hetpkg.key: key: found one that is there already");
  EXPECT_NE(::access((path + "/hetpkg.pub").c_str(), F_OK), 0);
}

TEST(Keys, FoldersOfOthersGetNone) {
  const TestFolder folder;
  for (mode_t mode : {0777, 0770, 01777}) {
    ASSERT_EQ(::chmod(folder.path().c_str(), mode), 0);
    expectRefused(createKeys(folder.path()), "mode of the folder: found");
  }
  expectRefused(createKeys(folder / "no/such"), "cannot make the folder");
  ASSERT_TRUE(writeFileAtomically(folder / "file", Bytes{1}).ok());
  expectRefused(createKeys(folder / "file"), "cannot open the folder");
  EXPECT_EQ(listFolder(folder.path())->size(), 1u);
}

TEST(Keys, APrivateKeyThatOthersCanReadIsRefused) {
  const TestFolder folder;
  ASSERT_TRUE(createKeys(folder / "keys").ok());
  const std::string path = folder / "keys/hetpkg.key";
  for (mode_t mode : {0640, 0604, 0620, 0602, 0610, 0601, 0644}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    expectRefused(readPrivateKey(path), "mode of the private key: found 0");
  }
  ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
  EXPECT_TRUE(readPrivateKey(path).ok());
  expectRefused(readPrivateKey(folder / "none"), "cannot open");
  expectRefused(readPrivateKey(folder.path()),
                "private key: found a folder, expected a file; name hetpkg.key in it");
}

TEST(Keys, AFolderGivesAllOfItsKeys) {
  const TestFolder folder;
  for (uint8_t i = 1; i < 4; ++i) {
    const std::string text = publicKeyText(keyNumber(i).publicKey());
    ASSERT_TRUE(writeFileAtomically(folder / ("k" + std::to_string(i) + ".pub"),
                                    ByteView(std::string_view(text)))
                    .ok());
  }
  for (const char *other : {".hidden.pub", "notes.txt", "k1.pub~", "pub"})
    ASSERT_TRUE(writeFileAtomically(folder / other, Bytes{1}).ok());
  Result<std::vector<TrustedKey>> keys = readPublicKeys(folder.path());
  ASSERT_TRUE(keys.ok()) << keys.status().text();
  ASSERT_EQ(keys->size(), 3u);
  EXPECT_EQ(keys->at(2).file, folder / "k3.pub");
  // A key that can not be read is not left out.
  ASSERT_TRUE(writeFileAtomically(folder / "k2.pub", Bytes{1}).ok());
  expectRefused(readPublicKeys(folder.path()), "k2.pub: key file: found other text");
}

TEST(Keys, KeysThatOthersCanHaveWrittenAreRefused) {
  const TestFolder folder;
  ASSERT_TRUE(createKeys(folder / "keys").ok());
  const std::string keys = folder / "keys", path = keys + "/hetpkg.pub";
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  expectRefused(readPublicKeys(keys), "hetpkg.pub: mode: found 0666");
  ASSERT_EQ(::chmod(path.c_str(), 0664), 0);
  EXPECT_TRUE(readPublicKeys(keys).ok()) << "as users' umasks have it";
  expectRefused(readPublicKeys(keys, ::geteuid()), "mode: found 0664");
  expectRefused(readPublicKeys(path, ::geteuid() + 1), "owner: found user");
  ASSERT_EQ(::chmod(keys.c_str(), 0777), 0);
  expectRefused(readPublicKeys(keys), "keys: mode: found 0777");
}
