// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the devices of this machine, whether a program sees them or not.

#ifndef HET_TOOLS_HETRUN_SURVEY_H
#define HET_TOOLS_HETRUN_SURVEY_H

#include "het/Target/TargetABI.h"

#include <string>
#include <vector>

namespace het {

/// A device that is here, or a target of which none is.
struct DeviceReport {
  std::string name; ///< As HET_DEVICES would spell it.
  std::string target;
  std::string reason; ///< Why it is not here; empty: it is.
  HetDeviceProperties properties = {};

  bool active() const { return reason.empty(); }
};

/// Looks at every device of every target that is installed, in the order of the
/// targets' names.
std::vector<DeviceReport> surveyDevices();

/// Where targets were looked for.
std::vector<std::string> targetFolders();

} // namespace het

#endif // HET_TOOLS_HETRUN_SURVEY_H
