// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps spans in memory and writes them when the process ends.

#include "core/trace/Trace.h"
#include "core/trace/StreamTrace.h"
#include "het/Base/Log.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
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

static std::atomic<Trace *> &instance() {
  static std::atomic<Trace *> trace{nullptr};
  return trace;
}

Trace *Trace::get() { return instance().load(std::memory_order_acquire); }

Status Trace::start(const std::string &path) {
  FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return unavailable(std::strerror(errno), path);
  std::fclose(file);
  instance() = new Trace(path, getpid());
  return Status::success();
}

unsigned Trace::track(unsigned device, const std::string &deviceName,
                      const std::string &name) {
  std::lock_guard<std::mutex> lock(mutex);
  for (unsigned known = 0; known < tracks.size(); ++known)
    if (tracks[known].device == device && tracks[known].name == name)
      return known;
  tracks.push_back({device, deviceName, name});
  return static_cast<unsigned>(tracks.size() - 1);
}

void Trace::add(unsigned track, const std::string &name, Time begin, Time end,
                const TraceArguments &arguments) {
  std::lock_guard<std::mutex> lock(mutex);
  if (spans.size() < mostSpans)
    spans.push_back({track, name, begin, end, arguments.text()});
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
              "device " + std::to_string(device) + " (" + name + ")");
  for (size_t at = 0; at < tracks.size(); ++at)
    writeName(json, "thread_name", tracks[at].device, at, tracks[at].name);
}

/// In microseconds, as the format has it.
static void writeTime(JsonWriter &json, const char *name, Trace::Clock::duration time) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.3f",
                std::chrono::duration<double, std::micro>(time).count());
  json.key(name).rawValue(text);
}

void Trace::write(JsonWriter &json, const Span &span) const {
  json.beginObject();
  json.field("ph", "X");
  json.field("name", span.name);
  json.field("pid", tracks[span.track].device);
  json.field("tid", span.track);
  writeTime(json, "ts", span.begin - zero);
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

void Trace::write() {
  if (process != getpid())
    return;
  {
    std::lock_guard<std::mutex> lock(streamsMutex);
    for (StreamTrace *stream : streams)
      stream->collect(false);
  }
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
