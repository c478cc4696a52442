// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's only JSON writer: its output is valid whatever the strings hold.

#ifndef HET_BASE_JSON_H
#define HET_BASE_JSON_H

#include <cstdint>
#include <string>
#include <string_view>

namespace het {

/// Writes one document. Inside an object every value is preceded by key().
class JsonWriter {
public:
  static constexpr unsigned allLevels = ~0u;

  /// In the outermost `brokenLevels` levels each element has a line of its own, indented
  /// by two spaces a level; deeper ones stay on one line.
  explicit JsonWriter(unsigned brokenLevels = allLevels) : brokenLevels(brokenLevels) {}

  void beginObject() { open('{'); }
  void endObject() { close('}'); }
  void beginArray() { open('['); }
  void endArray() { close(']'); }
  JsonWriter &key(std::string_view name);

  void value(std::string_view text);
  void value(const std::string &text) { value(std::string_view(text)); }
  void value(const char *text) { value(std::string_view(text)); }
  void value(uint64_t number) { rawValue(std::to_string(number)); }
  void value(uint32_t number) { value(uint64_t(number)); }
  void value(int64_t number) { rawValue(std::to_string(number)); }
  void value(bool truth) { rawValue(truth ? "true" : "false"); }
  /// `json` is a whole value already.
  void rawValue(std::string_view json);

  /// key(name) and value(v).
  template <typename T> void field(std::string_view name, const T &v) {
    key(name).value(v);
  }

  /// Takes what has been written since the last call; the document may go on.
  std::string take();

private:
  void open(char bracket);
  void close(char bracket);
  void breakLine();
  /// Writes what stands before a key or an array's element.
  void separate();
  void quote(std::string_view text);

  unsigned brokenLevels;
  std::string text;
  unsigned depth = 0;
  bool first = true; ///< Nothing yet in the innermost brackets.
  bool afterKey = false;
};

} // namespace het

#endif // HET_BASE_JSON_H
