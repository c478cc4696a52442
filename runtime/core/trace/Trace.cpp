// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps spans in memory and writes them when the process ends.

#include "core/trace/Trace.h"
#include "core/Shutdown.h"
#include "core/trace/StreamTrace.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <unistd.h>

namespace het::core {

/// Some hundred bytes each.
static constexpr size_t mostSpans = 2000000;

/// In the file each event has a line: the object, its array, and there the events.
static constexpr unsigned brokenLevels = 2;

std::string TraceArguments::text() const {
  if (!fields)
    return "{}";
  JsonWriter whole = *fields;
  whole.endObject();
  return whole.take();
}

thread_local uint32_t traceCorrelation = 0;
std::atomic<Trace::Observer> Trace::observer{nullptr};

static std::atomic<Trace *> &instance() {
  static std::atomic<Trace *> trace{nullptr};
  return trace;
}

Trace *Trace::get() { return instance().load(std::memory_order_acquire); }

Status Trace::start(const std::string &path) {
  static std::mutex starting;
  std::lock_guard<std::mutex> lock(starting);
  if (get())
    return Status::success();
  if (!path.empty()) {
    FILE *file = std::fopen(path.c_str(), "w");
    if (!file)
      return unavailable(std::strerror(errno), path);
    std::fclose(file);
  }
  instance() = new Trace(path, getpid());
  return Status::success();
}

Status Trace::startForTool() {
  const std::string path = environment::textOrDefault(Variable::Profile);
  if (Status status = start(path); !status.ok())
    return status;
  // The runtime writes the file, if there ever is one: behind the drivers' own handlers.
  static const int registered = std::atexit([] {
    if (!Shutdown::isBeforeLibraries())
      get()->write();
  });
  return registered == 0 ? Status::success() : unavailable("no memory", "atexit");
}

unsigned Trace::track(unsigned device, const std::string &deviceName,
                      const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  for (unsigned known = 0; known < tracks.size(); ++known)
    if (tracks[known].device == device && tracks[known].name == name)
      return known;
  tracks.push_back({device, deviceName, name, {}});
  return static_cast<unsigned>(tracks.size() - 1);
}

void Trace::rename(unsigned track, const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  if (track < tracks.size())
    tracks[track].shown = name;
}

void Trace::add(unsigned track, const std::string &name, Time begin, Time end,
                const TraceArguments &arguments) {
  add(Kind::Nested, track, name, begin, end, arguments.text());
}

void Trace::add(Kind kind, unsigned track, const std::string &name, Time begin, Time end,
                std::string arguments) {
  if (path.empty())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (spans.size() < mostSpans)
    spans.push_back({track, name, begin, end, std::move(arguments), kind});
  else
    ++leftOut;
}

void Trace::add(StreamTrace &stream) {
  std::lock_guard<std::mutex> lock(streamsMutex);
  streams.insert(&stream);
}

void Trace::remove(StreamTrace &stream) {
  std::lock_guard<std::mutex> lock(streamsMutex);
  streams.erase(&stream);
}

/// An event that gives a device or one of its tracks a name.
static void writeName(JsonWriter &json, const char *kind, unsigned device,
                      std::optional<uint64_t> track, const std::string &name) {
  json.beginObject();
  json.field("ph", "M");
  json.field("name", kind);
  json.field("pid", device);
  if (track)
    json.field("tid", *track);
  json.key("args").beginObject();
  json.field("name", name);
  json.endObject();
  json.endObject();
}

void Trace::writeNames(JsonWriter &json) const {
  std::map<unsigned, std::string> devices;
  for (const Track &track : tracks)
    devices[track.device] = track.deviceName;
  for (const auto &[device, name] : devices)
    writeName(json, "process_name", device, {},
              device == program ? name
                                : "device " + std::to_string(device) + " (" + name + ")");
  for (size_t at = 0; at < tracks.size(); ++at)
    writeName(json, "thread_name", tracks[at].device, at,
              tracks[at].shown.empty() ? tracks[at].name : tracks[at].shown);
}

/// In microseconds, as the format has it.
static void writeTime(JsonWriter &json, const char *name, Trace::Clock::duration time) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.3f",
                std::chrono::duration<double, std::micro>(time).count());
  json.key(name).rawValue(text);
}

/// Two events, of its begin and its end, that a number of their own joins.
void Trace::writeOverlapping(JsonWriter &json, const Span &span) const {
  const auto id = static_cast<uint64_t>(&span - spans.data());
  for (const bool ends : {false, true}) {
    json.beginObject();
    json.field("ph", ends ? "e" : "b");
    json.field("cat", "range");
    json.field("id", id);
    json.field("name", span.name);
    json.field("pid", tracks[span.track].device);
    json.field("tid", span.track);
    writeTime(json, "ts", (ends ? span.end : span.begin) - zero);
    json.key("args").rawValue(span.arguments);
    json.endObject();
  }
}

void Trace::write(JsonWriter &json, const Span &span) const {
  if (span.kind == Kind::Overlapping)
    return writeOverlapping(json, span);
  const bool isInstant = span.kind == Kind::Instant;
  json.beginObject();
  json.field("ph", isInstant ? "i" : "X");
  json.field("name", span.name);
  json.field("pid", tracks[span.track].device);
  json.field("tid", span.track);
  writeTime(json, "ts", span.begin - zero);
  if (isInstant)
    json.field("s", "t");
  else
    writeTime(json, "dur", span.end - span.begin);
  json.key("args").rawValue(span.arguments);
  json.endObject();
}

void Trace::writeDocument(FILE *file) const {
  JsonWriter json(brokenLevels);
  auto flush = [&] { std::fputs(json.take().c_str(), file); };
  json.beginObject();
  json.field("displayTimeUnit", "ms");
  json.key("traceEvents").beginArray();
  writeNames(json);
  for (const Span &span : spans) {
    write(json, span);
    flush();
  }
  json.beginObject();
  json.field("ph", "M");
  json.field("name", "spans_left_out");
  json.field("pid", 0u);
  json.key("args").beginObject();
  json.field("number", leftOut);
  json.endObject();
  json.endObject();
  json.endArray();
  json.endObject();
  flush();
  std::fputc('\n', file);
}

void Trace::collect(bool waits) {
  std::lock_guard<std::mutex> lock(streamsMutex);
  for (StreamTrace *stream : streams)
    stream->collect(waits);
}

unsigned Trace::deviceOf(unsigned track) {
  std::lock_guard<std::mutex> lock(mutex);
  return tracks[track].device;
}

void Trace::write() {
  if (process != getpid() || path.empty())
    return;
  collect(false);
  std::lock_guard<std::mutex> lock(mutex);
  FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return log(Level::Error, "%s: %s", path.c_str(), std::strerror(errno));
  writeDocument(file);
  const bool bad = std::ferror(file) != 0;
  if (std::fclose(file) || bad)
    log(Level::Error, "%s: can not be written", path.c_str());
  if (leftOut)
    log(Level::Warn, "%s: %llu spans are left out, as there are more than %zu",
        path.c_str(), static_cast<unsigned long long>(leftOut), mostSpans);
}

} // namespace het::core
