// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The environment that the runtime finds, set before anything asks for it.

#include "Support.h"

#include "het/Base/File.h"

#include <cstdlib>
#include <filesystem>

using namespace het;

namespace {

struct TestEnvironment {
  std::string folder;
  bool owner = true;

  TestEnvironment() {
    // A death test runs this program again and keeps what it was given.
    if (const char *given = std::getenv("HET_TEST_FOLDER")) {
      folder = given;
      owner = false;
      return;
    }
    char name[] = "/tmp/het-runtime-XXXXXX";
    folder = mkdtemp(name);
    setenv("HET_TEST_FOLDER", folder.c_str(), 1);
    setenv("HET_CACHE_DIR", (folder + "/cache").c_str(), 1);
    setenv("HET_CACHE_SIZE", "256K", 1);
    setenv("HET_TARGET_PATH", HET_TEST_TARGETS, 1);
    setenv("HET_DEVICES", "host,host,null", 1);
    setenv("HET_HOST_THREADS", "4", 1);
    unsetenv("HET_LOG");
  }
  ~TestEnvironment() {
    std::error_code error;
    if (owner)
      std::filesystem::remove_all(folder, error);
  }
};

const TestEnvironment testEnvironment;

} // namespace

core::Runtime &runtime() {
  Result<core::Runtime *> result = core::Runtime::get();
  if (!result.ok()) {
    ADD_FAILURE() << result.status().text();
    std::abort();
  }
  return **result;
}

std::string cacheFolder() { return testEnvironment.folder + "/cache/"; }

Bytes kernelBytes(const std::string &name) {
  Result<Bytes> bytes = readFile(HET_TEST_KERNELS "/" + name + ".so");
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

std::shared_ptr<core::Stream> makeStream(core::StreamKind kind, int device) {
  auto made = core::Stream::create(runtime().device(device), kind);
  EXPECT_TRUE(made.ok()) << made.status().text();
  return made.ok() ? made.take() : nullptr;
}

std::shared_ptr<core::Event> makeEvent(int device) {
  auto made = core::Event::create(runtime().device(device));
  EXPECT_TRUE(made.ok()) << made.status().text();
  return made.ok() ? made.take() : nullptr;
}
