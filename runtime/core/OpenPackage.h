// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way in which every package comes into the runtime: past the rules for signatures.

#ifndef HET_RUNTIME_CORE_OPENPACKAGE_H
#define HET_RUNTIME_CORE_OPENPACKAGE_H

#include "het/Package/Package.h"

namespace het::core {

/// Reads the process's rules for signatures, once. Fails if a variable or a file of the
/// administrator has a bad value.
Status readPackageTrust();

/// Opens a package that these rules let pass; nothing of one that they do not is
/// decompressed or parsed.
Result<Package> openPackage(ByteView bytes, const std::string &origin);

} // namespace het::core

#endif // HET_RUNTIME_CORE_OPENPACKAGE_H
