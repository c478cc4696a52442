// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host says it can do, for the contract suite.

#include "Contract.h"

namespace het::contract {

const Subject &subject() {
  static const Subject host = {"host",
                               HET_TEST_TARGETS,
                               {Capability::Launches, Capability::RunsCode,
                                Capability::Suspends, Capability::SharesMemory},
                               nullptr,
                               nullptr};
  return host;
}

} // namespace het::contract
