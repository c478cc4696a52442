// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `hetrun devices`: what is here, and why a device that could be here is not.
// A table for people, JSON for machines.

#include "Devices.h"

#include "../hetpkg/Explain.h"
#include "../hetpkg/Input.h"
#include "Survey.h"

#include "het/Base/Json.h"

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
  std::snprintf(text, sizeof(text), "%.*f %s", value < 100 && unit ? 1 : 0, value,
                units[unit]);
  return text;
}

using Row = std::vector<std::string>;

static Row rowOf(const DeviceReport &report) {
  const HetDeviceProperties &facts = report.properties;
  if (!report.active())
    return {report.name, "not here: " + report.reason};
  return {report.name, facts.name, sizeText(facts.totalMemory),
          std::to_string(facts.processorCount),
          facts.sharesHostMemory ? "shared" : "own"};
}

/// Columns as wide as their widest cell; the reason of an absent device may
/// run over the columns behind it.
static std::string table(const std::vector<DeviceReport> &reports) {
  std::vector<Row> rows = {{"NAME", "DEVICE", "MEMORY", "PROCESSORS", "HOST MEMORY"}};
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

/// A kernel of a program, and what a device's lowering says of it.
struct KernelReport {
  std::string name, displayName;
  Explanation explanation;
};

/// Explains all kernels; a lowering that can not be opened refuses each.
static std::vector<KernelReport> reportKernels(const DeviceReport &device,
                                               const std::vector<Input> &programs) {
  std::vector<KernelReport> reports;
  if (!device.active() || programs.empty())
    return reports;
  Result<Explainer> explainer = Explainer::open(device.target, device.properties.arch);
  for (const Input &program : programs)
    for (const InputPackage &one : program.packages)
      for (uint32_t i = 0; i < one.kernels.size(); ++i) {
        const KernelInfo &kernel = one.kernels[i];
        KernelReport report{kernel.name, kernel.displayName, {}};
        if (explainer.ok())
          report.explanation = explainer->explain(one.package, i, kernel.name);
        else
          report.explanation.refused = explainer.status().text();
        reports.push_back(std::move(report));
      }
  return reports;
}

/// All that is known of a device, and how it would run the kernels of programs.
static std::string paragraph(const DeviceReport &device,
                             const std::vector<Input> &programs) {
  const HetDeviceProperties &facts = device.properties;
  std::string text = device.name + "\n";
  auto line = [&](std::string label, const std::string &value) {
    label.resize(std::max<size_t>(label.size(), 15), ' ');
    text += "  " + label + value + "\n";
  };
  if (!device.active()) {
    line("not here", device.reason);
    return text;
  }
  line("device", facts.name);
  line("architecture", facts.arch);
  line("lowering", std::string("version ") + facts.loweringVersion);
  line("memory", sizeText(facts.totalMemory) +
                     (facts.sharesHostMemory ? ", shared with the host" : ", its own"));
  line("processors", std::to_string(facts.processorCount) + " at " +
                         std::to_string(facts.clockKilohertz / 1000) + " MHz");
  line("a block", "at most " + std::to_string(facts.maxThreadsPerBlock) +
                      " threads and " + sizeText(facts.sharedBytesPerBlockOptIn) +
                      " of shared memory");
  for (const KernelReport &kernel : reportKernels(device, programs))
    line("kernel", (kernel.displayName.empty() ? kernel.name : kernel.displayName) +
                       ": " + kernel.explanation.text());
  return text;
}

static std::string paragraphs(const std::vector<DeviceReport> &devices,
                              const std::vector<Input> &programs) {
  std::string text;
  for (const DeviceReport &device : devices)
    text += (text.empty() ? "" : "\n") + paragraph(device, programs);
  return text;
}

static void writeFacts(JsonWriter &out, const DeviceReport &report) {
  const HetDeviceProperties &facts = report.properties;
  out.field("description", facts.name);
  out.field("arch", facts.arch);
  out.field("loweringVersion", facts.loweringVersion);
  out.field("memoryBytes", facts.totalMemory);
  out.field("processors", facts.processorCount);
  out.field("clockKilohertz", facts.clockKilohertz);
  out.field("maxThreadsPerBlock", facts.maxThreadsPerBlock);
  out.field("sharedBytesPerBlock", facts.sharedBytesPerBlockOptIn);
  out.field("sharesHostMemory", facts.sharesHostMemory != 0);
}

static void writeKernels(JsonWriter &out, const std::vector<KernelReport> &kernels) {
  out.key("kernels").beginArray();
  for (const KernelReport &kernel : kernels) {
    out.beginObject();
    out.field("name", kernel.name);
    out.field("displayName", kernel.displayName);
    out.field("form", kernel.explanation.form);
    out.field("reason", kernel.explanation.reason);
    out.field("refused", kernel.explanation.refused);
    out.endObject();
  }
  out.endArray();
}

static std::string json(const std::vector<DeviceReport> &reports,
                        const std::vector<Input> &programs) {
  JsonWriter out;
  out.beginObject();
  out.key("devices").beginArray();
  for (const DeviceReport &report : reports) {
    out.beginObject();
    out.field("name", report.name);
    out.field("target", report.target);
    out.field("present", report.active());
    if (!report.active())
      out.field("reason", report.reason);
    else
      writeFacts(out, report);
    if (report.active() && !programs.empty())
      writeKernels(out, reportKernels(report, programs));
    out.endObject();
  }
  out.endArray();
  out.endObject();
  return out.take() + "\n";
}

static int fail(const std::string &message) {
  std::fprintf(stderr, "hetrun: error: %s\n", message.c_str());
  return 1;
}

static int failWithoutTargets() {
  std::string places;
  for (const std::string &folder : targetFolders())
    places += (places.empty() ? "" : ", ") + folder;
  return fail("targets: found none in " + places +
              "; install one, or set HET_TARGET_PATH");
}

int runDevices(const DevicesOptions &options) {
  Result<std::vector<Input>> programs = loadInputs(options.programs);
  if (!programs.ok())
    return fail(programs.status().text());
  std::vector<DeviceReport> reports = surveyDevices();
  if (reports.empty())
    return failWithoutTargets();
  std::string text = options.json ? json(reports, *programs)
                     : options.verbose || !options.programs.empty()
                         ? paragraphs(reports, *programs)
                         : table(reports);
  bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                 std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

} // namespace het
