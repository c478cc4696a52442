// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's pragmas about its warnings.

#ifndef HET_LIB_FRONTEND_DIAGNOSTICPRAGMAS_H
#define HET_LIB_FRONTEND_DIAGNOSTICPRAGMAS_H

namespace clang {
class Preprocessor;
}

namespace het {

/// Takes `#pragma nv_diag_suppress 177` and its relatives, for what Clang says, too.
void addDiagnosticPragmas(clang::Preprocessor &preprocessor);

} // namespace het

#endif // HET_LIB_FRONTEND_DIAGNOSTICPRAGMAS_H
