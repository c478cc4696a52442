// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a file's kernels and variables are registered.

#ifndef HET_LIB_FRONTEND_REGISTRATIONORDER_H
#define HET_LIB_FRONTEND_REGISTRATIONORDER_H

namespace clang {
class CodeGenOptions;
}

namespace het {

/// Makes host code register a file's kernels before it initialises the file's global
/// objects, as nvcc does: their constructors may launch kernels. Clang registers last.
void registerFirst(clang::CodeGenOptions &options);

} // namespace het

#endif // HET_LIB_FRONTEND_REGISTRATIONORDER_H
