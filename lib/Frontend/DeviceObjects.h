// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an object carries its part of a device link.

#ifndef HET_LIB_FRONTEND_DEVICEOBJECTS_H
#define HET_LIB_FRONTEND_DEVICEOBJECTS_H

namespace het {

/// The ELF section; SHF_EXCLUDE.
inline constexpr const char *deviceSection = ".het.device";

/// The start of the function that a device link defines for each of its files, and that
/// the host object's constructor calls. The file's id follows.
inline constexpr const char *registerPrefix = "__cudaRegisterLinkedBinary_";

} // namespace het

#endif // HET_LIB_FRONTEND_DEVICEOBJECTS_H
