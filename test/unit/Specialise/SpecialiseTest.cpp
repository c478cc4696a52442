// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisations on the fake target: when they are made, which launches get them, and
// what becomes of them when something fails or ends.

#include "FakeTarget.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "het/Package/PackageWriter.h"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

/// The environment that the runtime finds, set before anything asks for it.
struct TestEnvironment {
  std::string folder;

  TestEnvironment() {
    // A death test runs this program again and chooses the switch.
    const char *choice = std::getenv("HET_TEST_SWITCH");
    setenv("HET_SPECIALISE", choice ? choice : "1", 1);
    if (std::getenv("HET_TEST_FOLDER"))
      return;
    char name[] = "/tmp/het-specialise-XXXXXX";
    folder = mkdtemp(name);
    setenv("HET_TEST_FOLDER", folder.c_str(), 1);
    setenv("HET_CACHE_DIR", (folder + "/cache").c_str(), 1);
    setenv("HET_TARGET_PATH", HET_TEST_FAKE_TARGET, 1);
    setenv("HET_LOWERING_PROCESS", "0", 1); // the fake one counts in this process
    setenv("HET_DEVICES", "fake", 1);
    unsetenv("HET_LOG");
  }
  ~TestEnvironment() {
    std::error_code error;
    if (!folder.empty())
      std::filesystem::remove_all(folder, error);
  }
};
const TestEnvironment testEnvironment;

struct Arguments {
  Launches *launches;
  int32_t count = 100;
  float factor = 1.5f;
};

const char usual[] = "block=64,1,1 argument=1:64000000 argument=2:0000c03f";

