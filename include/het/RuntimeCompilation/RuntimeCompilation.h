// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling and linking for a running program: what NVRTC, nvJitLink and the driver's
// linker ask for.

#ifndef HET_RUNTIMECOMPILATION_RUNTIMECOMPILATION_H
#define HET_RUNTIMECOMPILATION_RUNTIMECOMPILATION_H

#include "het/Package/CompilerRecords.h"

#include <string>

namespace het::rtc {

/// Where hetcc is installed.
struct Installation {
  std::string headers;     ///< Our CUDA headers.
  std::string resourceDir; ///< Clang's own; empty: those of its package.
};

/// Whatever is wrong is in the reply's log.
Reply compile(const CompileRequest &request, const Installation &installation);
Reply link(const LinkRequest &request);

/// The text that stands for a package's PTX: entries and variables as PTX declares them,
/// and the package itself (docs/spec/hetpkg.md, "In a text"). `arch` is "sm_80".
std::string writeText(ByteView package, const std::string &arch);

} // namespace het::rtc

#endif // HET_RUNTIMECOMPILATION_RUNTIMECOMPILATION_H
