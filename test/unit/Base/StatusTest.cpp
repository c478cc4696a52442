// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status and Result.

#include "het/Base/Status.h"

#include <gtest/gtest.h>
#include <memory>

using namespace het;

TEST(Status, SuccessIsOkAndSaysNothing) {
  EXPECT_TRUE(Status::success().ok());
  EXPECT_EQ(Status::success().text(), "");
}

TEST(Status, MakersSetTheCode) {
  EXPECT_EQ(invalid("m").code, Code::Invalid);
  EXPECT_EQ(unsupported("m").code, Code::Unsupported);
  EXPECT_EQ(unavailable("m").code, Code::Unavailable);
  EXPECT_EQ(internal("m").code, Code::Internal);
  EXPECT_FALSE(invalid("m").ok());
  EXPECT_STREQ(codeName(Code::Unavailable), "unavailable");
}

TEST(Status, TextBeginsWithTheOrigin) {
  EXPECT_EQ(invalid("wrong", "a.hetpkg").text(), "a.hetpkg: wrong");
  EXPECT_EQ(invalid("wrong").from("b").text(), "b: wrong");
  EXPECT_EQ(invalid("wrong", "a").from("b").text(), "a: wrong");
  EXPECT_EQ(Status::success().from("b").text(), "");
}

TEST(Status, FormOfAMessage) {
  EXPECT_EQ(foundExpected("size", "3", "4", "do that"),
            "size: found 3, expected 4; do that");
}

TEST(Result, HoldsAValueOrAFailure) {
  Result<int> good = 3;
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 3);
  EXPECT_TRUE(good.status().ok());

  Result<int> bad = invalid("no");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.status().message, "no");
}

TEST(Result, MovesTheValueOut) {
  Result<std::unique_ptr<int>> owner = std::make_unique<int>(7);
  ASSERT_TRUE(owner.ok());
  std::unique_ptr<int> taken = owner.take();
  EXPECT_EQ(*taken, 7);
}
