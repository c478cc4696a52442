// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel has left behind it: output, failed assertions, its fault.

#include "SPIRVDevice.h"

#include "../../Support/DeviceOutput.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cxxabi.h>

namespace het::spirv {
namespace {

std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

void reportAssertion(const HetSpirvRecord &record, const char *text) {
  const char *message = text, *file = message + std::strlen(message) + 1;
  const char *function = file + std::strlen(file) + 1;
  std::fflush(stdout);
  std::fprintf(stderr,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
               "failed.\n",
               file, record.line, function, record.block[0], record.block[1],
               record.block[2], record.thread[0], record.thread[1], record.thread[2],
               message);
}

/// Puts the addresses of the texts behind the arguments in place of the kernel's own:
/// each %s takes the next text, unless it is null.
class Arguments {
public:
  Arguments(const HetSpirvRecord &record, uint8_t *arguments, const char *texts)
      : format(reinterpret_cast<const char *>(&record + 1)), arguments(arguments),
        texts(texts) {}

  void place() {
    for (const char *at = format; *at;) {
      if (*at++ != '%')
        continue;
      bool isLong = false;
      for (; *at && !std::strchr("diouxXcsSpeEfFgGaAn%", *at); ++at) {
        if (*at == '*')
          take(4);
        isLong |= std::strchr("ljztq", *at) != nullptr;
      }
      if (*at)
        placeOne(*at++, isLong);
    }
  }

private:
  void placeOne(char letter, bool isLong) {
    if (letter == 's') {
      uint64_t *address = reinterpret_cast<uint64_t *>(arguments + take(8));
      if (*address) {
        *address = reinterpret_cast<uint64_t>(texts);
        texts += std::strlen(texts) + 1;
      }
    } else if (std::strchr("diouxX", letter)) {
      take(isLong ? 8 : 4);
    } else if (letter == 'c') {
      take(4);
    } else if (std::strchr("peEfFgGaA", letter)) {
      take(8);
    }
  }
  size_t take(size_t size) {
    size_t begin = (offset + size - 1) / size * size;
    offset = begin + size;
    return begin;
  }

  const char *format;
  uint8_t *arguments;
  const char *texts;
  size_t offset = 0;
};

void print(const HetSpirvRecord &record) {
  auto *begin = reinterpret_cast<const uint8_t *>(&record);
  size_t first = (sizeof(HetSpirvRecord) + record.formatBytes + 7) / 8 * 8;
  std::vector<uint64_t> copy(record.argumentBytes / 8 + 2);
  std::memcpy(copy.data(), begin + first, record.argumentBytes);
  auto *arguments = reinterpret_cast<uint8_t *>(copy.data());
  auto *texts = reinterpret_cast<const char *>(begin + first + record.argumentBytes);
  Arguments(record, arguments, texts).place();
  target::print(reinterpret_cast<const char *>(&record + 1), arguments);
}

} // namespace

void collectServices(HetQueue &queue, const std::string &kernel) {
  const HetSpirvServices &services = queue.left();
  const uint8_t *output = queue.output.get();
  uint64_t end = std::min(services.outputUsed, services.outputBytes);
  for (uint64_t at = 0; at + sizeof(HetSpirvRecord) <= end;) {
    auto &record = *reinterpret_cast<const HetSpirvRecord *>(output + at);
    if (record.bytes < sizeof(HetSpirvRecord) || record.bytes > end - at)
      break; // the one that did not fit
    if (record.kind == HET_SPIRV_PRINTF)
      print(record);
    else
      reportAssertion(record, reinterpret_cast<const char *>(&record + 1));
    at += record.bytes;
  }
  std::string place = "kernel '" + demangled(kernel) + "'";
  if (services.fault == HET_SPIRV_FAULT_ASSERT)
    queue.device->fail(HET_FAULT_ASSERT, place + ": an assertion failed");
  else if (services.fault == HET_SPIRV_FAULT_TRAP)
    queue.device->fail(HET_FAULT_TRAP, place + " trapped");
  else if (services.fault == HET_SPIRV_FAULT_STACK)
    queue.device->fail(HET_FAULT_ILLEGAL_ADDRESS,
                       place + ": functions that call themselves are nested too deep");
  else if (services.fault == HET_SPIRV_FAULT_FREE)
    queue.device->fail(HET_FAULT_ILLEGAL_ADDRESS,
                       place + ": free of what malloc did not give");
}

} // namespace het::spirv
