// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisations on the fake target: when they are made, which launches get them, and
// what becomes of them when something fails or ends.

#include "CacheFolder.h"
#include "Eventually.h"
#include "FakeDevice.h"
#include "FakeTarget.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "core/Worker.h"
#include "het/Package/PackageWriter.h"

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <future>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::core;
using het::test::eventually;
using het::test::letOthersRun;

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
  for (const char *name :
       {"plain", "second", "fails", "held", "spills", "few", "refused"}) {
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

/// A function of one of the fake target's libraries; null where nobody has opened it.
template <typename Function>
Function functionOf(const std::string &library, const char *function) {
  return het::test::fakeFunction<Function>(
      HET_TEST_FAKE_TARGET "/het-fake-" + library + ".so", function, RTLD_NOLOAD);
}
int countOf(const char *library, const char *function) {
  auto count = functionOf<FakeCount>(library, function);
  return count ? count() : 0;
}
int lowerings() { return countOf("lowering", "hetFakeLowerings"); }
int artifacts() { return countOf("device", "hetFakeArtifacts"); }
/// Whether the lowering of `held` may go on.
void goOn(bool on) {
  if (auto set = functionOf<FakeGoOn>("lowering", "hetFakeGoOn"))
    set(on);
}

class SpecialiseTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Runtime *> made = Runtime::get();
    ASSERT_TRUE(made.ok()) << made.status().text();
    device = &(*made)->device(0);
    if (!testEnvironment.folder.empty()) // a death test finds what this process left
      emptyCache();
    bytes = makePackage(testing::UnitTest::GetInstance()->current_test_info()->name());
    stream = Stream::create(*device, StreamKind::Blocking).take();
    open();
    shape.block[0] = 64;
    arguments.launches = &launches;
    before = lowerings();
  }
  void TearDown() override {
    goOn(true);
    module.reset();
    stream.reset();
    EXPECT_EQ(artifacts(), 0);
    goOn(false);
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

  /// Launches until a launch gets a variant.
  std::string launchOn(const std::string &kernel) {
    std::string words;
    EXPECT_TRUE(eventually([&] { return !(words = launch(kernel)).empty(); }));
    return words;
  }
  /// Launches until the background has begun to lower so many kernels since the test
  /// began; none of the launches gets another code than the general one.
  void launchUntilLowered(const std::string &kernel, int count) {
    EXPECT_TRUE(eventually([&] {
      EXPECT_EQ(launch(kernel), "");
      return ownLowerings() >= count;
    }));
    EXPECT_EQ(ownLowerings(), count);
  }
  /// Launches a kernel that gets no variant until another one, launched as often but
  /// after it, has got one: the background makes one after the other.
  void expectNoVariant(const std::string &kernel) {
    const int count = arguments.count;
    ++others;
    EXPECT_TRUE(eventually([&] {
      EXPECT_EQ(launch(kernel), "");
      arguments.count = 1000 + others;
      const std::string words = launch("second");
      arguments.count = count;
      return !words.empty();
    }));
  }
  /// Lowerings since the test began, but those of expectNoVariant's other kernel.
  int ownLowerings() const { return lowerings() - before - others; }

  Device *device = nullptr;
  Bytes bytes;
  std::shared_ptr<Module> module;
  std::shared_ptr<Stream> stream;
  LaunchShape shape;
  Launches launches;
  Arguments arguments{};
  int before = 0, others = 0;
};

TEST_F(SpecialiseTest, GeneralCodeFirst) {
  EXPECT_EQ(launchOn("plain"), usual);
  EXPECT_GE(launches.words.size(), 32u);
  for (size_t i = 0; i + 1 < launches.words.size(); ++i)
    EXPECT_EQ(launches.words[i], "");
  EXPECT_EQ(lowerings() - before, 1);
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
  expectNoVariant("plain");
  EXPECT_EQ(ownLowerings(), 4);
}

TEST_F(SpecialiseTest, FailureLeavesTheGeneralCode) {
  launchUntilLowered("fails", 1);
  expectNoVariant("fails");
  EXPECT_EQ(ownLowerings(), 1); // and is not tried again
}

TEST_F(SpecialiseTest, CodeThatDoesNotPay) {
  launchUntilLowered("spills", 1);
  expectNoVariant("spills");
  launchUntilLowered("few", 2);
  expectNoVariant("few");
  EXPECT_EQ(ownLowerings(), 2);
}

