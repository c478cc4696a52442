// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads output, failed assertions and faults from the records of kernels.

#include "ServiceRecords.h"

#include "DeviceOutput.h"
#include "het/Target/TargetABI.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <vector>

namespace het::target {
namespace {

std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = text ? text : name;
  std::free(text);
  return result;
}

void reportAssertion(const HetServiceRecord &record, const char *text) {
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
  Arguments(const HetServiceRecord &record, uint8_t *arguments, const char *texts)
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

void printRecord(const HetServiceRecord &record) {
  auto *begin = reinterpret_cast<const uint8_t *>(&record);
  size_t first = (sizeof(HetServiceRecord) + record.formatBytes + 7) / 8 * 8;
  std::vector<uint64_t> copy(record.argumentBytes / 8 + 2);
  std::memcpy(copy.data(), begin + first, record.argumentBytes);
  auto *arguments = reinterpret_cast<uint8_t *>(copy.data());
  auto *texts = reinterpret_cast<const char *>(begin + first + record.argumentBytes);
  Arguments(record, arguments, texts).place();
  het::target::print(reinterpret_cast<const char *>(&record + 1), arguments);
}

} // namespace

void carryOutRecords(const uint8_t *output, uint64_t used) {
  for (uint64_t at = 0; at + sizeof(HetServiceRecord) <= used;) {
    auto &record = *reinterpret_cast<const HetServiceRecord *>(output + at);
    if (record.bytes < sizeof(HetServiceRecord) || record.bytes > used - at)
      break; // the one that did not fit
    if (record.kind == HET_SERVICE_PRINTF)
      printRecord(record);
    else
      reportAssertion(record, reinterpret_cast<const char *>(&record + 1));
    at += record.bytes;
  }
}

ServiceFault serviceFault(uint32_t fault, const std::string &kernel) {
  const std::string place = "kernel '" + demangled(kernel) + "'";
  switch (fault) {
  case HET_SERVICE_FAULT_ASSERT:
    return {HET_FAULT_ASSERT, place + ": an assertion failed"};
  case HET_SERVICE_FAULT_TRAP:
    return {HET_FAULT_TRAP, place + " trapped"};
  case HET_SERVICE_FAULT_STACK:
    return {HET_FAULT_ILLEGAL_ADDRESS,
            place + ": functions that call themselves are nested too deep"};
  case HET_SERVICE_FAULT_FREE:
    return {HET_FAULT_ILLEGAL_ADDRESS, place + ": free of what malloc did not give"};
  default:
    return {HET_FAULT_NONE, ""};
  }
}

} // namespace het::target
