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
#include <unistd.h>

namespace het::core {

/// Some hundred bytes each.
static constexpr size_t mostSpans = 2000000;

/// As JSON's string; what is no printable ASCII is a question mark.
static std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c < ' ' || c > '~' ? '?' : c;
  }
  return result + "\"";
}

TraceArguments &TraceArguments::add(const char *name, const std::string &value) {
  json += (json.empty() ? "" : ",") + quoted(name) + ":" + quoted(value);
  return *this;
}

TraceArguments &TraceArguments::add(const char *name, uint64_t value) {
  json += (json.empty() ? "" : ",") + quoted(name) + ":" + std::to_string(value);
  return *this;
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

/// The names of devices and tracks.
std::string Trace::header() const {
  std::string text;
  std::map<unsigned, std::string> devices;
  for (const Track &track : tracks)
    devices[track.device] = track.deviceName;
  for (const auto &[device, name] : devices)
    text += "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + std::to_string(device) +
            ",\"args\":{\"name\":" +
            quoted("device " + std::to_string(device) + " (" + name + ")") + "}},\n";
  for (size_t at = 0; at < tracks.size(); ++at)
    text += "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" +
            std::to_string(tracks[at].device) + ",\"tid\":" + std::to_string(at) +
            ",\"args\":{\"name\":" + quoted(tracks[at].name) + "}},\n";
  return text;
}

std::string Trace::text(const Span &span) const {
  auto microseconds = [](Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
  };
  char times[100];
  std::snprintf(times, sizeof(times), "\"ts\":%.3f,\"dur\":%.3f",
                microseconds(span.begin - zero), microseconds(span.end - span.begin));
  return "{\"ph\":\"X\",\"name\":" + quoted(span.name) +
         ",\"pid\":" + std::to_string(tracks[span.track].device) +
         ",\"tid\":" + std::to_string(span.track) + "," + times + ",\"args\":{" +
         span.arguments + "}}";
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
  std::fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", file);
  std::fputs(header().c_str(), file);
  for (const Span &span : spans)
    std::fputs((text(span) + ",\n").c_str(), file);
  // So that nothing has to be left out behind the last one.
  std::fprintf(file,
               "{\"ph\":\"M\",\"name\":\"spans_left_out\",\"pid\":0,\"args\":"
               "{\"number\":%llu}}\n]}\n",
               static_cast<unsigned long long>(leftOut));
  const bool bad = std::ferror(file) != 0;
  if (std::fclose(file) || bad)
    log(Level::Error, "%s: can not be written", path.c_str());
  if (leftOut)
    log(Level::Warn, "%s: %llu spans are left out, as there are more than %zu",
        path.c_str(), static_cast<unsigned long long>(leftOut), mostSpans);
}

} // namespace het::core
