// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes JSON with its commas, lines and escapes.

#include "het/Base/Json.h"

#include <utility>

using namespace het;

void JsonWriter::breakLine() {
  text += '\n';
  text.append(2 * depth, ' ');
}

void JsonWriter::separate() {
  if (std::exchange(afterKey, false))
    return;
  const bool isBroken = depth <= brokenLevels;
  if (!first)
    text += isBroken ? "," : ", ";
  if (depth > 0 && isBroken)
    breakLine();
  first = false;
}

void JsonWriter::open(char bracket) {
  separate();
  text += bracket;
  ++depth;
  first = true;
}

void JsonWriter::close(char bracket) {
  const bool isBroken = depth <= brokenLevels;
  --depth;
  if (!first && isBroken)
    breakLine();
  text += bracket;
  first = false;
}

JsonWriter &JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text += ": ";
  afterKey = true;
  return *this;
}

void JsonWriter::value(std::string_view string) {
  separate();
  quote(string);
}

void JsonWriter::rawValue(std::string_view json) {
  separate();
  text += json;
}

std::string JsonWriter::take() { return std::exchange(text, {}); }

/// The length of the well-formed UTF-8 sequence at the start of `text`; 0 if
/// there is none (Unicode, table 3-7).
static size_t sequenceLength(std::string_view text) {
  auto at = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  auto in = [&](size_t i, unsigned low, unsigned high) {
    return at(i) >= low && at(i) <= high;
  };
  unsigned lead = at(0);
  if (lead < 0x80)
    return 1;
  if (lead >= 0xc2 && lead <= 0xdf)
    return in(1, 0x80, 0xbf) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
    unsigned high = lead == 0xed ? 0x9f : 0xbf;
    return in(1, low, high) && in(2, 0x80, 0xbf) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    unsigned low = lead == 0xf0 ? 0x90 : 0x80;
    unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
    bool good = in(1, low, high) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf);
    return good ? 4 : 0;
  }
  return 0;
}

void JsonWriter::quote(std::string_view string) {
  static const char digits[] = "0123456789abcdef";
  text += '"';
  while (!string.empty()) {
    unsigned char c = static_cast<unsigned char>(string.front());
    size_t length = sequenceLength(string);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += string.front();
    } else if (c < 0x20) {
      text += "\\u00";
      text += digits[c >> 4];
      text += digits[c & 15];
    } else if (length == 0) {
      text += "\\ufffd";
      length = 1;
    } else {
      text += string.substr(0, length);
    }
    string.remove_prefix(length);
  }
  text += '"';
}