Bytes makePackage(const std::string &salt) {
  PackageWriter writer("tests of variants");
  for (const char *name : {"plain", "fails", "slow", "spills", "few", "refused"}) {
    KernelInfo kernel;
    kernel.name = kernel.displayName = name;
    kernel.parameters = {{0, 8, 8}, {8, 4, 4}, {12, 4, 4}};
    std::string code = name + salt; // each test has code of its own in the cache
    EXPECT_TRUE(writer.addKernel(kernel, Bytes(code.begin(), code.end())).ok());
  }
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

int countOf(const char *library, const char *function) {
  std::string path = std::string(HET_TEST_FAKE_TARGET "/het-fake-") + library + ".so";
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  return handle ? reinterpret_cast<FakeCount>(dlsym(handle, function))() : 0;
}
int lowerings() { return countOf("lowering", "hetFakeLowerings"); }
int artifacts() { return countOf("device", "hetFakeArtifacts"); }

class SpecialiseTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Runtime *> made = Runtime::get();
    ASSERT_TRUE(made.ok()) << made.status().text();
    device = &(*made)->device(0);
    bytes = makePackage(testing::UnitTest::GetInstance()->current_test_info()->name());
    stream = Stream::create(*device, StreamKind::Blocking).take();
    open();
    shape.block[0] = 64;
    arguments.launches = &launches;
    before = lowerings();
  }
  void TearDown() override {
    module.reset();
    stream.reset();
    EXPECT_EQ(artifacts(), 0);
  }
  void open() {
    module.reset();
    Result<std::shared_ptr<Module>> opened = Module::open(*device, bytes, "package");
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    module = opened.take();
  }

  /// The words of the code that this launch got.
  std::string launch(const std::string &kernel) {
    Result<std::shared_ptr<Kernel>> found = module->kernel(kernel);
    Status status = stream->launch(**found, shape, &arguments, sizeof(arguments));
    EXPECT_TRUE(status.ok()) << status.text();
    std::lock_guard<std::mutex> lock(launches.mutex);
    return launches.words.empty() ? "none" : launches.words.back();
  }

  /// Launches until a launch gets a variant, or for so long.
  std::string launchOn(const std::string &kernel, int milliseconds = 20000) {
    std::string words;
    auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    while (words.empty() && std::chrono::steady_clock::now() < end) {
      words = launch(kernel);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return words;
  }
  /// Launches until the background has begun to lower so many kernels since the test
  /// began; none of the launches gets another code than the general one.
  void launchUntilLowered(const std::string &kernel, int count) {
    for (int i = 0; i < 10000 && lowerings() - before < count; ++i) {
      EXPECT_EQ(launch(kernel), "");
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(lowerings() - before, count);
  }
  static constexpr int aWhile = 300; ///< Milliseconds: long enough to make one more.

  Device *device = nullptr;
  Bytes bytes;
  std::shared_ptr<Module> module;
  std::shared_ptr<Stream> stream;
  LaunchShape shape;
  Launches launches;
  Arguments arguments{};
  int before = 0;
};

TEST_F(SpecialiseTest, GeneralCodeFirst) {
  EXPECT_EQ(launchOn("plain"), usual);
  EXPECT_GE(launches.words.size(), 32u);
  for (size_t i = 0; i + 1 < launches.words.size(); ++i)
    EXPECT_EQ(launches.words[i], "");
  EXPECT_EQ(lowerings() - before, 1);
}

TEST_F(SpecialiseTest, ManyLaunchesAtOnceAreTooEarly) {
  for (int i = 0; i < 1000; ++i)
    launch("plain");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(lowerings() - before, 0);
}

TEST_F(SpecialiseTest, OtherLaunchesGetTheGeneralCode) {
  ASSERT_EQ(launchOn("plain"), usual);
  arguments.count = 101;
  EXPECT_EQ(launch("plain"), "");
  arguments.count = 100;
  EXPECT_EQ(launch("plain"), usual);
  shape.block[0] = 32;
  EXPECT_EQ(launch("plain"), "");
  shape.block[0] = 64;
  shape.grid[0] = 5;
  EXPECT_EQ(launch("plain"), usual);
  shape.cooperative = true;
  EXPECT_EQ(launch("plain"), "");
}

TEST_F(SpecialiseTest, SecondConstantsGetCodeToo) {
  ASSERT_EQ(launchOn("plain"), usual);
  arguments.count = 200;
  EXPECT_EQ(launchOn("plain"), "block=64,1,1 argument=1:c8000000 argument=2:0000c03f");
  arguments.count = 100;
  EXPECT_EQ(launch("plain"), usual);
}

TEST_F(SpecialiseTest, VariantsAreFew) {
  for (int i = 0; i < 4; ++i, ++arguments.count)
    EXPECT_NE(launchOn("plain"), "");
  EXPECT_EQ(launchOn("plain", aWhile), "");
  EXPECT_EQ(lowerings() - before, 4);
}

TEST_F(SpecialiseTest, FailureLeavesTheGeneralCode) {
  launchUntilLowered("fails", 1);
  EXPECT_EQ(launchOn("fails", aWhile), "");
  EXPECT_EQ(lowerings() - before, 1); // and is not tried again
}

TEST_F(SpecialiseTest, CodeThatDoesNotPay) {
  launchUntilLowered("spills", 1);
  EXPECT_EQ(launchOn("spills", aWhile), "");
  launchUntilLowered("few", 2);
  EXPECT_EQ(launchOn("few", aWhile), "");
  EXPECT_EQ(lowerings() - before, 2);
}

TEST_F(SpecialiseTest, CodeThatIsRefused) {
  launchUntilLowered("refused", 1);
  EXPECT_EQ(launchOn("refused", aWhile), "");
  EXPECT_EQ(lowerings() - before, 1);
}

TEST_F(SpecialiseTest, FromTheCache) {
  ASSERT_EQ(launchOn("plain"), usual);
  open();
  EXPECT_EQ(launchOn("plain"), usual);
  EXPECT_EQ(lowerings() - before, 1);
}

TEST_F(SpecialiseTest, LaunchesDoNotWait) {
  launchUntilLowered("slow", 1);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(launch("slow"), ""); // would be another, had one of them waited
  EXPECT_EQ(launchOn("slow"), usual);
}

TEST_F(SpecialiseTest, ModuleGoesWhileOneIsMade) {
  launchUntilLowered("slow", 1);
  module.reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(600)); // nothing comes later
  EXPECT_EQ(artifacts(), 0);
}

