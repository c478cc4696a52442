// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries under NVIDIA's names without a GPU, over the fake driver of
// test/unit/Target/PTX. What they are asked for they put into the driver's stream that
// they were given, in the context that is current, so a wrong stream or none is a misuse
// there. Each knows few functions: products of float, a transform, a factor.

#ifndef HET_TEST_LIBRARIES_FAKEVENDOR_H
#define HET_TEST_LIBRARIES_FAKEVENDOR_H

#include <string>
#include <vector>

/// What a test sets, and what it finds out.
struct FakeVendor {
  int createStatus = 0;           ///< What handles are refused with.
  std::vector<std::string> calls; ///< "SetMathMode 2", "Sgemm 4 4 4" and so on.
  std::vector<void *> streams;    ///< Of those calls that have one.
  std::vector<void *> workspaces; ///< Of SetWorkspace.
};

/// Exported by each as hetFakeVendor.
using FakeVendorEntry = FakeVendor *(*)();

#endif // HET_TEST_LIBRARIES_FAKEVENDOR_H
