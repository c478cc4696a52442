// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lowering plug-in: leads to the target's lowering in libhet-lowerings.so. Its function
// there has the version in its name, so a library does not open with another's plug-in.

#include "LoweringVersion.h"
#include "het/Target/TargetABI.h"

extern "C" {

const HetLoweringABI *HET_LOWERING_ENTRY(void);

__attribute__((visibility("default"))) const HetLoweringABI *hetLoweringABI(void) {
  return HET_LOWERING_ENTRY();
}
}
