// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small JSON writer: valid output whatever the strings hold.

#ifndef HET_TOOLS_HETPKG_JSON_H
#define HET_TOOLS_HETPKG_JSON_H

#include <cstdint>
#include <string>
#include <string_view>

namespace het {

/// Writes one document, two spaces a level. Inside an object every value is
/// preceded by key().
class JsonWriter {
public:
  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  JsonWriter &key(std::string_view name);

  void value(std::string_view text);
  void value(const std::string &text) { value(std::string_view(text)); }
  void value(const char *text) { value(std::string_view(text)); }
  void value(uint64_t number);
  void value(uint32_t number) { value(uint64_t(number)); }
  void value(int64_t number);
  void value(bool truth);

  /// key(name) and value(v).
  template <typename T> void field(std::string_view name, const T &v) {
    key(name).value(v);
  }

  std::string take() { return std::move(text) + "\n"; }

private:
  void open(char bracket);
  void close(char bracket);
  /// Writes what stands before a key or an array's element.
  void separate();
  void quote(std::string_view text);

  std::string text;
  unsigned depth = 0;
  bool first = true; ///< Nothing yet in the innermost brackets.
  bool afterKey = false;
};

} // namespace het

#endif // HET_TOOLS_HETPKG_JSON_H
