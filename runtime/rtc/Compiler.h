// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that compiles CUDA, het-source-compiler, as seen by the libraries that ask
// it.

#ifndef HET_RUNTIME_RTC_COMPILER_H
#define HET_RUNTIME_RTC_COMPILER_H

#include "het/Base/Status.h"
#include "het/Package/CompilerRecords.h"

#include <functional>
#include <string>

namespace het::rtc {

/// Whether a request that runs is to be given up.
using Stops = std::function<bool()>;

/// The reply to a request. A failure is one of the process: it is not there, crashed, or
/// took too much; `unavailable` where `stops` has said so. `name`: for messages.
Result<Reply> ask(const char *verb, const Bytes &request, const std::string &name,
                  const Stops &stops = nullptr);

/// The process's working directory; empty where it cannot be told.
std::string workingFolder();

} // namespace het::rtc

#endif // HET_RUNTIME_RTC_COMPILER_H
