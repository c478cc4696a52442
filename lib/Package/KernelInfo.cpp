// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the words for the enumerations of KernelInfo.h.

#include "het/Package/KernelInfo.h"

using namespace het;

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
  }
  return "unknown";
}
