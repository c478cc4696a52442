// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log: a level, a prefix, one write for each line.

#include "het/Base/Log.h"

#include "het/Base/Environment.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

using namespace het;

namespace {
struct Settings {
  std::atomic<const char *> prefix{"het"};
  std::atomic<Level> level{Level::Warn};
  std::atomic<LogListener> listener{nullptr};
};
} // namespace

static Settings &settings() {
  static Settings shared;
  return shared;
}

Status het::setUpLog(const char *prefix) {
  settings().prefix = prefix;
  Result<size_t> level = environment::choice(Variable::Log);
  if (!level.ok())
    return level.status();
  setLogLevel(static_cast<Level>(*level));
  return Status::success();
}

void het::setLogLevel(Level level) { settings().level = level; }

bool het::logs(Level level) {
  return level <= settings().level.load(std::memory_order_relaxed);
}

void het::setLogListener(LogListener listener) noexcept {
  settings().listener = listener;
}

static const char *label(Level level) {
  switch (level) {
  case Level::Error:
    return "error";
  case Level::Warn:
    return "warning";
  case Level::Info:
    return "info";
  case Level::Debug:
    return "debug";
  }
  return "message";
}

void het::log(Level level, const char *format, ...) {
  const LogListener listener =
      level <= Level::Warn ? settings().listener.load() : nullptr;
  if (!logs(level) && !listener)
    return;
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(length > 0 ? static_cast<size_t>(length) + 1 : 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  text.back() = '\n';
  if (listener)
    listener(level, text.data(), text.size() - 1);
  if (!logs(level))
    return;

  std::string line = std::string(settings().prefix) + ": " + label(level) + ": " + text;
  ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  static_cast<void>(ignored);
}
