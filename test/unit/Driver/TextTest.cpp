// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splitting and quoting.

#include "Text.h"

#include <gtest/gtest.h>

using namespace het::driver;
using Words = std::vector<std::string>;

TEST(DriverText, WordsAreSplitAsAShellDoes) {
  EXPECT_EQ(splitWords(""), Words());
  EXPECT_EQ(splitWords("  a  b\n\tc "), (Words{"a", "b", "c"}));
  EXPECT_EQ(splitWords("\"a b\" 'c d' e\\ f"), (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(splitWords("-DX=\"a\\\"b\" ''"), (Words{"-DX=a\"b", ""}));
}

TEST(DriverText, ListsRespectQuotesAndBackslashes) {
  auto split = [](const char *text) {
    auto items = splitList(text, ListStyle::Paths);
    return items ? *items : Words{"error: " + toString(items.takeError())};
  };
  EXPECT_EQ(split("a,b,c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(split("a\\,b,c"), (Words{"a,b", "c"}));
  EXPECT_EQ(split("\"a,b\",c"), (Words{"a,b", "c"}));
  EXPECT_EQ(split("-Wl,-rpath,$ORIGIN"), (Words{"-Wl", "-rpath", "$ORIGIN"}));
  EXPECT_EQ(split("it's,ok"), (Words{"it's", "ok"}));
  EXPECT_EQ(split("a\"b"), Words{"error: Stray '\"' character in 'a\"b'"});
}

TEST(DriverText, QuotedWordsReadBack) {
  for (const char *word : {"plain", "a b", "\"", "$HOME", "", "a\\b", "`x`"})
    EXPECT_EQ(splitWords(std::string(quoted(word))), (Words{word}));
  EXPECT_EQ(quoted("-L/usr/lib"), "-L/usr/lib");
}
