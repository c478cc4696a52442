// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program writes to one of its own streams, while it does something.

#ifndef CONFORMANCE_CAPTURE_H
#define CONFORMANCE_CAPTURE_H

#include "check.h"
#include <unistd.h>

namespace check {

// Runs `action` and returns what is written to the file number `stream` (1 or
// 2) in the meantime.
template <class Action> std::string capture(int stream, Action action) {
  fflush(stdout);
  fflush(stderr);
  FILE *file = tmpfile();
  int saved = dup(stream);
  dup2(fileno(file), stream);
  action();
  fflush(stdout);
  fflush(stderr);
  dup2(saved, stream);
  close(saved);
  std::string text;
  rewind(file);
  for (int c; (c = fgetc(file)) != EOF;)
    text += (char)c;
  fclose(file);
  return text;
}

inline void sameText(const char *what, int line, const std::string &found,
                     const std::string &expected) {
  if (found != expected && ++failures() <= 10)
    printf("line %d: %s: found\n<%s>, expected\n<%s>\n", line, what, found.c_str(),
           expected.c_str());
}

} // namespace check

#define CHECK_TEXT(found, expected) ::check::sameText(#found, __LINE__, found, expected)

#endif // CONFORMANCE_CAPTURE_H
