// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer: deterministic, and it refuses what a reader would refuse.

#include "GoldenPackages.h"

#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <gtest/gtest.h>

using namespace het;
using namespace het::test;

static KernelInfo kernelNamed(std::string name) {
  KernelInfo kernel;
  kernel.name = std::move(name);
  return kernel;
}

static VariableInfo variableNamed(std::string name, uint64_t size) {
  VariableInfo variable;
  variable.name = std::move(name);
  variable.size = size;
  return variable;
}

static void expectRefused(const Status &status, const char *part) {
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message.find(part), std::string::npos) << status.message;
}

TEST(Writer, SameInputSameBytes) {
  std::vector<GoldenPackage> first = goldenPackages(), second = goldenPackages();
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_EQ(first[i].bytes, second[i].bytes) << first[i].name;
}

TEST(Writer, OrderOfKernelsDoesNotMatter) {
  auto build = [](std::vector<std::string> names) {
    PackageWriter writer("test");
    for (const std::string &name : names)
      EXPECT_TRUE(
          writer.addKernel(kernelNamed(name), sampleCode(unsigned(name.size()), 64))
              .ok());
    return *writer.finish();
  };
  EXPECT_EQ(build({"a", "bb", "ccc"}), build({"ccc", "a", "bb"}));
}

TEST(Writer, EmptyPackageIsAPackage) {
  PackageWriter writer("test");
  Result<Bytes> bytes = writer.finish();
  ASSERT_TRUE(bytes.ok());
  Result<Package> package = Package::open(*bytes, "empty");
  ASSERT_TRUE(package.ok()) << package.status().text();
  EXPECT_TRUE(package->verify().ok());
  EXPECT_EQ(package->kernelCount(), 0u);
  EXPECT_TRUE(package->variables()->empty());
}

TEST(Writer, ProducerIsCutAndCleaned) {
  PackageWriter writer("bell\a " + std::string(100, 'x'));
  Bytes bytes = *writer.finish();
  std::string producer = Package::open(bytes, "p")->producer();
  EXPECT_EQ(producer.size(), 63u);
  EXPECT_EQ(producer.substr(0, 6), "bell? ");
}

TEST(Writer, ExtremelyCompressibleCodeIsStoredAsItIs) {
  // Beyond the format's limit on expansion a reader would refuse zstd.
  PackageWriter writer("test");
  Bytes zeros(16 << 20);
  ASSERT_TRUE(writer.addKernel(kernelNamed("k"), zeros).ok());
  Bytes bytes = *writer.finish();
  Result<Package> package = Package::open(bytes, "zeros");
  ASSERT_TRUE(package.ok()) << package.status().text();
  EXPECT_EQ(*package->kernelCode(0), zeros);
}

TEST(Writer, RefusesBadKernels) {
  PackageWriter writer("test");
  Bytes code = sampleCode(0, 10);
  expectRefused(writer.addKernel(kernelNamed(""), code), "kernel name");
  expectRefused(writer.addKernel(kernelNamed("a\nb"), code), "control");
  expectRefused(writer.addKernel(kernelNamed("a"), {}), "hetIR");
  KernelInfo kernel = kernelNamed("a");
  kernel.parameters = {{4, 8, 8}};
  expectRefused(writer.addKernel(kernel, code), "offset");
  kernel.parameters = {{0, 8, 8}, {4, 4, 4}};
  expectRefused(writer.addKernel(kernel, code), "offset");
  kernel.parameters = {{0, 8, 3}};
  expectRefused(writer.addKernel(kernel, code), "alignment");
  kernel.parameters = {{0, 70000, 1}};
  expectRefused(writer.addKernel(kernel, code), "total size");
  kernel.parameters.clear();
  EXPECT_TRUE(writer.addKernel(kernel, code).ok());
  expectRefused(writer.addKernel(kernel, code), "twice");
}

TEST(Writer, RefusesBadVariables) {
  PackageWriter writer("test");
  VariableInfo variable = variableNamed("v", 8);
  variable.initial = Bytes(7);
  expectRefused(writer.addVariable(variable).status(), "initial value");
  variable.initial.clear();
  variable.relocations = {{0, 0, 0}};
  expectRefused(writer.addVariable(variable).status(), "without an initial");
  variable.initial = Bytes(8);
  variable.relocations = {{1, 0, 0}};
  expectRefused(writer.addVariable(variable).status(), "relocation");
  variable.relocations = {{0, 0, 0}, {4, 0, 0}};
  expectRefused(writer.addVariable(variable).status(), "relocation");
  variable.alignment = 0;
  expectRefused(writer.addVariable(variable).status(), "alignment");
}

TEST(Writer, RefusesReferencesToNothing) {
  PackageWriter kernels("test");
  KernelInfo kernel = kernelNamed("k");
  kernel.variables = {0};
  ASSERT_TRUE(kernels.addKernel(kernel, sampleCode(0, 10)).ok());
  expectRefused(kernels.finish().status(), "variable 0");

  PackageWriter relocations("test");
  VariableInfo variable = variableNamed("v", 8);
  variable.initial = Bytes(8);
  variable.relocations = {{0, 1, 0}};
  ASSERT_TRUE(relocations.addVariable(variable).ok());
  expectRefused(relocations.finish().status(), "variable 1");

  PackageWriter names("test");
  VariableInfo external = variableNamed("v", 8);
  external.external = true;
  ASSERT_TRUE(names.addVariable(external).ok());
  ASSERT_TRUE(names.addVariable(external).ok());
  expectRefused(names.finish().status(), "twice");
}
