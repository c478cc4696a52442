// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads packages in comments of a text:
//
//   // het-package 1 DIGEST SIZE      of the text before this line; of the package
//   // BASE64…
//   // end of het-package

#include "het/Package/PackageText.h"

#include "het/Base/Hash.h"

#include <array>
#include <charconv>
#include <optional>

using namespace het;

static constexpr std::string_view beginMark = "// het-package 1 ";
static constexpr std::string_view endMark = "// end of het-package\n";
static constexpr std::string_view comment = "// ";
static constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

//===----------------------------------------------------------------------===//
// Base64
//===----------------------------------------------------------------------===//

static std::string encode(ByteView bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size; at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? bytes.data[at + i] : 0);
    for (size_t i = 0; i < 4; ++i)
      text += i <= count ? digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

/// Nothing if the text is not what encode() writes.
static std::optional<Bytes> decode(std::string_view text) {
  Bytes bytes;
  if (text.size() % 4)
    return std::nullopt;
  for (size_t at = 0; at < text.size(); at += 4) {
    uint32_t group = 0;
    size_t count = 0;
    for (; count < 4 && text[at + count] != '='; ++count) {
      const size_t digit = digits.find(text[at + count]);
      if (digit == std::string_view::npos)
        return std::nullopt;
      group |= static_cast<uint32_t>(digit) << (18 - 6 * count);
    }
    if (count < 2 || (count < 4 && at + 4 != text.size()))
      return std::nullopt;
    for (size_t i = 0; i + 1 < count; ++i)
      bytes.push_back(static_cast<uint8_t>(group >> (16 - 8 * i)));
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Where the mark begins a line; npos: nowhere.
static size_t findMark(std::string_view text) {
  size_t at = text.find(beginMark);
  while (at != std::string_view::npos && at != 0 && text[at - 1] != '\n')
    at = text.find(beginMark, at + 1);
  return at;
}

bool het::holdsPackage(std::string_view text) {
  return findMark(text) != std::string_view::npos;
}

std::string het::writePackageText(std::string text, ByteView package) {
  constexpr size_t width = 96;
  if (!text.empty() && text.back() != '\n')
    text += '\n';
  const std::string digest = hex(sha256(ByteView(std::string_view(text))));
  text += beginMark;
  text += digest + " " + std::to_string(package.size) + "\n";
  const std::string encoded = encode(package);
  for (size_t at = 0; at < encoded.size(); at += width)
    text += "// " + encoded.substr(at, width) + "\n";
  return text.append(endMark);
}

/// Takes the next line off `text`, without its end.
static std::string_view nextLine(std::string_view &text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

static Status changed(const std::string &what, const std::string &origin) {
  return invalid(foundExpected("PTX text with a package", what,
                               "it as hetcc has written it: the package in it is what "
                               "runs, so an edit would have no effect",
                               "write it anew with hetcc -ptx"),
                 origin);
}

Result<Bytes> het::readPackageText(std::string_view text, const std::string &origin) {
  const size_t mark = findMark(text);
  if (mark == std::string_view::npos)
    return invalid(foundExpected("PTX text", "no package in it", "one that hetcc wrote",
                                 "compile the CUDA source with hetcc -ptx"),
                   origin);
  const std::string_view readable = text.substr(0, mark);
  text.remove_prefix(mark + beginMark.size());
  const std::string_view head = nextLine(text);
  const size_t blank = std::min(head.find(' '), head.size());
  if (head.substr(0, blank) != hex(sha256(ByteView(readable))))
    return changed("another text than its digest is of", origin);
  uint64_t size = 0;
  const std::string_view number = head.substr(std::min(blank + 1, head.size()));
  std::from_chars(number.data(), number.data() + number.size(), size);
  std::string encoded;
  while (text.size() > endMark.size() && text.substr(0, endMark.size()) != endMark) {
    std::string_view line = nextLine(text);
    if (line.substr(0, comment.size()) != comment)
      return changed("a line in it that is no comment", origin);
    encoded += line.substr(comment.size());
  }
  if (text != endMark)
    return changed("something behind its end, or no end", origin);
  std::optional<Bytes> package = decode(encoded);
  if (!package || package->size() != size)
    return changed("no package of " + std::to_string(size) + " bytes in its comments",
                   origin);
  return std::move(*package);
}
