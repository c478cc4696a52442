// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "het/Base/Json.h"

#include <gtest/gtest.h>

using namespace het;

static void writeSample(JsonWriter &json) {
  json.beginObject();
  json.field("name", "a");
  json.key("list").beginArray();
  json.beginObject();
  json.field("x", 1u);
  json.field("y", int64_t(-2));
  json.endObject();
  json.rawValue("2.500");
  json.value(true);
  json.endArray();
  json.key("none").beginArray();
  json.endArray();
  json.endObject();
}

TEST(JsonTest, IndentsEachLevel) {
  JsonWriter json;
  writeSample(json);
  EXPECT_EQ(json.take(), "{\n"
                         "  \"name\": \"a\",\n"
                         "  \"list\": [\n"
                         "    {\n"
                         "      \"x\": 1,\n"
                         "      \"y\": -2\n"
                         "    },\n"
                         "    2.500,\n"
                         "    true\n"
                         "  ],\n"
                         "  \"none\": []\n"
                         "}");
}

TEST(JsonTest, KeepsDeeperLevelsOnOneLine) {
  JsonWriter json(2);
  writeSample(json);
  EXPECT_EQ(json.take(), "{\n"
                         "  \"name\": \"a\",\n"
                         "  \"list\": [\n"
                         "    {\"x\": 1, \"y\": -2},\n"
                         "    2.500,\n"
                         "    true\n"
                         "  ],\n"
                         "  \"none\": []\n"
                         "}");
}

TEST(JsonTest, IsTakenInPieces) {
  JsonWriter whole(0), pieces(0);
  writeSample(whole);
  pieces.beginObject();
  std::string text = pieces.take();
  pieces.field("name", "a");
  text += pieces.take();
  pieces.key("list").beginArray();
  pieces.endArray();
  text += pieces.take();
  pieces.endObject();
  text += pieces.take();
  EXPECT_EQ(whole.take(), R"({"name": "a", "list": [{"x": 1, "y": -2}, 2.500, true], )"
                          R"("none": []})");
  EXPECT_EQ(text, R"({"name": "a", "list": []})");
}

static std::string quoted(std::string_view text) {
  JsonWriter json;
  json.value(text);
  return json.take();
}

TEST(JsonTest, EscapesWhatAStringMayNotHold) {
  EXPECT_EQ(quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quoted(std::string_view("\n\0\x1f", 3)), R"("\u000a\u0000\u001f")");
}

TEST(JsonTest, KeepsUnicodeAndReplacesWhatIsNone) {
  EXPECT_EQ(quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
            "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
  EXPECT_EQ(quoted("a\xff"), "\"a\\ufffd\"");
  EXPECT_EQ(quoted("\xc0\x80"), "\"\\ufffd\\ufffd\"");          // overlong
  EXPECT_EQ(quoted("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")"); // a surrogate
  EXPECT_EQ(quoted("\xe2\x82"), R"("\ufffd\ufffd")");           // cut short
}
