// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules for signatures: where they come from, that both must be satisfied, and what
// they say of packages.

#include "GoldenPackages.h"
#include "SignedPackages.h"
#include "TestFolder.h"

#include "het/Base/Environment.h"
#include "het/Base/File.h"
#include "het/Package/Trust.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace het;
using namespace het::test;

namespace {

/// The administrator's folder and the two variables. Keys 1 and 2 have files.
class Trust : public ::testing::Test {
protected:
  void SetUp() override {
    clear();
    files = {folder / "etc", ::geteuid()};
    ASSERT_EQ(::mkdir(files.folder.c_str(), 0755), 0);
    write("one.pub", publicKeyText(keyNumber(1).publicKey()));
    write("two.pub", publicKeyText(keyNumber(2).publicKey()));
  }
  void TearDown() override { clear(); }
  static void clear() {
    environment::set(Variable::TrustedKeys, "");
    environment::set(Variable::Signatures, "");
  }

  void write(const std::string &name, const std::string &text) {
    const std::string path = folder / name;
    ASSERT_TRUE(writeFileAtomically(path, ByteView(std::string_view(text))).ok());
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  }
  /// The administrator trusts key 1.
  void addSystemKey() {
    ASSERT_EQ(::mkdir((files.folder + "/trusted-keys.d").c_str(), 0755), 0);
    write("etc/trusted-keys.d/one.pub", publicKeyText(keyNumber(1).publicKey()));
  }
  void trustKey(const char *name) {
    environment::set(Variable::TrustedKeys, folder / name);
  }

  Result<PackageTrust> configured() const { return PackageTrust::configured(files); }
  /// Whether packages signed by keys 1, by 2, by both and by none are let in: "12b0".
  std::string admits() const {
    Result<PackageTrust> trust = configured();
    EXPECT_TRUE(trust.ok()) << trust.status().text();
    const Bytes plain = goldenPlain().bytes;
    const Bytes one = signedBy(plain, keyNumber(1)), two = signedBy(plain, keyNumber(2));
    std::string result;
    for (const auto &[name, package] : {std::pair('1', one),
                                        {'2', two},
                                        {'b', signedBy(one, keyNumber(2))},
                                        {'0', plain}})
      if (trust->check(tableOf(package)).ok())
        result += name;
    return result;
  }
  void expectFailure(const std::string &part) const {
    Result<PackageTrust> trust = configured();
    ASSERT_FALSE(trust.ok()) << part;
    EXPECT_NE(trust.status().text().find(part), std::string::npos)
        << trust.status().text();
  }

  const TestFolder folder;
  TrustFiles files;
};

} // namespace

TEST_F(Trust, IsOffWhereNothingIsSaid) {
  EXPECT_TRUE(configured()->isOff());
  EXPECT_EQ(admits(), "12b0");
}

TEST_F(Trust, NamedKeysAreRequired) {
  trustKey("two.pub");
  EXPECT_FALSE(configured()->isOff());
  EXPECT_EQ(admits(), "2b");
  trustKey("one.pub");
  EXPECT_EQ(admits(), "1b");
  environment::set(Variable::TrustedKeys, (folder / "one.pub") + ":" + folder.path());
  EXPECT_EQ(admits(), "12b");
}

TEST_F(Trust, TheLevelIsThatOfTheVariable) {
  trustKey("two.pub");
  environment::set(Variable::Signatures, "off");
  EXPECT_TRUE(configured()->isOff());
  environment::set(Variable::Signatures, "warn");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(admits(), "12b0");
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("warning: test: signatures: found none, expected one by a key of "
                      "HET_TRUSTED_KEYS (1 key)"),
            std::string::npos)
      << text;
  environment::set(Variable::Signatures, "require");
  EXPECT_EQ(admits(), "2b");
  environment::set(Variable::TrustedKeys, "");
  EXPECT_EQ(admits(), "") << "nobody is trusted";
}

TEST_F(Trust, AWarningIsGivenOnce) {
  trustKey("two.pub");
  environment::set(Variable::Signatures, "warn");
  Result<PackageTrust> trust = configured();
  const Bytes plain = goldenPlain().bytes;
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i)
    EXPECT_TRUE(trust->check(tableOf(plain)).ok());
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
}

TEST_F(Trust, KeysInTheAdministratorsFolderWarn) {
  addSystemKey();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(admits(), "12b0");
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("trusted-keys.d (1 key)"),
            std::string::npos);
  environment::set(Variable::Signatures, "require");
  EXPECT_EQ(admits(), "1b");
  environment::set(Variable::Signatures, "off");
  EXPECT_EQ(admits(), "12b0");
}

