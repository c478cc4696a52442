// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program of NVRTC's: what it was made of, and what the last compilation made.

#ifndef HET_RUNTIME_RTC_PROGRAM_H
#define HET_RUNTIME_RTC_PROGRAM_H

#pragma GCC visibility push(default)
#include "nvrtc.h"
#pragma GCC visibility pop

#include "het/Package/CompilerRecords.h"

struct _nvrtcProgram {
  het::rtc::CompileRequest request;
  het::rtc::Reply reply;
  bool wasCompiled = false; ///< Whether or not it went well.
  int (*callback)(void *, void *) = nullptr;
  void *payload = nullptr;
};

#endif // HET_RUNTIME_RTC_PROGRAM_H
