// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hetrun devices`: what is here, and why a device that could be here is not.
// A table for people, JSON for machines.

#include "Devices.h"

#include "../hetpkg/Json.h"
#include "Survey.h"

#include <algorithm>
#include <cstdio>

namespace het {

/// "23.5 GiB".
static std::string sizeText(uint64_t bytes) {
  static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f %s", value < 100 && unit ? 1 : 0,
                value, units[unit]);
  return text;
}

using Row = std::vector<std::string>;

static Row rowOf(const DeviceReport &report) {
  const HetDeviceProperties &facts = report.properties;
  if (!report.present())
    return {report.name, "not here: " + report.reason};
  return {report.name, facts.name, sizeText(facts.totalMemory),
          std::to_string(facts.processorCount),
          facts.sharesHostMemory ? "shared" : "own"};
}

/// Columns as wide as their widest cell; the reason of an absent device may
/// run over the columns behind it.
static std::string table(const std::vector<DeviceReport> &reports) {
  std::vector<Row> rows = {
      {"NAME", "DEVICE", "MEMORY", "PROCESSORS", "HOST MEMORY"}};
  for (const DeviceReport &report : reports)
    rows.push_back(rowOf(report));
  std::vector<size_t> widths(rows[0].size());
  for (const Row &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      if (column == 0 || row.size() == widths.size())
        widths[column] = std::max(widths[column], row[column].size());
  std::string text;
  for (const Row &row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      text += row[column];
      if (column + 1 < row.size())
        text.append(widths[column] - row[column].size() + 2, ' ');
    }
    text += '\n';
  }
  return text;
}

static std::string json(const std::vector<DeviceReport> &reports) {
  JsonWriter out;
  out.beginObject();
  out.key("devices").beginArray();
  for (const DeviceReport &report : reports) {
    const HetDeviceProperties &facts = report.properties;
    out.beginObject();
    out.field("name", report.name);
    out.field("target", report.target);
    out.field("present", report.present());
    if (!report.present()) {
      out.field("reason", report.reason);
    } else {
      out.field("description", facts.name);
      out.field("arch", facts.arch);
      out.field("memoryBytes", facts.totalMemory);
      out.field("processors", facts.processorCount);
      out.field("clockKilohertz", facts.clockKilohertz);
      out.field("maxThreadsPerBlock", facts.maxThreadsPerBlock);
      out.field("sharedBytesPerBlock", facts.sharedBytesPerBlockOptIn);
      out.field("sharesHostMemory", facts.sharesHostMemory != 0);
    }
    out.endObject();
  }
  out.endArray();
  out.endObject();
  return out.take();
}

int runDevices(const std::vector<std::string> &arguments) {
  bool asJson = false;
  for (const std::string &argument : arguments) {
    if (argument == "--json") {
      asJson = true;
      continue;
    }
    std::fprintf(stderr,
                 "hetrun: error: devices: found '%s', expected --json or "
                 "nothing\n",
                 argument.c_str());
    return 1;
  }
  std::vector<DeviceReport> reports = surveyDevices();
  if (reports.empty()) {
    std::string places;
    for (const std::string &folder : targetFolders())
      places += (places.empty() ? "" : ", ") + folder;
    std::fprintf(stderr,
                 "hetrun: error: targets: found none in %s; install one, or "
                 "set HET_TARGET_PATH\n",
                 places.c_str());
    return 1;
  }
  std::string text = asJson ? json(reports) : table(reports);
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) ==
                     text.size() &&
                 std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

} // namespace het
