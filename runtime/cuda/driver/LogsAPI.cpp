// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: the errors and warnings of the log, for the program. The last hundred are
// kept.

#include "Driver.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <deque>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <vector>

using namespace het;
using namespace het::cuda;
using namespace het::cuda::driver;

struct CUlogsCallbackEntry_st {
  CUlogsCallback function;
  void *data;
};

namespace {

constexpr size_t mostMessages = 100;
/// CUDA's: a program may count on a buffer of this size.
constexpr size_t mostBytes = 256;

using Callback = std::shared_ptr<CUlogsCallbackEntry_st>;

class Messages {
public:
  static Messages &get() {
    static auto *instance = new Messages;
    return *instance;
  }

  void note(CUlogLevel level, std::string message) {
    std::vector<Callback> told;
    {
      std::lock_guard<std::mutex> lock(mutex);
      lines.push_back(lineOf(level, message));
      ++end;
      if (lines.size() > mostMessages)
        lines.pop_front();
      told = callbacks;
    }
    for (const Callback &callback : told)
      callback->function(callback->data, level, message.data(), message.size());
  }

  CUlogsCallbackHandle add(CUlogsCallback function, void *data) {
    std::lock_guard<std::mutex> lock(mutex);
    callbacks.push_back(
        std::make_shared<CUlogsCallbackEntry_st>(CUlogsCallbackEntry_st{function, data}));
    return callbacks.back().get();
  }

  bool remove(CUlogsCallbackHandle handle) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found =
        std::find_if(callbacks.begin(), callbacks.end(),
                     [&](const Callback &callback) { return callback.get() == handle; });
    if (found == callbacks.end())
      return false;
    callbacks.erase(found);
    return true;
  }

  /// The number that the next message gets.
  CUlogIterator next() {
    std::lock_guard<std::mutex> lock(mutex);
    return end;
  }

  /// The lines from a message on that are still there and fit, the latest ones first
  /// thought of; null: all. The iterator is behind them then.
  std::string from(CUlogIterator *iterator, size_t most) {
    std::lock_guard<std::mutex> lock(mutex);
    const CUlogIterator first = end - static_cast<CUlogIterator>(lines.size());
    size_t wanted = lines.size();
    if (iterator)
      wanted = std::min<size_t>(wanted, end - std::clamp(*iterator, first, end));
    size_t bytes = 0, fitting = 0;
    while (fitting < wanted && bytes + lines[lines.size() - fitting - 1].size() <= most)
      bytes += lines[lines.size() - ++fitting].size();
    std::string text;
    for (size_t at = lines.size() - fitting; at < lines.size(); ++at)
      text += lines[at];
    if (iterator)
      *iterator = end;
    return text;
  }

private:
  /// "[12:34:56][THREAD][CUDA][E] MESSAGE", cut where it is longer than CUDA's.
  static std::string lineOf(CUlogLevel level, const std::string &message) {
    const time_t now = std::time(nullptr);
    tm parts = {};
    localtime_r(&now, &parts);
    char head[64];
    std::snprintf(head, sizeof(head), "[%02d:%02d:%02d][%d][CUDA][%c] ", parts.tm_hour,
                  parts.tm_min, parts.tm_sec, gettid(),
                  level == CU_LOG_LEVEL_ERROR ? 'E' : 'W');
    return (head + message).substr(0, mostBytes - 1) + "\n";
  }

  std::mutex mutex; ///< Guards what follows.
  std::deque<std::string> lines;
  CUlogIterator end = 0; ///< How many messages there have been.
  std::vector<Callback> callbacks;
};

/// A callback that logs is not told of that.
void note(Level level, const char *message, size_t length) {
  static thread_local bool isInside = false;
  if (isInside)
    return;
  isInside = true;
  try {
    Messages::get().note(level == Level::Error ? CU_LOG_LEVEL_ERROR
                                               : CU_LOG_LEVEL_WARNING,
                         std::string(message, length));
  } catch (const std::bad_alloc &) {
    isInside = false; // the message is printed all the same
    return;
  }
  isInside = false;
}

/// From the beginning: what was logged before the program asks is there, too.
[[maybe_unused]] const bool isListening = (setLogListener(note), true);

} // namespace

CUresult cuLogsRegisterCallback(CUlogsCallback function, void *data,
                                CUlogsCallbackHandle *handle) try {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  CUlogsCallbackHandle made = Messages::get().add(function, data);
  if (handle)
    *handle = made;
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) try {
  return handle && Messages::get().remove(handle) ? CUDA_SUCCESS
                                                  : CUDA_ERROR_INVALID_VALUE;
}
HET_CATCH

CUresult cuLogsCurrent(CUlogIterator *iterator, unsigned flags) try {
  if (!iterator || flags)
    return CUDA_ERROR_INVALID_VALUE;
  *iterator = Messages::get().next();
  return CUDA_SUCCESS;
}
HET_CATCH

CUresult cuLogsDumpToFile(CUlogIterator *iterator, const char *path, unsigned flags) try {
  if (!path || flags)
    return CUDA_ERROR_INVALID_VALUE;
  FILE *file = std::fopen(path, "we");
  if (!file)
    return CUDA_ERROR_INVALID_VALUE;
  const std::string text = Messages::get().from(iterator, SIZE_MAX);
  const bool isWritten = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && isWritten ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
HET_CATCH

/// Ends in a NUL, which the size leaves out.
CUresult cuLogsDumpToMemory(CUlogIterator *iterator, char *buffer, size_t *size,
                            unsigned flags) try {
  if (!buffer || !size || !*size || flags)
    return CUDA_ERROR_INVALID_VALUE;
  const std::string text = Messages::get().from(iterator, *size - 1);
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  *size = text.size();
  return CUDA_SUCCESS;
}
HET_CATCH
