// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer target for the checkpoint reader: every input is read as it is, and
// again with its digests and checksums put right, so that the checks behind
// them are reached.

#include "ResealCheckpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  het::ByteView input(data, size);
  het::test::exerciseCheckpoint(input);
  het::Bytes sealed = input.copy();
  het::test::resealCheckpoint(sealed);
  het::test::exerciseCheckpoint(sealed);
  return 0;
}
