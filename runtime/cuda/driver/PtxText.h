// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX text that a program gives to the driver API, and the logs of what is made of it.

#ifndef HET_RUNTIME_CUDA_DRIVER_PTXTEXT_H
#define HET_RUNTIME_CUDA_DRIVER_PTXTEXT_H

#include "Driver.h"

#include "het/Base/Bytes.h"

#include <string_view>
#include <vector>

namespace het::cuda::driver {

/// Where a program wants the messages of a compilation (CU_JIT_ERROR_LOG_BUFFER and its
/// kin). The sizes that it gave become those of what was written.
class JitLog {
public:
  JitLog() = default;
  JitLog(unsigned count, const CUjit_option *options, void **values);

  /// Puts a message into the program's buffer and the runtime's log.
  void error(const std::string &message);

private:
  char *errors = nullptr;
  size_t room = 0;
  void **written = nullptr;
};

/// Whether data is text rather than a package or machine code.
bool isText(ByteView head);

/// A text, and its name in messages.
struct NamedText {
  std::string name;
  std::string_view text;
};

/// Compiles texts, which may use what others define; nothing is kept from one time to the
/// next. `origin` is who gave them.
CUresult compileTexts(const std::vector<NamedText> &texts, const std::string &origin,
                      JitLog &messages, Bytes &package);

/// Whether a text by itself is well formed.
CUresult checkText(const NamedText &text, JitLog &messages);

/// The package in a text that hetcc wrote, or the one that another text is compiled to.
CUresult readText(std::string_view text, const std::string &origin, JitLog &messages,
                  Bytes &package);

/// Links a package that was compiled with -rdc=true, where kernels of it wait for that:
/// CUDA's loader links what needs no other file.
CUresult linkIfOpen(Bytes &image, const std::string &origin, const JitLog &messages);

} // namespace het::cuda::driver

#endif // HET_RUNTIME_CUDA_DRIVER_PTXTEXT_H
