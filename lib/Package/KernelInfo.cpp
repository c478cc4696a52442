// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the words for the enumerations of KernelInfo.h, and kernels their numbers.

#include "het/Package/KernelInfo.h"
#include "het/Base/Hash.h"

#include <cstring>

using namespace het;

/// Like numbers of functions (docs/spec/hetir.md), kernels' are no valid addresses.
uint64_t het::kernelNumber(std::string_view name) {
  const Digest digest = sha256(ByteView(name));
  uint64_t number = 0;
  std::memcpy(&number, digest.data(), sizeof(number));
  return uint64_t(0xFD) << 56 | number >> 8;
}

const char *het::reasonName(SafePointReason reason) {
  switch (reason) {
  case SafePointReason::Entry:
    return "entry";
  case SafePointReason::Barrier:
    return "barrier";
  case SafePointReason::Loop:
    return "loop";
  }
  return "unknown";
}

const char *het::levelName(SlotLevel level) {
  switch (level) {
  case SlotLevel::Grid:
    return "grid";
  case SlotLevel::Block:
    return "block";
  case SlotLevel::Team:
    return "team";
  case SlotLevel::Lane:
    return "lane";
  }
  return "unknown";
}

const char *het::kindName(VariableKind kind) {
  switch (kind) {
  case VariableKind::Global:
    return "global";
  case VariableKind::Constant:
    return "constant";
  case VariableKind::Managed:
    return "managed";
  case VariableKind::Heap:
    return "heap";
  case VariableKind::Launches:
    return "launches";
  }
  return "unknown";
}
