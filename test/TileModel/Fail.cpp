// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Model.h"

#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace tilemodel {

void fail(const char *format, ...) {
  std::fflush(stdout);
  std::fputs("tile model: ", stderr);
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::fflush(stderr);
  _exit(70);
}

} // namespace tilemodel
