// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens each target's device plug-in and each of its devices.

#include "Survey.h"

#include "../hetpkg/Explain.h"
#include "core/Target.h"
#include "het/Base/Environment.h"

namespace het {

std::vector<std::string> targetFolders() {
  std::vector<std::string> folders = environment::list(Variable::TargetPath, ':');
  folders.push_back(libraryFolder() + "/het/targets");
  return folders;
}

/// Fills in the properties of one device, or why they are not to be had.
static void describe(const HetDeviceABI &abi, uint32_t ordinal, DeviceReport &report) {
  HetDevice *device = nullptr;
  HetStatus status = {};
  if (abi.open(ordinal, &device, &status) != HET_OK) {
    report.reason = status.message;
    return;
  }
  if (abi.properties(device, &report.properties, &status) != HET_OK)
    report.reason = status.message;
  abi.close(device);
}

static void surveyTarget(const std::string &name, std::vector<DeviceReport> &reports) {
  DeviceReport absent;
  absent.name = absent.target = name;
  Result<std::shared_ptr<core::Target>> target =
      core::Target::open(name, libraryFolder());
  if (!target.ok()) {
    absent.reason = target.status().text();
    reports.push_back(absent);
    return;
  }
  const HetDeviceABI &abi = (*target)->abi();
  HetStatus status = {};
  uint32_t count = 0;
  if (abi.probe(&count, &status) != HET_OK || count == 0) {
    absent.reason = *status.message ? status.message : "no such device";
    reports.push_back(absent);
    return;
  }
  // A target that makes as many devices as are asked for has one line.
  bool alike = count == UINT32_MAX;
  for (uint32_t ordinal = 0; ordinal < (alike ? 1 : count); ++ordinal) {
    DeviceReport report;
    report.target = name;
    report.name = alike ? name : name + ":" + std::to_string(ordinal);
    describe(abi, ordinal, report);
    reports.push_back(report);
  }
}

std::vector<DeviceReport> surveyDevices() {
  std::vector<DeviceReport> reports;
  for (const std::string &name : core::Target::installed(libraryFolder()))
    surveyTarget(name, reports);
  return reports;
}

} // namespace het
