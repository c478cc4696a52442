// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verb `hetrun devices [--json] [-v] [PROGRAM...]`.

#ifndef HET_TOOLS_HETRUN_DEVICES_H
#define HET_TOOLS_HETRUN_DEVICES_H

#include <string>
#include <vector>

namespace het {

struct DevicesOptions {
  bool json = false, verbose = false;
  std::vector<std::string> programs; ///< Whose kernels each device is asked about.
};

/// Returns the exit status.
int runDevices(const DevicesOptions &options);

} // namespace het

#endif // HET_TOOLS_HETRUN_DEVICES_H
