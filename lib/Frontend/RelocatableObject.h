// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host object of a file that was compiled with -rdc=true.

#ifndef HET_LIB_FRONTEND_RELOCATABLEOBJECT_H
#define HET_LIB_FRONTEND_RELOCATABLEOBJECT_H

#include <string>

namespace clang {
class CodeGenOptions;
}

namespace het {

class PendingImage;

/// Lets code generation wait for the image, embed it for the device link, and ask for
/// that link by the file's id. The image must outlive code generation.
void embedRelocatable(clang::CodeGenOptions &options, PendingImage &image,
                      const std::string &id);

} // namespace het

#endif // HET_LIB_FRONTEND_RELOCATABLEOBJECT_H
