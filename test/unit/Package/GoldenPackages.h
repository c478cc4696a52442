// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small packages that between them use every field of the format. They are built here and
// also stand, frozen, in test/compat.

#ifndef HET_TEST_UNIT_PACKAGE_GOLDENPACKAGES_H
#define HET_TEST_UNIT_PACKAGE_GOLDENPACKAGES_H

#include "het/Base/Bytes.h"

#include <string>
#include <vector>

namespace het::test {

struct GoldenPackage {
  std::string name;
  Bytes bytes;
  std::string since = "1.0"; ///< The format version that its frozen copy is of.
};

/// One kernel and nothing else.
GoldenPackage goldenPlain();
/// Kernels that share code, variables that point at each other, debug info.
GoldenPackage goldenVariables();
/// Enough kernels for two kernel pages.
GoldenPackage goldenPages();

/// Two kernels with code lowered ahead of time, for two targets.
GoldenPackage goldenPrecompiled();

/// A file's part of a device link.
GoldenPackage goldenRelocatable();
/// Two of three kernels with an architecture.
GoldenPackage goldenAttributes();

/// Those five, which are not signed.
std::vector<GoldenPackage> goldenPackages();

/// The second of them with two signatures.
GoldenPackage goldenSigned();

/// Bytes that stand in for hetIR bytecode: the same for the same seed.
Bytes sampleCode(unsigned seed, size_t size);

} // namespace het::test

#endif // HET_TEST_UNIT_PACKAGE_GOLDENPACKAGES_H
