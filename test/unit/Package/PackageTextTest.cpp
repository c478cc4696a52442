// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages in texts: what goes in comes out, and nothing else does.

#include "het/Package/PackageText.h"

#include <gtest/gtest.h>

using namespace het;

static constexpr std::string_view ptx =
    ".version 8.0\n.target sm_90\n// het-package is a word\n";

TEST(PackageText, RoundTrip) {
  Bytes package;
  for (unsigned size = 0; size < 300; ++size) {
    const std::string text = writePackageText(std::string(ptx), package);
    ASSERT_TRUE(holdsPackage(text));
    EXPECT_EQ(text.substr(0, ptx.size()), ptx);
    Result<Bytes> read = readPackageText(text, "a.ptx");
    ASSERT_TRUE(read.ok()) << size << ": " << read.status().text();
    EXPECT_EQ(*read, package);
    package.push_back(static_cast<uint8_t>(size * 151 + 7));
  }
}

TEST(PackageText, EndsALine) {
  EXPECT_TRUE(readPackageText(writePackageText(".version 8.0", Bytes{1}), "").ok());
  EXPECT_TRUE(readPackageText(writePackageText("", Bytes{1}), "").ok());
}

TEST(PackageText, RefusesEdits) {
  const std::string text = writePackageText(std::string(ptx), Bytes{1, 2, 3, 4, 5});
  for (size_t at = 0; at < text.size(); ++at) {
    std::string edited = text;
    edited[at] = edited[at] == 'x' ? 'y' : 'x';
    Result<Bytes> read = readPackageText(edited, "a.ptx");
    // A digit of the package itself: the package's own digests tell.
    if (read.ok())
      EXPECT_NE(*read, (Bytes{1, 2, 3, 4, 5})) << at;
    EXPECT_FALSE(at < ptx.size() && read.ok()) << at;
  }
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(readPackageText(text.substr(0, size), "a.ptx").ok()) << size;
  EXPECT_FALSE(readPackageText(text + "// more\n", "a.ptx").ok());
  const std::string said = readPackageText("//\n" + text, "a.ptx").status().text();
  EXPECT_NE(said.find("a.ptx: PTX text with a package: found another text"),
            std::string::npos)
      << said;
}

TEST(PackageText, PlainPtxHasNone) {
  EXPECT_FALSE(holdsPackage(ptx));
  EXPECT_FALSE(readPackageText(ptx, "a.ptx").ok());
}
