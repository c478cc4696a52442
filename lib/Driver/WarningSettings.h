// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that say what becomes of warnings.

#ifndef HET_LIB_DRIVER_WARNINGSETTINGS_H
#define HET_LIB_DRIVER_WARNINGSETTINGS_H

#include "Settings.h"

namespace het::driver {

/// Returns whether the option was one of them.
llvm::Expected<bool> applyWarningOption(const Argument &argument, Settings &settings);

} // namespace het::driver

#endif // HET_LIB_DRIVER_WARNINGSETTINGS_H