TEST_F(SpecialiseTest, CodeThatIsRefused) {
  launchUntilLowered("refused", 1);
  expectNoVariant("refused");
  EXPECT_EQ(ownLowerings(), 1);
}

TEST_F(SpecialiseTest, FromTheCache) {
  ASSERT_EQ(launchOn("plain"), usual);
  open();
  EXPECT_EQ(launchOn("plain"), usual);
  EXPECT_EQ(lowerings() - before, 1);
}

TEST_F(SpecialiseTest, LaunchesDoNotWait) {
  launchUntilLowered("held", 1);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(launch("held"), "");
  goOn(true);
  EXPECT_EQ(launchOn("held"), usual);
}

TEST_F(SpecialiseTest, ModuleGoesWhileOneIsMade) {
  launchUntilLowered("held", 1);
  std::atomic<bool> isGone{false};
  std::thread other([&] {
    letOthersRun();
    EXPECT_FALSE(isGone) << "while its kernel is being lowered";
    goOn(true);
  });
  module.reset();
  isGone = true;
  other.join();
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
      EXPECT_TRUE(eventually([&] {
        EXPECT_TRUE((*made)->launch(**kernel, shape, &given, sizeof(given)).ok());
        return !own.words.back().empty();
      }));
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

  /// Ends the process while `held` is being lowered, which goes on when the background
  /// has been told to end.
  [[noreturn]] void exitWhileLowering(int status) {
    std::thread([] {
      while (!Worker::get().stops())
        std::this_thread::yield();
      letOthersRun();
      goOn(true);
    }).detach();
    std::exit(status);
  }
};

/// The process ends while a kernel is being lowered: the lowering's own objects go only
/// then (FakeLowering.cpp).
TEST_F(SpecialiseDeathTest, ProcessEndsWhileOneIsMade) {
  auto run = [&] {
    launchUntilLowered("held", 1);
    exitWhileLowering(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Likewise where nothing but the background has opened the lowering.
TEST_F(SpecialiseDeathTest, ProcessEndsWithALibraryOfTheBackground) {
  launch("held"); // the general code comes from the cache then
  auto run = [&] {
    launch("held");
    if (dlopen(HET_TEST_FAKE_TARGET "/het-fake-lowering.so", RTLD_NOW | RTLD_NOLOAD))
      std::_Exit(2);
    launchUntilLowered("held", 1);
    exitWhileLowering(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

/// Likewise where the background's thread is older than the opened lowering.
TEST_F(SpecialiseDeathTest, ProcessEndsWithALibraryOpenedMeanwhile) {
  launch("held");
  EXPECT_EQ(launchOn("plain"), usual);
  auto run = [&] { // in whose process all of that came from the cache
    if (dlopen(HET_TEST_FAKE_TARGET "/het-fake-lowering.so", RTLD_NOW | RTLD_NOLOAD))
      std::_Exit(2);
    if (!device->target().openLowering().ok())
      std::_Exit(3);
    launchUntilLowered("held", 1);
    exitWhileLowering(lowerings() == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(SpecialiseDeathTest, SwitchedOff) {
  setenv("HET_TEST_SWITCH", "0", 1);
  auto run = [&] {
    // Launches over more time than is enough, and all that the background has to do.
    using Clock = std::chrono::steady_clock; // not timed: at least so much goes by
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(200);
    while (Clock::now() < end)
      EXPECT_EQ(launch("plain"), "");
    std::promise<void> isIdle;
    EXPECT_TRUE(Worker::get().add(this, [&] { isIdle.set_value(); }));
    isIdle.get_future().wait();
    std::_Exit(HasFailure() || lowerings() != 0);
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
    launchUntilLowered("held", 1);
    const pid_t child = fork();
    if (child == 0) {
      alarm(300); // a hang
      std::exit(7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    exitWhileLowering(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(7), "");
}

TEST(SwitchDeathTest, BadValueIsNamed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("HET_TEST_SWITCH", "yes", 1);
  auto run = [] {
    Result<Runtime *> made = Runtime::get();
    std::fputs(made.status().text().c_str(), stderr);
    std::_Exit(made.ok() ? 1 : 0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0),
              "HET_SPECIALISE: found 'yes', expected 0, 1 or always");
  unsetenv("HET_TEST_SWITCH");
}

} // namespace
