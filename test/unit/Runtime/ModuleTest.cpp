// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package on the host's device: variables, kernels from the cache, launches.
// Each kernel is a hand-written artifact, put into the cache under the key that
// the runtime looks for.

#include "Support.h"
#include "core/code/Artifacts.h"
#include "het/Base/Cache.h"

#include "../../../lib/Target/Null/Artifact.h"

#include "core/Module.h"
#include "het/Base/Passing.h"
#include "het/Package/PackageWriter.h"

#include <cstring>
#include <sys/resource.h>
#include <thread>

using namespace het;
using namespace het::core;

namespace {

/// A package with kernels of HostKernels.c, of which one has variables: they are `table`
/// (4 ints, 5 to 8) and `pointer` (to the third of them).
Bytes makePackage() {
  PackageWriter writer("runtime tests");
  VariableInfo table;
  table.name = "table";
  table.size = 16;
  table.alignment = 4;
  table.initial = {5, 0, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0};
  table.external = true;
  VariableInfo pointer;
  pointer.name = "pointer";
  pointer.size = 8;
  pointer.alignment = 8;
  pointer.initial = Bytes(8);
  pointer.relocations = {{0, 0, 8}};
  pointer.external = true;
  VariableInfo zeros;
  zeros.name = "zeros";
  zeros.size = 1000;
  zeros.external = true;
  for (const VariableInfo &info : {table, pointer, zeros})
    EXPECT_TRUE(writer.addVariable(info).ok());
  for (const char *name : {"numbers", "system_", "trap", "damaged"}) {
    KernelInfo kernel;
    kernel.name = kernel.displayName = name;
    kernel.parameters = {{0, 8, 8}};
    if (std::string(name) == "system_")
      kernel.variables = {0, 1};
    Bytes code = {'n', 'o', ' ', 'I', 'R', ':'};
    code.insert(code.end(), name, name + std::strlen(name));
    EXPECT_TRUE(writer.addKernel(kernel, code).ok());
  }
  Result<Bytes> bytes = writer.finish();
  EXPECT_TRUE(bytes.ok()) << bytes.status().text();
  return bytes.ok() ? bytes.take() : Bytes();
}

class ModuleTest : public testing::Test {
protected:
  void SetUp() override { open(firstHost); }

  void open(int index) {
    device = &runtime().device(index);
    Result<std::shared_ptr<Module>> opened =
        Module::open(*device, bytes, "package of the tests");
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    module = opened.take();
  }

  /// Puts an artifact where the runtime looks for this kernel.
  void store(const std::string &kernel, const Bytes &artifact) {
    Result<Package> package = Package::open(bytes, "");
    ASSERT_TRUE(package.ok());
    Digest digest = *package->codeDigest(*package->findKernel(kernel));
    std::string devicelib = runtime().libraryFolder() + "/het/devicelib.bc";
    Cache::get().store(artifactKey(digest, kernel, device->primary(), devicelib),
                       artifact);
  }

  std::shared_ptr<Kernel> find(const std::string &name) {
    Result<std::shared_ptr<Kernel>> kernel = module->kernel(name);
    EXPECT_TRUE(kernel.ok()) << kernel.status().text();
    return kernel.ok() ? kernel.take() : nullptr;
  }

  template <typename T> T *variable(const std::string &name) {
    Result<VariableAddress> found = module->variable(name);
    EXPECT_TRUE(found.ok()) << found.status().text();
    return found.ok() ? static_cast<T *>(found->address) : nullptr;
  }

  Status launch(Kernel &kernel, Stream &stream, const LaunchShape &shape,
                void *argument) {
    return stream.launch(kernel, shape, &argument, sizeof(argument));
  }

