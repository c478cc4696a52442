// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces of what the program itself says, for the library of NVTX.

#include "ToolInterface.h"
#include "Stream.h"

#include "core/Stream.h"
#include "core/trace/Trace.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <string>

extern "C" {
// Of Hooks.S.
extern std::atomic<void *const *> hetApiHooks;
extern void *const hetApiFunctions[];
}

namespace {

enum : unsigned {
#define HET_HOOKED_RUNTIME(name, version, number, parameters, arguments) Of_##name,
#define HET_HOOKED_RUNTIME_PLAIN(name, version, number) Of_##name,
#define HET_HOOKED_DRIVER(name, number, parameters, arguments) Of_##name,
#define HET_HOOKED_DRIVER_PLAIN(name, number) Of_##name,
#include "HookedFunctions.def"
  functionCount
};

using het::core::Trace;

/// The trace, if it has a file. It may begin here: programs annotate before they use
/// CUDA.
Trace *findTrace() {
  static const bool isWanted = het::environment::text(het::Variable::Profile).has_value();
  static const het::Status status =
      isWanted ? Trace::startForTool() : het::Status::success();
  return isWanted && status.ok() ? Trace::get() : nullptr;
}

std::string nameOf(unsigned thread) { return "thread " + std::to_string(thread); }

unsigned lineOf(Trace &trace, unsigned thread) {
  return trace.track(Trace::program, "program", nameOf(thread));
}

bool hasTrace() { return findTrace(); }

void nameThread(unsigned thread, const char *name) {
  if (Trace *trace = findTrace())
    trace->rename(lineOf(*trace, thread), nameOf(thread) + " (" + name + ")");
}

void nameStream(void *handle, const char *name) {
  Trace *trace = findTrace();
  CUstream_st *stream = nullptr;
  if (!trace || het::cuda::resolveStream(static_cast<cudaStream_t>(handle), stream) ||
      !stream->queue)
    return;
  if (std::optional<unsigned> line = stream->queue->traceTrack())
    trace->rename(*line, name);
}

void addSpan(Trace::Kind kind, unsigned thread, const char *name, int64_t begin,
             int64_t end, const char *arguments) {
  auto timeOf = [](int64_t nanoseconds) {
    return Trace::Time(std::chrono::nanoseconds(nanoseconds));
  };
  if (Trace *trace = findTrace())
    trace->add(kind, lineOf(*trace, thread), name, timeOf(begin), timeOf(end), arguments);
}

bool observe(Trace::Observer observer) {
  if (observer && !Trace::startForTool().ok())
    return false;
  Trace::observer = observer;
  return true;
}

void collect(bool waits) {
  if (Trace *trace = Trace::get())
    trace->collect(waits);
}

void setCorrelation(uint32_t number) { het::core::traceCorrelation = number; }

void setHooks(void *const *hooks) { hetApiHooks = hooks; }

} // namespace

const HetToolInterface *hetToolInterface() {
  static constexpr HetToolInterface interface = {
      hasTrace, nameThread,     nameStream,      addSpan,       observe,
      collect,  setCorrelation, hetApiFunctions, functionCount, setHooks};
  return &interface;
}
