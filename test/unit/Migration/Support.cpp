// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process's environment and its kernels. Artifacts lie in the cache under the keys
// of the host and of `apart`.

#include "MigrationTest.h"
#include "migration/MigrationExtension.h"

#include "core/code/Artifacts.h"
#include "het/Base/Cache.h"
#include "het/Base/File.h"
#include "het/DeviceABI/Heap.h"
#include "het/Package/PackageWriter.h"

#include <cstdlib>
#include <filesystem>

using namespace het;
using namespace het::core;

namespace {

struct TestEnvironment {
  std::string folder;

  TestEnvironment() {
    char name[] = "/tmp/het-migratable-XXXXXX";
    folder = mkdtemp(name);
    setenv("HET_CACHE_DIR", (folder + "/cache").c_str(), 1);
    setenv("HET_TARGET_PATH", HET_TEST_APART ":" HET_TEST_TARGETS, 1);
    setenv("HET_DEVICES", HET_TEST_DEVICES, 1);
    setenv("HET_CONTROL", "1", 1);
    setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
    setenv("HET_HOST_THREADS", "4", 1);
    unsetenv("HET_HOP");
    unsetenv("HET_LOG");
  }
  ~TestEnvironment() {
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }
};

const TestEnvironment testEnvironment;

constexpr const char *kernelNames[] = {"count",       "meet",      "chain", "countPlain",
                                       "countPrintf", "countHeap", "store"};

const Bytes &package() {
  static const Bytes bytes = [] {
    PackageWriter writer("movement tests");
    VariableInfo heap;
    heap.name = HET_HEAP_NAME;
    heap.size = sizeof(HetHeap);
    heap.alignment = 16;
    heap.kind = VariableKind::Heap;
    EXPECT_TRUE(writer.addVariable(heap).ok());
    for (const char *name : kernelNames) {
      KernelInfo kernel;
      kernel.name = kernel.displayName = name;
      for (uint32_t i = 0; i < 4; ++i)
        kernel.parameters.push_back({i * 8, 8, 8});
      std::string code = std::string("no IR: ") + name;
      // What the runtime looks for.
      if (code.find("Printf") != std::string::npos)
        code += " hetir.printf";
      if (code.find("Heap") != std::string::npos)
        kernel.variables.push_back(0);
      EXPECT_TRUE(writer.addKernel(kernel, Bytes(code.begin(), code.end())).ok());
    }
    Result<Bytes> written = writer.finish();
    EXPECT_TRUE(written.ok()) << written.status().text();
    return written.ok() ? written.take() : Bytes();
  }();
  return bytes;
}

/// Puts all kernels where the runtime looks for them.
void store(const Backend &backend) {
  Result<Package> opened = Package::open(package(), "");
  ASSERT_TRUE(opened.ok());
  for (const std::string name : kernelNames) {
    Digest digest = *opened->codeDigest(*opened->findKernel(name));
    std::string devicelib = runtime().libraryFolder() + "/het/devicelib.bc";
    auto add = [&](const std::string &file, const std::string &options) {
      Result<Bytes> bytes = readFile(HET_TEST_KERNELS "/" + file + ".so");
      ASSERT_TRUE(bytes.ok()) << bytes.status().text();
      Cache::get().store(artifactKey(digest, name, backend, devicelib, options), *bytes);
    };
    const bool isCount = name == "countPrintf" || name == "store";
    add(isCount ? "count" : name, "parkable");
    if (name == "store")
      add(name, "");
  }
}

} // namespace

core::Runtime &runtime() {
  // Once, as a program does: several threads ask.
  static Result<core::Runtime *> result = [] {
    core::MigrationExtension::install();
    return core::Runtime::get();
  }();
  if (!result.ok()) {
    ADD_FAILURE() << result.status().text();
    std::abort();
  }
  return **result;
}

static constexpr char apartPlugin[] = HET_TEST_APART "/het-apart-device.so";
static constexpr char shadowPlugin[] = HET_TEST_APART "/het-shadow-device.so";

test::FakeControl &apart() {
  static auto control =
      test::fakeFunction<test::FakeControlFunction>(apartPlugin, "hetFakeControl");
  return *control();
}

test::FakeControl &shadow() {
  static auto control =
      test::fakeFunction<test::FakeControlFunction>(shadowPlugin, "hetFakeControl");
  return *control();
}

void loseApart(Backend *backend) {
  static auto lose = test::fakeFunction<test::FakeLose>(apartPlugin, "hetFakeLose");
  lose(backend ? backend->handle() : nullptr);
}

void MigrationTest::SetUp() {
  for (const char *name : {"host", "apart"}) {
    Result<Backend *> backend = migratable().backends.open(name);
    ASSERT_TRUE(backend.ok()) << backend.status().text();
    store(**backend);
  }
  Result<std::shared_ptr<Module>> opened =
      Module::open(device(), package(), "package of the tests");
  ASSERT_TRUE(opened.ok()) << opened.status().text();
  module = opened.take();
}

void MigrationTest::TearDown() {
  apart().mapsUntilFailure = apart().copiesUntilFailure = -1;
  apart().pinsFail = apart().limitsFail = false;
  apart().layoutChange = 0;
  apart().parkableThreads = 1024;
  apart().loadsParkable = true;
  device().synchronize();
  EXPECT_EQ(device().faultKind(), HET_FAULT_NONE) << device().fault().message;
  for (void *memory : allocated)
    EXPECT_OK(device().memory().free(memory));
  allocated.clear();
  (void)migratable().migration.moveTo("host", "a test has ended");
  module.reset();
}

void *MigrationTest::allocateBytes(size_t size) {
  Result<void *> memory = device().memory().allocate(size);
  EXPECT_TRUE(memory.ok()) << memory.status().text();
  allocated.push_back(*memory);
  EXPECT_OK(device().defaultStream().fill(*memory, 0, 1, size));
  device().defaultStream().synchronize();
  return *memory;
}

std::shared_ptr<Stream> MigrationTest::makeStream(StreamKind kind) {
  auto made = Stream::create(device(), kind);
  EXPECT_TRUE(made.ok()) << made.status().text();
  return made.take();
}

Kernel &MigrationTest::kernel(const std::string &name) {
  Result<std::shared_ptr<Kernel>> found = module->kernel(name);
  EXPECT_TRUE(found.ok()) << found.status().text();
  return **found;
}

std::vector<uint64_t> MigrationTest::expectedOf(uint32_t count) {
  Steps steps = makeSteps(count);
  auto *out = allocate<uint64_t>(blocks * threads);
  auto *begun = allocate<uint32_t>(blocks);
  auto stream = makeStream();
  launch(*stream, "count", false, out, &steps, begun);
  stream->synchronize();
  std::vector<uint64_t> result(blocks * threads);
  EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
  stream->synchronize();
  return result;
}

MoveReport MigrationTest::move(const std::string &name) {
  Result<MoveReport> report = migratable().migration.moveTo(name);
  EXPECT_TRUE(report.ok()) << report.status().text();
  return report.ok() ? *report : MoveReport();
}

void MigrationTest::expectRefusal(const std::string &name, const std::string &reason) {
  const Backend *before = &migratable().active();
  Result<MoveReport> report = migratable().migration.moveTo(name);
  ASSERT_FALSE(report.ok()) << report->text();
  EXPECT_NE(report.status().text().find(reason), std::string::npos)
      << report.status().text();
  EXPECT_EQ(&migratable().active(), before);
  EXPECT_FALSE(migratable().isParking());
}