  const Bytes bytes = makePackage();
  Device *device = nullptr;
  std::shared_ptr<Module> module;
};

TEST_F(ModuleTest, PlacesVariablesWithTheirValues) {
  int *table = variable<int>("table");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(runtime().ownerOf(table), device);
  EXPECT_EQ(table[0], 5);
  EXPECT_EQ(table[3], 8);
  EXPECT_EQ(*variable<int *>("pointer"), table + 2);
  const char *zeros = variable<char>("zeros");
  for (int index = 0; index < 1000; ++index)
    ASSERT_EQ(zeros[index], 0);
  EXPECT_EQ(module->variable("nobody").status().code, Code::Unavailable);
}

TEST_F(ModuleTest, UsesThePlaceThatIsGiven) {
  int own[4] = {1, 2, 3, 4};
  auto place = [&](const VariableInfo &info) -> void * {
    return info.name == "table" ? own : nullptr;
  };
  Result<std::shared_ptr<Module>> other = Module::open(*device, bytes, "package", place);
  ASSERT_TRUE(other.ok()) << other.status().text();
  EXPECT_EQ((*other)->variable("table")->address, own);
  EXPECT_EQ(*static_cast<int **>((*other)->variable("pointer")->address), own + 2);
}

TEST_F(ModuleTest, EachDeviceHasItsOwnVariables) {
  int *first = variable<int>("table");
  std::shared_ptr<Module> kept = module;
  open(secondHost);
  int *second = variable<int>("table");
  EXPECT_NE(first, second);
  first[0] = 100;
  EXPECT_EQ(second[0], 5);
}

TEST_F(ModuleTest, LaunchesFromTheCache) {
  store("numbers", kernelBytes("numbers"));
  std::shared_ptr<Kernel> kernel = find("numbers");
  EXPECT_EQ(kernel->argumentBytes(), 8u);
  std::vector<int> out(128 * 64, -1);
  LaunchShape shape;
  shape.grid[0] = 128;
  shape.block[0] = 64;
  shape.dynamicSharedBytes = 64 * sizeof(int);
  std::shared_ptr<Stream> stream = makeStream();
  EXPECT_OK(launch(*kernel, *stream, shape, out.data()));
  stream->synchronize();
  for (size_t index = 0; index < out.size(); ++index)
    ASSERT_EQ(out[index], static_cast<int>(index));
}

TEST_F(ModuleTest, KernelsSeeTheirVariables) {
  store("system_", kernelBytes("system_"));
  std::shared_ptr<Kernel> kernel = find("system_");
  std::vector<int> out(4);
  std::shared_ptr<Stream> stream = makeStream();
  EXPECT_OK(launch(*kernel, *stream, {}, out.data()));
  EXPECT_OK(launch(*kernel, *stream, {}, out.data()));
  stream->synchronize();
  EXPECT_EQ(out[2], 7);
  EXPECT_EQ(out[3], 6);
  EXPECT_EQ(variable<int>("table")[0], 7);
}

TEST_F(ModuleTest, ManyThreadsLaunchFirst) {
  store("numbers", kernelBytes("numbers"));
  std::vector<std::thread> threads;
  for (int index = 0; index < 4; ++index)
    threads.emplace_back([&] {
      std::vector<int> out(32, -1);
      LaunchShape shape;
      shape.block[0] = 32;
      shape.dynamicSharedBytes = 128;
      std::shared_ptr<Stream> stream = makeStream();
      EXPECT_OK(launch(*find("numbers"), *stream, shape, out.data()));
      stream->synchronize();
      EXPECT_EQ(out[31], 31);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(ModuleTest, MissingKernelIsNamed) {
  Result<std::shared_ptr<Kernel>> kernel = module->kernel("nobody");
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.status().code, Code::Unavailable);
  EXPECT_NE(kernel.status().text().find("nobody"), std::string::npos);
}

TEST_F(ModuleTest, ArtifactThatCannotBeLoadedIsAnErrorThatStays) {
  store("damaged", Bytes{1, 2, 3});
  std::shared_ptr<Kernel> kernel = find("damaged");
  for (int tries = 0; tries < 2; ++tries) {
    Status status = kernel->prepare();
    EXPECT_FALSE(status.ok());
    EXPECT_NE(status.text().find("damaged"), std::string::npos);
  }
}

TEST_F(ModuleTest, FailureThatMayPassDoesNotStay) {
  store("numbers", kernelBytes("numbers"));
  std::shared_ptr<Kernel> kernel = find("numbers");
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3; // those that are open stay so
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  for (int tries = 0; tries < 2; ++tries) {
    Status status = kernel->prepare();
    EXPECT_TRUE(mayPass(status)) << status.text();
    EXPECT_FALSE(kernel->isPrepared());
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_OK(kernel->prepare());
  EXPECT_TRUE(kernel->isPrepared());
}

TEST_F(ModuleTest, FaultStaysUntilReset) {
  module.reset();
  open(secondHost);
  store("trap", kernelBytes("trap"));
  {
    std::shared_ptr<Stream> stream = makeStream(StreamKind::Blocking, secondHost);
    EXPECT_OK(launch(*find("trap"), *stream, {}, nullptr));
    stream->synchronize();
  }
  EXPECT_EQ(device->fault().kind, HET_FAULT_TRAP);
  EXPECT_EQ(runtime().device(firstHost).fault().kind, HET_FAULT_NONE);
  module.reset();
  EXPECT_OK(device->reset());
  EXPECT_EQ(device->fault().kind, HET_FAULT_NONE);
  open(secondHost);
  EXPECT_EQ(variable<int>("table")[0], 5);
}

/// An artifact of the null target: a header without code behind it.
static Bytes nullArtifact(uint32_t variables) {
  HetNullArtifact header = {};
  header.magic = HET_NULL_MAGIC;
  header.variableCount = variables;
  auto *bytes = reinterpret_cast<const uint8_t *>(&header);
  return Bytes(bytes, bytes + sizeof(header));
}

TEST_F(ModuleTest, NullTargetLoadsButDoesNotRun) {
  open(nullDevice);
  store("numbers", nullArtifact(find("numbers")->info().variables.size()));
  std::shared_ptr<Kernel> kernel = find("numbers");
  EXPECT_OK(kernel->prepare());
  std::shared_ptr<Stream> stream = makeStream(StreamKind::Blocking, nullDevice);
  Status status = launch(*kernel, *stream, {}, nullptr);
  EXPECT_EQ(status.code, Code::Unsupported);
  EXPECT_NE(status.text().find("runs no kernels"), std::string::npos);
  EXPECT_EQ(*variable<int *>("pointer"), variable<int>("table") + 2);
}

TEST_F(ModuleTest, DamagedPackageIsRefused) {
  Bytes bad = bytes;
  bad[20] ^= 1;
  Result<std::shared_ptr<Module>> opened = Module::open(*device, bad, "bad.hetpkg");
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.status().text().find("bad.hetpkg"), std::string::npos);
}

} // namespace
