// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading the kernels of a package that the cache has, on the fake target:
// which, and what becomes of a failure.

#include "CacheFolder.h"
#include "FakeDevice.h"
#include "FakeTarget.h"
#include "core/Runtime.h"
#include "core/code/Preload.h"
#include "het/Package/PackageWriter.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>

using namespace het;
using namespace het::core;
namespace fs = std::filesystem;

namespace {

Bytes makePackage(const std::vector<std::string> &kernels) {
  const char *salt = testing::UnitTest::GetInstance()->current_test_info()->name();
  PackageWriter writer("tests of loading ahead");
  for (const std::string &name : kernels) {
    KernelInfo kernel;
    kernel.name = kernel.displayName = name;
    std::string code = name + salt; // each test has code of its own in the cache
    EXPECT_TRUE(writer.addKernel(kernel, Bytes(code.begin(), code.end())).ok());
  }
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

class AheadTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Runtime *> made = Runtime::get();
    ASSERT_TRUE(made.ok()) << made.status().text();
    device = &(*made)->device(0);
    emptyCache();
  }
  void TearDown() override {
    module.reset();
    EXPECT_EQ(artifacts(), 0);
  }

  int artifacts() {
    return het::test::fakeFunction<FakeCount>(HET_TEST_FAKE_TARGET "/het-fake-device.so",
                                              "hetFakeArtifacts")();
  }

  void use(const std::vector<std::string> &kernels) { bytes = makePackage(kernels); }

  /// As an earlier process leaves them, in this order: a kernel that can not be
  /// loaded is in the cache all the same.
  void cache(const std::vector<std::string> &kernels) {
    std::shared_ptr<Module> earlier = open();
    std::set<fs::path> known = cacheFiles();
    for (const std::string &name : kernels) {
      (void)(*earlier->kernel(name))->prepare();
      // An hour after all that was used before, whatever the clock of the files.
      for (const fs::path &path : cacheFiles())
        if (known.insert(path).second)
          fs::last_write_time(path, now += std::chrono::hours(1));
    }
  }

  std::shared_ptr<Module> open() {
    Result<std::shared_ptr<Module>> opened = Module::open(*device, bytes, "package");
    EXPECT_TRUE(opened.ok()) << opened.status().text();
    return opened.ok() ? opened.take() : nullptr;
  }

  CachedKernels cached() {
    Result<Package> package = Package::open(bytes, "package");
    EXPECT_TRUE(package.ok());
    return CachedKernels::find(*device, *package);
  }

  Device *device = nullptr;
  Bytes bytes;
  std::shared_ptr<Module> module;
  fs::file_time_type now = fs::file_time_type::clock::now() - std::chrono::hours(1000);
};

TEST_F(AheadTest, WhatTheCacheHas) {
  use({"one", "three", "two"});
  EXPECT_TRUE(cached().empty());
  cache({"two", "one"});
  EXPECT_TRUE(mayLoadAhead(*device));
  EXPECT_FALSE(cached().empty());
  module = open();
  cached().load(*module);
  EXPECT_EQ(artifacts(), 2);
  EXPECT_TRUE((*module->kernel("one"))->prepare().ok());
  EXPECT_TRUE((*module->kernel("two"))->prepare().ok());
  EXPECT_EQ(artifacts(), 2); // they were ready
  EXPECT_TRUE((*module->kernel("three"))->prepare().ok());
  EXPECT_EQ(artifacts(), 3);
  cached().load(*module);
  EXPECT_EQ(artifacts(), 3);
}

TEST_F(AheadTest, AFewOfMany) {
  std::vector<std::string> names;
  for (int i = 0; i < 80; ++i)
    names.push_back("kernel" + std::to_string(i));
  use(names);
  cache(names);
  module = open();
  cached().load(*module);
  EXPECT_EQ(artifacts(), 64);
  EXPECT_TRUE((*module->kernel("kernel79"))->prepare().ok());
  EXPECT_EQ(artifacts(), 64); // those that were used last
  EXPECT_TRUE((*module->kernel("kernel0"))->prepare().ok());
  EXPECT_EQ(artifacts(), 65);
}

TEST_F(AheadTest, NoneOfVeryMany) {
  std::vector<std::string> names;
  for (int i = 0; i < 257; ++i)
    names.push_back("kernel" + std::to_string(i));
  use(names);
  cache({"kernel0"});
  EXPECT_TRUE(cached().empty());
}

TEST_F(AheadTest, FailureIsLeftToTheLaunch) {
  use({"damaged", "one"});
  cache({"damaged", "one"});
  module = open();
  testing::internal::CaptureStderr();
  cached().load(*module);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(artifacts(), 1);
  Status status = (*module->kernel("damaged"))->prepare();
  EXPECT_NE(status.message.find("a damaged artifact"), std::string::npos);
  EXPECT_EQ(status.code, Code::Invalid);
}

TEST_F(AheadTest, DeviceMayRefuse) {
  use({"late", "one"});
  cache({"late", "one"});
  module = open();
  cached().load(*module);
  EXPECT_EQ(artifacts(), 1);
  EXPECT_TRUE((*module->kernel("late"))->prepare().ok());
}

} // namespace