TEST_F(Trust, TheEnvironmentCanNotWeakenTheAdministratorsRule) {
  addSystemKey();
  write("etc/signatures", "# only ours\nrequire\n");
  EXPECT_EQ(admits(), "1b");
  environment::set(Variable::Signatures, "off");
  EXPECT_EQ(admits(), "1b");
  trustKey("two.pub");
  EXPECT_EQ(admits(), "1b");
  environment::set(Variable::Signatures, "require");
  EXPECT_EQ(admits(), "b") << "both rules hold";
  environment::set(Variable::Signatures, "warn");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(admits(), "1b");
  ::testing::internal::GetCapturedStderr();
}

TEST_F(Trust, TheAdministratorMaySayOff) {
  addSystemKey();
  write("etc/signatures", "off\n");
  EXPECT_TRUE(configured()->isOff());
  trustKey("two.pub");
  EXPECT_EQ(admits(), "2b") << "a user may ask for more";
}

TEST_F(Trust, BadValuesAreErrorsThatNameTheirPlace) {
  environment::set(Variable::Signatures, "strict");
  expectFailure("HET_SIGNATURES: found 'strict', expected off, warn or require");
  clear();
  trustKey("three.pub");
  expectFailure("HET_TRUSTED_KEYS: ");
  environment::set(Variable::Signatures, "off");
  expectFailure("three.pub: cannot open: No such file");
  environment::set(Variable::TrustedKeys, ":");
  expectFailure("HET_TRUSTED_KEYS: found no file or folder");
  environment::set(Variable::TrustedKeys, files.folder);
  expectFailure("HET_TRUSTED_KEYS: found no file NAME.pub in");
  clear();
  write("etc/signatures", "requre\n");
  expectFailure("etc/signatures: signatures: found 'requre', expected off, warn");
  write("etc/signatures", "");
  expectFailure("etc/signatures: signatures: found ''");
}

/// What cannot be read or may be anybody's is no reason to let everything in.
TEST_F(Trust, TheAdministratorsFilesMustBeHis) {
  addSystemKey();
  write("etc/signatures", "off\n");
  const std::string level = files.folder + "/signatures";
  ASSERT_EQ(::chmod(level.c_str(), 0664), 0);
  expectFailure("etc/signatures: mode: found 0664");
  ASSERT_EQ(::chmod(level.c_str(), 0644), 0);
  files.owner = ::geteuid() + 1;
  expectFailure("etc: owner: found user");
  files.owner = ::geteuid();
  // Who can write there can take the rule away.
  ASSERT_EQ(::chmod(files.folder.c_str(), 0775), 0);
  expectFailure("etc: mode: found 0775");
  ASSERT_EQ(::chmod(files.folder.c_str(), 0755), 0);
  const std::string keys = files.folder + "/trusted-keys.d";
  ASSERT_EQ(::chmod(keys.c_str(), 0775), 0);
  expectFailure("trusted-keys.d: mode: found 0775");
  ASSERT_EQ(::chmod(keys.c_str(), 0755), 0);
  ASSERT_EQ(::unlink(level.c_str()), 0);
  ASSERT_EQ(::mkdir(level.c_str(), 0755), 0);
  expectFailure("etc/signatures: cannot read: it is not a regular file");
}

TEST_F(Trust, MessagesSayWhatWasFound) {
  trustKey("two.pub");
  Result<PackageTrust> trust = configured();
  const Bytes plain = goldenPlain().bytes;
  const Bytes byOne = signedBy(plain, keyNumber(1));
  EXPECT_NE(
      trust->check(tableOf(byOne))
          .text()
          .find("test: signatures: found those by " + keyId(keyNumber(1).publicKey()) +
                ", expected one by a key of HET_TRUSTED_KEYS (1 key); have it signed "
                "by 'hetpkg sign', "),
      std::string::npos)
      << trust->check(tableOf(byOne)).text();
  EXPECT_NE(trust->check(tableOf(plain)).text().find("signatures: found none, expected"),
            std::string::npos);
}

TEST_F(Trust, RequiredTakesTheKeysThatAreNamed) {
  const Bytes byOne = signedBy(goldenPlain().bytes, keyNumber(1));
  Result<PackageTrust> trust = PackageTrust::required(folder / "one.pub", files);
  ASSERT_TRUE(trust.ok()) << trust.status().text();
  EXPECT_TRUE(trust->check(tableOf(byOne)).ok());
  trust = PackageTrust::required(folder / "two.pub", files);
  EXPECT_FALSE(trust->check(tableOf(byOne)).ok());
  EXPECT_FALSE(PackageTrust::required("", files).ok()) << "there are none";
  // The administrator's rule holds for keys of the environment, and not for such that
  // the command names.
  addSystemKey();
  write("etc/signatures", "warn\n");
  const Bytes byTwo = signedBy(goldenPlain().bytes, keyNumber(2));
  trustKey("two.pub");
  EXPECT_FALSE(PackageTrust::required("", files)->check(tableOf(byTwo)).ok());
  EXPECT_TRUE(
      PackageTrust::required(folder / "two.pub", files)->check(tableOf(byTwo)).ok());
}
