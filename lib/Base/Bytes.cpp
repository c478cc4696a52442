// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes little-endian numbers and strings in memory.

#include "het/Base/Bytes.h"

#include <cstring>

using namespace het;

bool het::sameBytes(ByteView a, ByteView b) {
  return a.size == b.size && (a.size == 0 || std::memcmp(a.data, b.data, a.size) == 0);
}

uint64_t ByteReader::number(size_t width) {
  ByteView field = bytes(width);
  uint64_t value = 0;
  for (size_t i = field.size; i > 0; --i)
    value = value << 8 | field.data[i - 1];
  return value;
}

ByteView ByteReader::bytes(uint64_t count) {
  if (failure || count > remaining()) {
    failure = true;
    return {};
  }
  ByteView field(view.data + offset, static_cast<size_t>(count));
  offset += field.size;
  return field;
}

std::string_view ByteReader::stringView() {
  uint32_t length = u32();
  ByteView field = bytes(length);
  return field.empty() ? std::string_view() : field.text();
}

std::string ByteReader::string() { return std::string(stringView()); }

uint32_t ByteReader::count(size_t minimumSize) {
  uint32_t elements = u32();
  if (failure || uint64_t(elements) * minimumSize > remaining()) {
    failure = true;
    return 0;
  }
  return elements;
}

void ByteWriter::number(uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i)
    buffer.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

void ByteWriter::bytes(ByteView view) {
  buffer.insert(buffer.end(), view.begin(), view.end());
}

void ByteWriter::string(std::string_view text) {
  u32(static_cast<uint32_t>(text.size()));
  bytes(ByteView(text));
}
