// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the progress of long work, at most ten times a second.

#include "het/Base/ProgressBar.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace het {

static constexpr auto firstAfter = std::chrono::seconds(1);
static constexpr auto interval = std::chrono::milliseconds(100);

ProgressBar::ProgressBar(std::string label, int file, Now now, Unit unit)
    : label(std::move(label)), file(file), isTerminal(isatty(file)), now(std::move(now)),
      unit(unit), begin(this->now()), next(begin + firstAfter) {}

static void print(int file, const std::string &text) {
  // Nothing can be done where the terminal is gone.
  if (write(file, text.data(), text.size()) < 0)
    return;
}

ProgressBar::~ProgressBar() {
  if (hasDrawn)
    print(file, "\r\x1b[K");
}

static std::string bytesText(double bytes) {
  static constexpr const char *units[] = {"B", "KB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit)
    bytes /= 1000;
  char text[32];
  std::snprintf(text, sizeof(text), unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

std::string ProgressBar::line(const std::string &label, uint64_t done, uint64_t total,
                              double seconds, unsigned columns, Unit unit) {
  const double part = total ? std::min(1.0, double(done) / double(total)) : 1.0;
  char percent[16];
  std::snprintf(percent, sizeof(percent), "%3.0f%%", part * 100);
  const bool isOfBytes = unit == Unit::Bytes;
  auto text = [&](uint64_t count) {
    return isOfBytes ? bytesText(double(count)) : std::to_string(count);
  };
  std::string end = std::string(" ") + percent + " " + text(done) + " of " + text(total);
  if (isOfBytes && seconds > 0)
    end += ", " + bytesText(double(done) / seconds) + "/s";
  std::string line = label;
  const size_t taken = label.size() + end.size() + 3; // brackets and a space
  if (columns >= taken + 8) {
    const size_t cells = std::min<size_t>(columns - taken, 40);
    const auto filled = static_cast<size_t>(part * double(cells));
    line += " [" + std::string(filled, '#') + std::string(cells - filled, '.') + "]";
  }
  return (line + end).substr(0, columns);
}

void ProgressBar::update(uint64_t done, uint64_t total) {
  if (!isTerminal)
    return;
  std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  const Clock::time_point time = now();
  if (!lock || time < next)
    return;
  next = time + interval;
  hasDrawn = true;
  winsize size = {};
  const unsigned columns =
      ioctl(file, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
  print(file,
        "\r" +
            line(label, done, total, std::chrono::duration<double>(time - begin).count(),
                 columns - 1, unit) +
            "\x1b[K");
}

} // namespace het
