// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Braces around arguments of a launch, which Clang does not parse.

#ifndef HET_LIB_FRONTEND_LAUNCHBRACES_H
#define HET_LIB_FRONTEND_LAUNCHBRACES_H

namespace clang {
class Preprocessor;
} // namespace clang

namespace het {

/// Lets `kernel<<<{2, 3}, {64}>>>()` be read as `kernel<<<dim3{2, 3}, dim3{64}>>>()`.
void allowLaunchBraces(clang::Preprocessor &preprocessor);

} // namespace het

#endif // HET_LIB_FRONTEND_LAUNCHBRACES_H
