// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ten thousand kernels: opening and finding one costs little, and does not read
// the rest.

#include "GoldenPackages.h"

#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static std::string kernelName(unsigned i) {
  return "_Z40kernel_with_a_name_of_an_ordinary_lengthILi" + std::to_string(i) +
         "EEvPfS0_i";
}

TEST(ManyKernels, OpenAndFindAreFast) {
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

  using Clock = std::chrono::steady_clock;
  double best = 1e9;
  for (int attempt = 0; attempt < 20; ++attempt) {
    auto start = Clock::now();
    Result<Package> package = Package::open(*bytes, "many.hetpkg");
    ASSERT_TRUE(package.ok()) << package.status().text();
    Result<uint32_t> index = package->findKernel(kernelName(4711));
    ASSERT_TRUE(index.ok());
    Result<Bytes> code = package->kernelCode(*index);
    std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    ASSERT_TRUE(code.ok());
    EXPECT_EQ(*code, sampleCode(4711, 400));
    best = std::min(best, spent.count());
  }
  RecordProperty("open_and_find_ms", std::to_string(best));
  std::printf("open, find and read one of %u kernels: %.3f ms\n", count, best);
#ifdef __OPTIMIZE__
  EXPECT_LT(best, 5.0);
#endif
}
