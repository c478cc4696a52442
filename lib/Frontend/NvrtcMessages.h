// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's messages in NVRTC's form. Programs read it: they look for headers that were not
// found and give them to the next compilation.

#ifndef HET_LIB_FRONTEND_NVRTCMESSAGES_H
#define HET_LIB_FRONTEND_NVRTCMESSAGES_H

#include <string>

namespace clang {
class DiagnosticOptions;
}

namespace het {

/// Lets Clang write `file(line): error: text`.
void useNvrtcForm(clang::DiagnosticOptions &options);

/// Says in NVRTC's words what its users and programs know by them.
void useNvrtcWords(std::string &text);

} // namespace het

#endif // HET_LIB_FRONTEND_NVRTCMESSAGES_H
