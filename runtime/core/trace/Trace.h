// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A timeline of what a process's devices did, as a file that Perfetto and
// chrome://tracing show (the Trace Event Format's JSON): `hetrun --profile`. A device is
// a process there. A stream is one of its threads, and so is what is done with the device
// as a whole.

#ifndef HET_RUNTIME_CORE_TRACE_TRACE_H
#define HET_RUNTIME_CORE_TRACE_TRACE_H

#include "het/Base/Json.h"
#include "het/Base/Status.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace het::core {

/// Facts of a span beside its name.
class TraceArguments {
public:
  template <typename T> TraceArguments &add(const char *name, const T &value) {
    if (!fields)
      fields.emplace(/*brokenLevels=*/0).beginObject();
    fields->field(name, value);
    return *this;
  }

  /// A JSON object.
  std::string text() const;

private:
  std::optional<JsonWriter> fields; ///< Work that nobody traces makes none.
};

class StreamTrace;

class Trace {
public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  /// The process's trace; null where none is wanted. Never destroyed.
  static Trace *get();
  /// From now on there is one. Fails if the file can not be written.
  static Status start(const std::string &path);

  /// A line of the picture: of a device, which has this name.
  unsigned track(unsigned device, const std::string &deviceName, const std::string &name);

  void add(unsigned track, const std::string &name, Time begin, Time end,
           const TraceArguments &arguments = {});

  /// Streams whose device keeps the times, until they are reached.
  void add(StreamTrace &stream);
  void remove(StreamTrace &stream);

  /// Puts all that is known into the file, once more where that was done before.
  void write();

private:
  struct Track {
    unsigned device;
    std::string deviceName, name;
  };
  struct Span {
    unsigned track;
    std::string name;
    Time begin, end;
    std::string arguments; ///< A JSON object.
  };

  Trace(std::string path, int process)
      : path(std::move(path)), process(process), zero(Clock::now()) {}
  void writeDocument(std::FILE *file) const;
  void writeNames(JsonWriter &json) const;
  void write(JsonWriter &json, const Span &span) const;

  const std::string path;
  const int process; ///< One that fork() makes leaves the file alone.
  const Time zero;
  std::mutex streamsMutex; ///< Guards `streams`; taken before `mutex`.
  std::set<StreamTrace *> streams;
  std::mutex mutex; ///< Guards what follows.
  std::vector<Track> tracks;
  std::vector<Span> spans;
  uint64_t leftOut = 0;
};

/// A span from here to the end of the scope, if there is a trace.
class TraceScope {
public:
  TraceScope(unsigned track, std::string name)
      : trace(Trace::get()), track(track), name(std::move(name)),
        begin(Trace::Clock::now()) {}
  ~TraceScope() {
    if (trace && !name.empty())
      trace->add(track, name, begin, Trace::Clock::now(), arguments);
  }
  TraceScope(const TraceScope &) = delete;
  TraceScope &operator=(const TraceScope &) = delete;

  /// There is to be none.
  void drop() { name.clear(); }
  TraceArguments arguments;

private:
  Trace *trace;
  const unsigned track;
  std::string name;
  const Trace::Time begin;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_TRACE_TRACE_H
