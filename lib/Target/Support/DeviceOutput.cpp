// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device printf: C's conversions over arguments that lie packed in memory, each at its
// natural alignment (CUDA programming guide, Formatted Output). As in CUDA the text
// appears when the host waits for the kernel.

#include "DeviceOutput.h"

#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <string>

namespace het::target {
namespace {

/// Takes arguments off the packed buffer.
class Arguments {
public:
  explicit Arguments(const void *start) : cursor(reinterpret_cast<uintptr_t>(start)) {}
  template <typename T> T take() {
    cursor = (cursor + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, reinterpret_cast<const void *>(cursor), sizeof(T));
    cursor += sizeof(T);
    ++count;
    return value;
  }
  int32_t count = 0;

private:
  uintptr_t cursor;
};

/// One conversion of a format, `%` to its letter.
struct Conversion {
  std::string text;
  char letter = 0;
  bool isLong = false; ///< l, ll, j, z, t: 8 bytes on the device
};

/// Reads the conversion at `format`, whose width and precision may be arguments.
Conversion readConversion(const char *&format, Arguments &arguments) {
  Conversion result;
  result.text = *format++;
  for (; *format; ++format) {
    char c = *format;
    if (c == '*') {
      result.text += std::to_string(arguments.take<int32_t>());
    } else if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'q') {
      result.isLong = true;
    } else if (c == 'h' || c == 'L') {
      if (c == 'h')
        result.text += c;
    } else if (std::strchr("0123456789+-# .'", c)) {
      result.text += c;
    } else {
      result.letter = c;
      ++format;
      break;
    }
  }
  return result;
}

template <typename T>
void append(std::string &out, const std::string &conversion, T value) {
  char small[256];
  int size = std::snprintf(small, sizeof(small), conversion.c_str(), value);
  if (size < 0)
    return;
  if (static_cast<size_t>(size) < sizeof(small)) {
    out.append(small, size);
    return;
  }
  std::string large(size + 1, '\0');
  std::snprintf(large.data(), large.size(), conversion.c_str(), value);
  out.append(large.data(), size);
}

void convert(std::string &out, const Conversion &c, Arguments &arguments) {
  switch (c.letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    if (c.isLong)
      append(out, c.text + "ll" + c.letter, arguments.take<long long>());
    else
      append(out, c.text + c.letter, arguments.take<int32_t>());
    return;
  case 'c':
    append(out, c.text + 'c', arguments.take<int32_t>());
    return;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    append(out, c.text + c.letter, arguments.take<double>());
    return;
  case 's': {
    const char *text = arguments.take<const char *>();
    append(out, c.text + 's', text ? text : "(null)");
    return;
  }
  case 'p':
    append(out, c.text + 'p', arguments.take<const void *>());
    return;
  case '%':
    out += '%';
    return;
  default:
    out += c.text;
    if (c.letter)
      out += c.letter;
  }
}

/// Output of kernels since the host last waited for them.
struct Output {
  std::mutex mutex;
  std::string text;
};

Output &output() {
  // In place, since who destroys a queue may have no memory left. Never destroyed:
  // kernels may run until the process ends.
  alignas(Output) static char place[sizeof(Output)];
  static Output *output = new (place) Output;
  return *output;
}

} // namespace

int32_t print(const char *format, const void *start) {
  if (!format)
    return -1;
  Arguments arguments(start);
  std::string out;
  while (*format) {
    const char *percent = std::strchr(format, '%');
    if (!percent) {
      out += format;
      break;
    }
    out.append(format, percent);
    format = percent;
    convert(out, readConversion(format, arguments), arguments);
  }
  std::lock_guard<std::mutex> lock(output().mutex);
  output().text += out;
  return arguments.count;
}

void flushOutput() {
  std::string text;
  {
    std::lock_guard<std::mutex> lock(output().mutex);
    text.swap(output().text);
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

} // namespace het::target
