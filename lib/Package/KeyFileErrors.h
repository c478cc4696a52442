// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about files and folders of keys.

#ifndef HET_LIB_PACKAGE_KEYFILEERRORS_H
#define HET_LIB_PACKAGE_KEYFILEERRORS_H

#include "het/Base/Status.h"

#include <string>
#include <sys/types.h>

namespace het {

/// `errno`, behind what was being done to `path`.
Status keyFileError(const char *doing, const std::string &path);

/// As chmod takes it: "0600".
std::string modeText(mode_t mode);

} // namespace het

#endif // HET_LIB_PACKAGE_KEYFILEERRORS_H
