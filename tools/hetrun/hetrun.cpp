// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetrun: runs a program that hetcc built, unmodified, on chosen devices. It
// becomes the program, so the exit status is the program's. If the program
// cannot be started the status is 127 (not found) or 126, as a shell's; after
// any other error 1.

#include "CommandLine.h"

#include "het/Base/Log.h"

#include <cstdio>

int main(int count, char **arguments) {
  if (het::Status status = het::setUpLog("hetrun"); !status.ok()) {
    std::fprintf(stderr, "hetrun: error: %s\n", status.text().c_str());
    return 1;
  }
  return het::CommandLine().run(arguments + 1, count - 1);
}
