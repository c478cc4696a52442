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

#include <atomic>
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

/// A piece of work that a device did, for a tool in the process.
struct TraceWork {
  enum class Kind { Other, Launch, Copy, Fill };

  Kind kind = Kind::Other;
  uint32_t grid[3] = {}, block[3] = {};
  uint64_t sharedBytes = 0; ///< Dynamic.
  uint64_t bytes = 0;
  const void *to = nullptr, *from = nullptr;
  bool isToDevice = false, isFromDevice = false; ///< Else they are of the host.
  uint32_t pattern = 0;

  // What the trace adds.
  const char *name = nullptr;
  unsigned device = 0, stream = 0; ///< The stream is its line in the trace.
  uint32_t correlation = 0;        ///< Of the call that put it into its stream.
  int64_t begin = 0, end = 0;      ///< Nanoseconds of Trace::Clock.
};

/// A number for the work that this thread puts into streams, which a tool gives.
extern thread_local uint32_t traceCorrelation;

class StreamTrace;

class Trace {
public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  /// The process's trace; null where none is wanted. Never destroyed.
  static Trace *get();
  /// From now on there is one, if there was none. Fails if the file can not be written.
  static Status start(const std::string &path);
  /// From now on there is one, in the file that HET_PROFILE names, else in none.
  static Status startForTool();

  /// Whoever is told of all work besides; null: nobody.
  using Observer = void (*)(const TraceWork &work);
  static std::atomic<Observer> observer;

  /// The program itself, beside the devices.
  static constexpr unsigned program = 1000000;

  /// A line of the picture: of a device, which has this name.
  unsigned track(unsigned device, const std::string &deviceName, const std::string &name);

  /// From now on a line is shown with this name.
  void rename(unsigned track, const std::string &name);

  void add(unsigned track, const std::string &name, Time begin, Time end,
           const TraceArguments &arguments = {});

  /// What a program says of itself. Overlapping: spans of one line need not be one inside
  /// the other. Instant: the end counts for nothing.
  enum class Kind { Nested, Overlapping, Instant };
  /// `arguments`: a JSON object.
  void add(Kind kind, unsigned track, const std::string &name, Time begin, Time end,
           std::string arguments);

  /// Streams whose device keeps the times, until they are reached.
  void add(StreamTrace &stream);
  void remove(StreamTrace &stream);

  /// Takes what streams have done by now; `waits`: all that they have been given.
  void collect(bool waits);
  /// The number of the device of a line.
  unsigned deviceOf(unsigned track);

  /// Puts all that is known into the file, once more where that was done before.
  void write();

private:
  struct Track {
    unsigned device;
    std::string deviceName, name;
    std::string shown; ///< Instead of the name; empty: the name.
  };
  struct Span {
    unsigned track;
    std::string name;
    Time begin, end;
    std::string arguments; ///< A JSON object.
    Kind kind;
  };

  Trace(std::string path, int process)
      : path(std::move(path)), process(process), zero(Clock::now()) {}
  void writeDocument(std::FILE *file) const;
  void writeNames(JsonWriter &json) const;
  void write(JsonWriter &json, const Span &span) const;
  void writeOverlapping(JsonWriter &json, const Span &span) const;

  const std::string path; ///< Empty: there is no file.
  const int process;      ///< One that fork() makes leaves the file alone.
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
