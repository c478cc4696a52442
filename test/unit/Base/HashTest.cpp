// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 against the examples of FIPS 180-4; BLAKE2b against Python's.

#include "het/Base/Hash.h"

#include <gtest/gtest.h>

using namespace het;

TEST(Hash, KnownDigests) {
  EXPECT_EQ(hex(sha256(ByteView())), "e3b0c44298fc1c149afbf4c8996fb924"
                                     "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256(ByteView(std::string_view("abc")))),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash, PartsEqualTheWhole) {
  Sha256 hash;
  hash.update(ByteView(std::string_view("a")))
      .update(ByteView())
      .update(ByteView(std::string_view("bc")));
  EXPECT_EQ(hash.finish(), sha256(ByteView(std::string_view("abc"))));
}

TEST(Hash, FieldsKeepTheirBorders) {
  Digest first = Sha256().field("ab").field("c").finish();
  Digest second = Sha256().field("a").field("bc").finish();
  EXPECT_NE(first, second);
  EXPECT_EQ(first, Sha256().field("ab").field("c").finish());
}

TEST(Hash, Blake2bOfParts) {
  auto view = [](std::string_view text) { return ByteView(text); };
  EXPECT_EQ(hex(blake2b({view("ab"), view("c"), ByteView()})),
            "83be13b801b31cd06330bcb69396b0e9"
            "507f58ddc7099a1875fa75a9cfc7e635"); // each with its length in 64 bits
  EXPECT_NE(blake2b({view("ab"), view("c")}), blake2b({view("a"), view("bc")}));
  EXPECT_NE(blake2b({view("ab")}), blake2b({view("ab"), ByteView()}));
}
