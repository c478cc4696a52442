// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to stderr, by level (HET_LOG=error|warn|info|debug, default warn).
// One line for each call, written with a single write so that lines of several
// threads and processes do not mix.

#ifndef HET_BASE_LOG_H
#define HET_BASE_LOG_H

#include "het/Base/Status.h"

namespace het {

enum class Level : int { Error = 0, Warn = 1, Info = 2, Debug = 3 };

/// Sets the prefix ("hetcc", "het", …; a string that lives forever) and reads
/// HET_LOG. A bad value leaves the default level and is returned. Until this is
/// called the prefix is "het" and the level is warn.
Status setUpLog(const char *prefix);

/// Changes the level, for a command-line flag that outranks HET_LOG.
void setLogLevel(Level level);

/// Whether messages of this level are printed; for arguments that cost time.
bool logs(Level level);

/// Prints `<prefix>: <level>: <message>` and a line end, if the level is on.
void log(Level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Is told each error and warning, without prefix and line end, whether or not it is
/// printed; by the thread that logs it.
using LogListener = void (*)(Level level, const char *message, size_t length);
void setLogListener(LogListener listener) noexcept;

} // namespace het

#endif // HET_BASE_LOG_H
