// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the null target says it can do, for the contract suite: hold memory, and take
// work in order. A target that runs kernels adds Launches and RunsCode.

#include "Contract.h"

namespace het::contract {

const Subject &subject() {
  static const Subject null = {
      "null", HET_TEST_TARGETS, {Capability::SharesMemory}, nullptr, nullptr};
  return null;
}

} // namespace het::contract
