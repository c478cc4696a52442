// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of libhetrt that the libraries beside it use, which answer for NVIDIA's tools
// (docs/design/tools.md). They are of the same build: its version is the release's.

#ifndef HET_RUNTIME_CUDA_TOOLINTERFACE_H
#define HET_RUNTIME_CUDA_TOOLINTERFACE_H

#include "core/trace/Trace.h"

#include <cstdint>

struct HetToolInterface {
  /// Whether there is a trace with a file (hetrun --profile).
  bool (*hasTrace)();
  /// Names the line of a thread of the program, or of a stream (null: the legacy one of
  /// the current device).
  void (*nameThread)(unsigned thread, const char *name);
  void (*nameStream)(void *stream, const char *name);
  /// Adds what a thread of the program did. Times are nanoseconds of het::core::Trace's
  /// clock; `arguments` is a JSON object.
  void (*addSpan)(het::core::Trace::Kind kind, unsigned thread, const char *name,
                  int64_t begin, int64_t end, const char *arguments);

  /// From now on `observer` is told of all work that devices have done; null: nobody is.
  /// Streams are looked through by collect(), with `waits` for all work, and now and
  /// then.
  bool (*observe)(het::core::Trace::Observer observer);
  void (*collect)(bool waits);
  /// The number of what this thread puts into streams from now on.
  void (*setCorrelation)(uint32_t number);
  /// The functions of HookedFunctions.def, in its order, and how many there are.
  void *const *functions;
  unsigned functionCount;
  /// From now on programs reach these instead of those; null: where there is none. The
  /// table stays.
  void (*setHooks)(void *const *hooks);
};

extern "C" __attribute__((visibility("default"))) const HetToolInterface *
hetToolInterface();

#endif // HET_RUNTIME_CUDA_TOOLINTERFACE_H