TEST_F(SpecialiseTest, ManyThreadsLaunch) {
  Result<std::shared_ptr<Kernel>> kernel = module->kernel("plain");
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&, index] {
      Launches own;
      Arguments given{&own, index % 2 ? 100 : 300};
      auto made = Stream::create(*device, StreamKind::NonBlocking);
      auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
      while (std::chrono::steady_clock::now() < end)
        EXPECT_TRUE((*made)->launch(**kernel, shape, &given, sizeof(given)).ok());
      for (const std::string &words : own.words)
        EXPECT_TRUE(words.find("argument=1") == std::string::npos ||
                    words.find(index % 2 ? "1:64000000" : "1:2c010000") !=
                        std::string::npos)
            << words;
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Tests in a process of its own, which finds what this one has in the cache.
class SpecialiseDeathTest : public SpecialiseTest {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    SpecialiseTest::SetUp();
  }
  void TearDown() override {
    unsetenv("HET_TEST_SWITCH");
    SpecialiseTest::TearDown();
  }
};

/// The process ends while a kernel is being lowered: the lowering's own objects go only
/// then (FakeLowering.cpp).
TEST_F(SpecialiseDeathTest, ProcessEndsWhileOneIsMade) {
  auto run = [&] {
    launchUntilLowered("slow", 1);
    std::exit(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Likewise where nothing but the background has opened the lowering.
TEST_F(SpecialiseDeathTest, ProcessEndsWithALibraryOfTheBackground) {
  launch("slow"); // the general code comes from the cache then
  auto run = [&] {
    launch("slow");
    if (dlopen(HET_TEST_FAKE_TARGET "/het-fake-lowering.so", RTLD_NOW | RTLD_NOLOAD))
      std::_Exit(2);
    launchUntilLowered("slow", 1);
    std::exit(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Likewise where the background's thread is older than the opened lowering.
TEST_F(SpecialiseDeathTest, ProcessEndsWithALibraryOpenedMeanwhile) {
  launch("slow");
  EXPECT_EQ(launchOn("plain"), usual);
  auto run = [&] { // in whose process all of that came from the cache
    if (dlopen(HET_TEST_FAKE_TARGET "/het-fake-lowering.so", RTLD_NOW | RTLD_NOLOAD))
      std::_Exit(2);
    if (!device->target().openLowering().ok())
      std::_Exit(3);
    launchUntilLowered("slow", 1);
    std::exit(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(SpecialiseDeathTest, SwitchedOff) {
  setenv("HET_TEST_SWITCH", "0", 1);
  auto run = [&] {
    std::string words = launchOn("plain", aWhile);
    std::_Exit(words.empty() && lowerings() == 0 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(SpecialiseDeathTest, EachLaunchHasItsOwn) {
  setenv("HET_TEST_SWITCH", "always", 1);
  auto run = [&] {
    for (const char *kernel : {"plain", "spills", "few"}) {
      arguments.count = 100;
      EXPECT_EQ(launch(kernel), usual);
      arguments.count = 1;
      EXPECT_EQ(launch(kernel), "block=64,1,1 argument=1:01000000 argument=2:0000c03f");
      arguments.count = 100;
      EXPECT_EQ(launch(kernel), usual);
    }
    for (const char *kernel : {"fails", "refused"})
      EXPECT_EQ(launch(kernel), "");
    std::_Exit(HasFailure() || lowerings() != 8);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// The child has none of the threads; its end waits for nothing.
TEST_F(SpecialiseDeathTest, ForkWhileOneIsMade) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "what the threads held is a leak of the child's";
#endif
#endif
  auto run = [&] {
    launchUntilLowered("slow", 1);
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      std::exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");
}

TEST(SwitchDeathTest, BadValueIsNamed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("HET_TEST_SWITCH", "yes", 1);
  auto run = [] {
    Result<Runtime *> made = Runtime::get();
    std::_Exit(made.ok() ? 1 : 0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              "HET_SPECIALISE: found 'yes', expected 0, 1 or always");
  unsetenv("HET_TEST_SWITCH");
}

} // namespace
