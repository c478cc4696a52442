// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of keys. Strict: one form, so that a key file is what it looks like.

#include "het/Package/Keys.h"

#include "het/Base/Hash.h"

#include <algorithm>

using namespace het;

static constexpr std::string_view publicHeader = "hetpkg public key v1";
static constexpr std::string_view privateHeader = "hetpkg private key v1";
static constexpr size_t idDigits = 32;

static char digitOf(unsigned value) { return "0123456789abcdef"[value]; }

template <size_t N> static std::string hexText(const std::array<uint8_t, N> &bytes) {
  std::string text;
  text.reserve(2 * N);
  for (uint8_t byte : bytes) {
    text += digitOf(byte >> 4);
    text += digitOf(byte & 15);
  }
  return text;
}

/// Exactly 32 bytes in lower-case hexadecimal.
static bool parseHex(std::string_view text, std::array<uint8_t, 32> &bytes) {
  auto valueOf = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (text.size() != 2 * bytes.size())
    return false;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const int high = valueOf(text[2 * i]), low = valueOf(text[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    bytes[i] = static_cast<uint8_t>(high << 4 | low);
  }
  return true;
}

std::string het::keyId(const PublicKey &key) {
  return hex(sha256({key.data(), key.size()})).substr(0, idDigits);
}

static std::string keyText(std::string_view header, const std::string &id,
                           const char *label, const std::string &value) {
  std::string text;
  text.reserve(256); // so that a secret is not left behind where it grows
  text.append(header).append("\nid ").append(id);
  text.append("\n").append(label).append(" ").append(value).append("\n");
  return text;
}

std::string het::publicKeyText(const PublicKey &key) {
  return keyText(publicHeader, keyId(key), "key", hexText(key));
}

std::string het::privateKeyText(const PrivateKey &key) {
  PrivateKey::Seed seed = key.seed();
  std::string digits = hexText(seed);
  std::string text = keyText(privateHeader, keyId(key.publicKey()), "seed", digits);
  wipe(seed.data(), seed.size());
  wipe(digits.data(), digits.size());
  return text;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// The lines of a key file, borrowed. Those that begin with '#' are left out.
struct Lines {
  std::string_view header, id, value;
};

} // namespace

/// The three lines, if there are three and each ends.
static bool splitLines(std::string_view text, Lines &lines) {
  std::string_view *parts[] = {&lines.header, &lines.id, &lines.value};
  size_t count = 0;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return false;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (count > 0 && !line.empty() && line[0] == '#')
      continue;
    if (count == std::size(parts))
      return false;
    *parts[count++] = line;
  }
  return count == std::size(parts);
}

static bool takePrefix(std::string_view &line, std::string_view prefix) {
  if (line.substr(0, prefix.size()) != prefix)
    return false;
  line.remove_prefix(prefix.size());
  return true;
}

static Status wrongText(const std::string &found, std::string_view expected,
                        const char *remedy) {
  return invalid(
      foundExpected("key file", found, "'" + std::string(expected) + "'", remedy));
}

/// The value of a file of this kind.
static Status parse(std::string_view text, std::string_view header,
                    std::string_view other, const char *label, Lines &lines,
                    std::array<uint8_t, 32> &value) {
  const std::string_view first = text.substr(0, text.find('\n'));
  const bool isPrivate = header == privateHeader;
  if (first == other)
    return wrongText(isPrivate ? "a public key" : "a private key", header,
                     isPrivate ? "name the private one, hetpkg.key"
                               : "name the public one, hetpkg.pub, and keep this one "
                                 "secret");
  if (first != header)
    return wrongText("other text", header,
                     "name a file that 'hetpkg keygen' has made; a newer version may "
                     "have another form");
  if (splitLines(text, lines) && takePrefix(lines.id, "id ") &&
      takePrefix(lines.value, label) && parseHex(lines.value, value))
    return Status::success();
  return wrongText("other lines behind the first",
                   "id …' and '" + std::string(label) + "…",
                   "the file is damaged: copy it again");
}

static Status checkId(std::string_view found, const PublicKey &key) {
  if (found == keyId(key))
    return Status::success();
  return invalid(foundExpected(
      "key file: id", "'" + std::string(found.substr(0, idDigits)) + "'",
      "'" + keyId(key) + "', as of the key", "the file is damaged: copy it again"));
}

Result<PublicKey> het::parsePublicKey(const std::string &text) {
  Lines lines;
  PublicKey key;
  Status status = parse(text, publicHeader, privateHeader, "key ", lines, key);
  if (status.ok())
    status = checkId(lines.id, key);
  if (status.ok() && !isPublicKey(key))
    status = invalid(foundExpected("key file: key", "bytes that are none",
                                   "a point of Ed25519",
                                   "the file is damaged: copy it again"));
  if (!status.ok())
    return status;
  return key;
}

Result<PrivateKey> het::parsePrivateKey(const std::string &text) {
  Lines lines;
  PrivateKey::Seed seed{};
  Status status = parse(text, privateHeader, publicHeader, "seed ", lines, seed);
  const PrivateKey key(seed);
  wipe(seed.data(), seed.size());
  if (status.ok())
    status = checkId(lines.id, key.publicKey());
  if (!status.ok())
    return status;
  return key;
}
