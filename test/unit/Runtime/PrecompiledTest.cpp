// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that a package brings, on the host's device: which of it is taken, and why others
// are not. The kernels have no hetIR that could be lowered.

#include "Support.h"
#include "core/code/Artifacts.h"
#include "het/Base/Cache.h"

#include "core/Module.h"
#include "het/Package/PackageWriter.h"

#include <gmock/gmock.h>

using namespace het;
using namespace het::core;

namespace {

class PrecompiledTest : public testing::Test {
protected:
  Device &device() { return runtime().device(firstHost); }
  const Backend &backend() { return device().primary(); }
  std::string version() { return backend().properties().loweringVersion; }
  ArtifactKind kind(const std::string &arch, const std::string &options = "") {
    return {"host", arch, options, version()};
  }

  /// A package of the kernel `numbers`, with artifacts of these kinds.
  void write(const std::vector<ArtifactKind> &kinds) {
    write(kinds, kernelBytes("numbers"));
  }
  void write(const std::vector<ArtifactKind> &kinds, const Bytes &artifact) {
    PackageWriter writer("runtime tests");
    KernelInfo kernel;
    kernel.name = kernel.displayName = "numbers";
    kernel.parameters = {{0, 8, 8}};
    const std::string noIR =
        "no IR: " +
        std::string(testing::UnitTest::GetInstance()->current_test_info()->name());
    ASSERT_TRUE(writer.addKernel(kernel, ByteView(std::string_view(noIR))).ok());
    for (const ArtifactKind &kind : kinds)
      ASSERT_TRUE(writer.addArtifact(kind, "numbers", artifact).ok());
    Result<Bytes> written = writer.finish();
    ASSERT_TRUE(written.ok()) << written.status().text();
    bytes = written.take();
    Result<Package> opened = Package::open(bytes, "package");
    ASSERT_TRUE(opened.ok()) << opened.status().text();
    package.emplace(opened.take());
    info = *package->kernel(0);
  }

  /// The architecture of what is chosen; empty: nothing is.
  std::string chosen(const std::string &options = "", bool isUsed = true) {
    const Precompiled precompiled(*package, isUsed);
    why.clear();
    std::optional<Precompiled::Found> found =
        precompiled.find(backend(), info, 0, options, &why);
    return found ? found->lowering->kind.arch : "";
  }
  void expectReason(const char *part) {
    EXPECT_NE(why.find(part), std::string::npos) << why;
  }

  Bytes bytes;
  std::optional<Package> package;
  KernelInfo info;
  std::string why;
};

TEST_F(PrecompiledTest, Runs) {
  write({kind("x86-64")});
  Result<std::shared_ptr<Module>> module = Module::open(device(), bytes, "package");
  ASSERT_TRUE(module.ok()) << module.status().text();
  Result<std::shared_ptr<Kernel>> kernel = (*module)->kernel("numbers");
  ASSERT_TRUE(kernel.ok());
  ASSERT_TRUE((*kernel)->prepare().ok()) << (*kernel)->prepare().text();
  // It is not kept again.
  EXPECT_FALSE(Cache::get().load(artifactKey(backend(), *package, info)));
}

TEST_F(PrecompiledTest, TheBestIsTaken) {
  write({kind("x86-64"), kind("x86-64-v2"), kind("x86-64+sse3")});
  EXPECT_EQ(chosen(), "x86-64-v2");
}

TEST_F(PrecompiledTest, OthersAreNot) {
  write({{"null", "null", "", version()}});
  EXPECT_EQ(chosen(), "");
  EXPECT_EQ(why, "") << "of another target";
  write({kind("x86-64-v9")});
  EXPECT_EQ(chosen(), "");
  expectReason("code for x86-64-v9: this processor is no x86-64-v9");
  write({kind("x86-64+nonsense")});
  EXPECT_EQ(chosen(), "");
  expectReason("this processor lacks nonsense");
  write({{"host", "x86-64", "", "0000"}});
  EXPECT_EQ(chosen(), "");
  expectReason("code for host x86-64: found lowering 0000, expected");
}

TEST_F(PrecompiledTest, OptionsAreThose) {
  write({kind("x86-64"), kind("x86-64", "parkable")});
  EXPECT_EQ(chosen("parkable"), "x86-64");
  EXPECT_EQ(chosen("parkable=7"), "");
  expectReason("found options 'parkable', expected 'parkable=7'");
}

TEST_F(PrecompiledTest, OffOnRequest) {
  write({kind("x86-64")});
  EXPECT_EQ(chosen("", /*isUsed=*/false), "");
}

/// What does not fit is lowered, as without it.
TEST_F(PrecompiledTest, OthersAreLowered) {
  write({kind("x86-64-v9")});
  Cache::get().store(artifactKey(backend(), *package, info), kernelBytes("numbers"));
  Result<std::shared_ptr<Module>> module = Module::open(device(), bytes, "package");
  ASSERT_TRUE(module.ok());
  EXPECT_TRUE((*(*module)->kernel("numbers"))->prepare().ok());
}

/// Damage is found before anything runs; then there is nothing that could be lowered.
TEST_F(PrecompiledTest, DamageIsNotRun) {
  write({kind("x86-64")});
  const Precompiled precompiled(*package, true);
  const uint32_t section = precompiled.find(backend(), info, 0, "")->entry->section;
  bytes[static_cast<size_t>(package->section(section).offset) + 100] ^= 1;
  Result<std::shared_ptr<Module>> module = Module::open(device(), bytes, "package");
  ASSERT_TRUE(module.ok());
  EXPECT_FALSE((*(*module)->kernel("numbers"))->prepare().ok());
}

/// Who is told that a device refuses code hears where it is from, and what to do there.
TEST_F(PrecompiledTest, RefusedCodeSaysWhereItIsFrom) {
  const Bytes refused = {'n', 'o', ' ', 'E', 'L', 'F'};
  auto whyNot = [&]() -> std::string {
    Result<std::shared_ptr<Module>> module = Module::open(device(), bytes, "a.hetpkg");
    return module.ok() ? (*(*module)->kernel("numbers"))->prepare().text() : "";
  };
  write({kind("x86-64")}, refused);
  EXPECT_THAT(whyNot(),
              testing::HasSubstr("it was precompiled for host x86-64, in a.hetpkg; run "
                                 "'hetpkg precompile --for=host' on that again"));
  write({});
  const std::string key = artifactKey(backend(), *package, info);
  Cache::get().store(key, refused);
  EXPECT_THAT(whyNot(), testing::HasSubstr("it is from the cache; remove " +
                                           Cache::get().pathOf(key)));
}

} // namespace
