// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package of ten thousand kernels: to open it and to find one reads few of its pages.

#include "GoldenPackages.h"
#include "TouchedPages.h"

#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static std::string kernelName(unsigned i) {
  return "_Z40kernel_with_a_name_of_an_ordinary_lengthILi" + std::to_string(i) +
         "EEvPfS0_i";
}

TEST(ManyKernels, FindingOneReadsLittle) {
  constexpr unsigned count = 10000;
  PackageWriter writer("test");
  for (unsigned i = 0; i < count; ++i) {
    KernelInfo kernel;
    kernel.name = kernelName(i);
    kernel.displayName = "kernel<" + std::to_string(i) + ">";
    kernel.parameters = {{0, 8, 8}, {8, 8, 8}, {16, 4, 4}};
    kernel.safePoints = {{0, SafePointReason::Entry, 0, "many.cu:12:1"}};
    ASSERT_TRUE(writer.addKernel(kernel, sampleCode(i, 400)).ok());
  }
  Result<Bytes> bytes = writer.finish();
  ASSERT_TRUE(bytes.ok());

  TouchedPages pages(*bytes);
  Result<Package> package = Package::open(pages.view(), "many.hetpkg");
  ASSERT_TRUE(package.ok()) << package.status().text();
  EXPECT_LT(pages.count(), pages.total() / 3) << "opening reads tables only";
  pages.restart();
  Result<uint32_t> index = package->findKernel(kernelName(4711));
  ASSERT_TRUE(index.ok());
  Result<Bytes> code = package->kernelCode(*index);
  ASSERT_TRUE(code.ok());
  EXPECT_EQ(*code, sampleCode(4711, 400));
  // The halvings of the look-up table, one page of kernels, a few sections' entries.
  EXPECT_LT(pages.count(), 40u) << "of " << pages.total();
}
