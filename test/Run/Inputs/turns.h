// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The turns of a program that goes on until a script stops it, as the script sees them:
// FILE.turns has a byte for each, a file `save` asks for a checkpoint, FILE ends them.
#include <cstdio>
#include <het/migrate.h>
#include <string>
#include <unistd.h>

class Turns {
public:
  Turns(std::string stop, int device)
      : stop(stop), device(device), count(std::fopen((stop + ".turns").c_str(), "w")) {}

  /// Whether there is to be another turn.
  bool next() {
    if (!access("save", F_OK)) {
      const std::string end = device ? "." + std::to_string(device) : "";
      if (hetSaveCheckpoint(device, ("last.hetckpt" + end).c_str()))
        std::printf("%s\n", hetMigrateError());
      unlink("save");
    }
    std::fputc('.', count);
    std::fflush(count);
    return access(stop.c_str(), F_OK) != 0;
  }

private:
  const std::string stop;
  const int device;
  FILE *const count;
};
