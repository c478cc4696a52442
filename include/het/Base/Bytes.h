// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Byte sequences: owned (Bytes), borrowed (ByteView), and a little-endian
// reader and writer over them. The reader is made for hostile input: it never
// reads past its end, and after the first failure it yields zeros.

#ifndef HET_BASE_BYTES_H
#define HET_BASE_BYTES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace het {

using Bytes = std::vector<uint8_t>;

/// Borrowed, read-only bytes. The owner must outlive the view.
struct ByteView {
  const uint8_t *data = nullptr;
  size_t size = 0;

  ByteView() = default;
  ByteView(const uint8_t *data, size_t size) : data(data), size(size) {}
  ByteView(const Bytes &bytes) : data(bytes.data()), size(bytes.size()) {}
  explicit ByteView(std::string_view text)
      : data(reinterpret_cast<const uint8_t *>(text.data())), size(text.size()) {}

  const uint8_t *begin() const { return data; }
  const uint8_t *end() const { return data + size; }
  bool empty() const { return size == 0; }

  /// `count` bytes from `offset` on; nothing if that is not wholly inside.
  std::optional<ByteView> slice(uint64_t offset, uint64_t count) const {
    if (offset > size || count > size - offset)
      return std::nullopt;
    return ByteView(data + offset, static_cast<size_t>(count));
  }

  std::string_view text() const { return {reinterpret_cast<const char *>(data), size}; }
  Bytes copy() const { return Bytes(begin(), end()); }
};

/// Same length and content.
bool sameBytes(ByteView a, ByteView b);

/// Reads little-endian numbers, strings and lists. Failure is sticky: after a
/// read past the end every read yields zero or empty, so that a record can be
/// read to its end and checked once.
class ByteReader {
public:
  explicit ByteReader(ByteView view) : view(view) {}

  uint8_t u8() { return static_cast<uint8_t>(number(1)); }
  uint16_t u16() { return static_cast<uint16_t>(number(2)); }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  uint64_t u64() { return number(8); }
  int64_t i64() { return static_cast<int64_t>(number(8)); }

  /// The next `count` bytes, borrowed.
  ByteView bytes(uint64_t count);

  /// A u32 length and that many bytes.
  std::string string();
  std::string_view stringView();

  /// A u32 count of elements of at least `minimumSize` bytes each. Fails if the
  /// rest cannot hold them, so the count is safe to allocate by.
  uint32_t count(size_t minimumSize);

  size_t position() const { return offset; }
  size_t remaining() const { return view.size - offset; }
  bool failed() const { return failure; }
  /// Everything was read and nothing failed.
  bool finished() const { return !failure && remaining() == 0; }
  /// Marks what was read as wrong (a value out of its range).
  void fail() { failure = true; }

private:
  uint64_t number(size_t width);

  ByteView view;
  size_t offset = 0;
  bool failure = false;
};

/// Appends little-endian numbers, strings and bytes.
class ByteWriter {
public:
  void u8(uint8_t value) { number(value, 1); }
  void u16(uint16_t value) { number(value, 2); }
  void u32(uint32_t value) { number(value, 4); }
  void u64(uint64_t value) { number(value, 8); }
  void i64(int64_t value) { number(static_cast<uint64_t>(value), 8); }
  void bytes(ByteView view);
  /// A u32 length and the bytes.
  void string(std::string_view text);
  void zeros(size_t count) { buffer.resize(buffer.size() + count); }

  size_t size() const { return buffer.size(); }
  const Bytes &view() const { return buffer; }
  Bytes take() { return std::move(buffer); }

private:
  void number(uint64_t value, size_t width);

  Bytes buffer;
};

} // namespace het

#endif // HET_BASE_BYTES_H
