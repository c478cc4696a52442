// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading ahead as a program sees it. Each test is a process that finds in the
// cache what this one left there; it registers its package and allocates memory.

#include "FakeDevice.h"
#include "FakeTarget.h"
#include "het/Package/PackageWriter.h"

#include <cstdlib>
#include <cuda_runtime_api.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace het;

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
}

namespace {

/// The environment that the runtime finds, set before anything asks for it.
struct TestEnvironment {
  std::string folder;

  TestEnvironment() {
    if (std::getenv("HET_TEST_FOLDER"))
      return;
    char name[] = "/tmp/het-preload-XXXXXX";
    folder = mkdtemp(name);
    setenv("HET_TEST_FOLDER", folder.c_str(), 1);
    setenv("HET_CACHE_DIR", (folder + "/cache").c_str(), 1);
    setenv("HET_TARGET_PATH", HET_TEST_FAKE_TARGET, 1);
    setenv("HET_LOWERING_PROCESS", "0", 1); // the fake one counts in this process
    setenv("HET_DEVICES", "fake", 1);
    for (const char *other : {"HET_LOG", "HET_SPECIALISE", "HET_PRELOAD"})
      unsetenv(other);
  }
  ~TestEnvironment() {
    std::error_code error;
    if (!folder.empty())
      std::filesystem::remove_all(folder, error);
  }
};
const TestEnvironment testEnvironment;

const std::vector<std::string> kernels = {"plain", "few", "spills", "second"};
char stubs[4];

struct FatBinaryWrapper {
  uint32_t magic = 0x466243b1;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

Bytes makePackage() {
  PackageWriter writer("tests of loading ahead");
  for (const std::string &name : kernels) {
    KernelInfo kernel;
    kernel.name = kernel.displayName = name;
    kernel.parameters = {{0, 8, 8}};
    // Each test has code of its own in the cache.
    const std::string code =
        name + testing::UnitTest::GetInstance()->current_test_info()->name();
    EXPECT_TRUE(writer.addKernel(kernel, Bytes(code.begin(), code.end())).ok());
  }
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

class PreloadDeathTest : public testing::Test {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    bytes = makePackage();
    registerPackage();
  }
  void registerPackage() {
    wrapper.data = bytes.data();
    handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < kernels.size(); ++i)
      __cudaRegisterFunction(handle, &stubs[i], nullptr, kernels[i].c_str(), -1, nullptr,
                             nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFatBinaryEnd(handle);
  }

  void launch(size_t kernel) {
    Launches *address = &launches;
    void *arguments[] = {&address};
    EXPECT_EQ(cudaLaunchKernel(&stubs[kernel], 1, 32, arguments, 0, nullptr),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  /// As an earlier process leaves them. The first test of all does not find
  /// this one's kernels loaded ahead: nothing was in the cache when it began to
  /// use the device.
  void fillCache(std::initializer_list<size_t> which) {
    if (std::getenv("HET_TEST_CHILD"))
      return;
    for (size_t kernel : which)
      launch(kernel);
    setenv("HET_TEST_CHILD", "1", 1);
  }
  void TearDown() override {
    unsetenv("HET_TEST_CHILD");
    unsetenv("HET_PRELOAD");
  }

  /// The first call that uses a device.
  static void begin() {
    void *memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  }
  static int artifacts() {
    return het::test::fakeFunction<FakeCount>(HET_TEST_FAKE_TARGET "/het-fake-device.so",
                                              "hetFakeArtifacts")();
  }
  static FakeFaults &faults() {
    return *het::test::fakeFunction<FakeFaultsFunction>(
        HET_TEST_FAKE_TARGET "/het-fake-device.so", "hetFakeFaults")();
  }

  Bytes bytes;
  FatBinaryWrapper wrapper;
  void **handle = nullptr;
  Launches launches;
};

TEST_F(PreloadDeathTest, LoadsWhatWasUsed) {
  fillCache({0, 1});
  auto run = [&] {
    begin();
    EXPECT_EQ(artifacts(), 2);
    launch(0);
    launch(1);
    EXPECT_EQ(artifacts(), 2);
    EXPECT_EQ(launches.words.size(), 2u);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// By whoever is the first.
TEST_F(PreloadDeathTest, FirstUseByManyThreads) {
  fillCache({0, 1, 2});
  auto run = [&] {
    std::vector<std::thread> users;
    for (int i = 0; i < 8; ++i)
      users.emplace_back(begin);
    for (std::thread &user : users)
      user.join();
    EXPECT_EQ(artifacts(), 3);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Another thread does not wait for the first: it may be opening a library whose
/// constructor uses the device, and have the loader's lock, which loading takes.
TEST_F(PreloadDeathTest, ALibrarysConstructorUsesTheDeviceMeanwhile) {
  fillCache({0, 1});
  auto run = [&] {
    bool isFirst = true;
    faults().loads = [&] {
      if (std::exchange(isFirst, false))
        std::thread(begin).join();
    };
    begin();
    EXPECT_FALSE(isFirst);
    EXPECT_EQ(artifacts(), 2);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(PreloadDeathTest, OffOnRequest) {
  fillCache({0, 1});
  setenv("HET_PRELOAD", "0", 1);
  auto run = [&] {
    begin();
    launch(1);
    EXPECT_EQ(artifacts(), 1);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(PreloadDeathTest, BadSwitchIsNamed) {
  setenv("HET_PRELOAD", "maybe", 1);
  auto run = [&] {
    void *memory = nullptr;
    std::_Exit(cudaMalloc(&memory, 16) == cudaErrorInitializationError ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "HET_PRELOAD: found 'maybe'");
}

TEST_F(PreloadDeathTest, FreeMemoryIsWhatItWillBe) {
  fillCache({0, 3});
  auto run = [&] {
    size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_EQ(artifacts(), 2);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(PreloadDeathTest, NotAgainAfterAReset) {
  fillCache({0, 3});
  auto run = [&] {
    begin();
    EXPECT_EQ(artifacts(), 2);
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(artifacts(), 0);
    begin();
    EXPECT_EQ(artifacts(), 0);
    launch(0);
    EXPECT_EQ(artifacts(), 1);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(PreloadDeathTest, DamageIsLeftToALaunch) {
  fillCache({0});
  auto run = [&] {
    bytes[bytes.size() / 2] ^= 1;
    testing::internal::CaptureStderr();
    begin();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    Launches *address = &launches;
    void *arguments[] = {&address};
    EXPECT_NE(cudaLaunchKernel(&stubs[0], 1, 32, arguments, 0, nullptr), cudaSuccess);
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "SHA-256");
}

TEST_F(PreloadDeathTest, ALibraryIsClosedMeanwhile) {
  fillCache({0, 1});
  auto run = [&] {
    __cudaUnregisterFatBinary(handle);
    void *library = dlopen(HET_TEST_PACKAGE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    using Register = bool (*)(const void *, size_t);
    ASSERT_TRUE(reinterpret_cast<Register>(dlsym(library, "registerPackage"))(
        bytes.data(), bytes.size()));
    // Another thread closes it, and comes to an end while a kernel of it is being loaded.
    faults().loads = [&] {
      if (void *open = std::exchange(library, nullptr))
        std::thread([=] { dlclose(open); }).join();
    };
    begin();
    EXPECT_EQ(library, nullptr);
    EXPECT_EQ(dlopen(HET_TEST_PACKAGE_LIBRARY, RTLD_NOW | RTLD_NOLOAD), nullptr);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(artifacts(), 0); // what was loaded went with it
    std::exit(HasFailure());
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

} // namespace
