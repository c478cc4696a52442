// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer target for the package reader: every input is read as it is, and
// again with its digests put right, so that the checks behind them are reached.

#include "Reseal.h"

#include "het/Package/PackageReference.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  het::ByteView input(data, size);
  het::test::exercise(input);
  (void)het::readPackageReference(input).ok();
  het::Bytes sealed = input.copy();
  het::test::reseal(sealed);
  het::test::exercise(sealed);
  return 0;
}
