// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-golden-checkpoints FOLDER: writes the sample checkpoints as
// FOLDER/NAME.hetckpt, and one of them again as full-plain.hetckpt, with other
// chunks and without compression.

#include "SampleCheckpoints.h"

#include "het/Base/File.h"

#include <cstdio>

using namespace het;

static bool write(const std::string &path, const Bytes &file) {
  Status status = writeFileAtomically(path, file);
  if (!status.ok())
    std::fprintf(stderr, "error: %s\n", status.text().c_str());
  return status.ok();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: het-golden-checkpoints FOLDER\n");
    return 1;
  }
  std::string folder = std::string(argv[1]) + "/";
  for (const test::SampleCheckpoint &sample : test::sampleCheckpoints())
    if (!write(folder + sample.name + ".hetckpt", sample.file()))
      return 1;
  CheckpointOptions plain = test::SampleCheckpoint::smallChunks();
  plain.chunkBytes = 1 << 15;
  plain.compress = false;
  return write(folder + "full-plain.hetckpt", test::fullCheckpoint().file(plain)) ? 0 : 1;
}
