// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that CUPTI's parts share: which subscriber wants which callbacks and records.

#ifndef HET_RUNTIME_CUPTI_CUPTI_H
#define HET_RUNTIME_CUPTI_CUPTI_H

#include "cuda/ToolInterface.h"

#pragma GCC visibility push(default)
#include <cupti.h>
#pragma GCC visibility pop

#include <atomic>
#include <cstdint>

namespace het::cupti {

/// A function that is called back.
struct Function {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId number;
  const char *name;        ///< The program's: cudaMalloc.
  const char *traceName;   ///< With its version: cudaMalloc_v3020.
  std::atomic<bool> calls; ///< Whether the subscriber is called back.
};
extern Function functions[];
extern const unsigned functionCount;

/// The function of this number; null: none.
Function *find(CUpti_CallbackDomain domain, CUpti_CallbackId number);

/// Has programs reach the functions that tell the tool, if it wants to know of anything.
void updateHooks();
/// Whether the subscriber is called back by anything.
bool hasCallbacks();
void callBack(const Function &function, const CUpti_CallbackData &data);

/// Nanoseconds, as in the records.
uint64_t now();

/// Whether records of this kind are made.
bool isRecorded(CUpti_ActivityKind kind);
bool recordsAnything();
/// Keeps a record until buffers are flushed.
void keep(const void *record, size_t size);
/// A record of a call, and of the ids that the tool has put around it.
void recordCall(const Function &function, uint64_t start, uint64_t end,
                uint32_t correlation, uint32_t result);
/// Hands records over if there are many.
void handOverIfMany();

/// What the log says of a thing that is not there, once.
CUptiResult refuse(const char *what);
/// Returns the result, which cuptiGetLastError will say.
CUptiResult remember(CUptiResult result);

} // namespace het::cupti

#endif // HET_RUNTIME_CUPTI_CUPTI_H
