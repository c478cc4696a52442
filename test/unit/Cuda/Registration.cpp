// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registered packages: variables by their shadows, damaged and missing
// packages, many kernels.

#include "Support.h"

#include "het/Package/PackageReference.h"
#include "het/Package/PackageWriter.h"

#include <atomic>
#include <deque>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <vector>

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
void __cudaRegisterManagedVar(void **handle, void **slot, void *initial, const char *name,
                              size_t size, unsigned alignment);
}

namespace {

struct Symbols : testing::Test {
  void SetUp() override { registerPackage(); }
};

/// Registers `data` with one kernel and returns what a launch of it gives and
/// logs.
cudaError_t launchFrom(const void *data, std::string &log) {
  static std::deque<FatBinaryWrapper> wrappers;
  static std::deque<char> stubs;
  wrappers.emplace_back().data = data;
  stubs.push_back(0);
  void **handle = __cudaRegisterFatBinary(&wrappers.back());
  __cudaRegisterFunction(handle, &stubs.back(), nullptr, "plain", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  void *pointer = nullptr;
  int number = 0;
  void *arguments[] = {&pointer, &number};
  testing::internal::CaptureStderr();
  cudaError_t error = cudaLaunchKernel(&stubs.back(), 1, 1, arguments, 0, nullptr);
  EXPECT_EQ(cudaGetLastError(), error);
  log = testing::internal::GetCapturedStderr();
  __cudaUnregisterFatBinary(handle);
  return error;
}

/// A package with managed variables that are called m0, m1, ..., and are 7 at first.
het::Bytes managedPackage(size_t variables) {
  het::PackageWriter writer("managed variables");
  het::VariableInfo variable;
  variable.size = variable.alignment = 4;
  variable.kind = het::VariableKind::Managed;
  variable.external = true;
  variable.initial = {7, 0, 0, 0};
  for (size_t index = 0; index < variables; ++index) {
    variable.name = "m" + std::to_string(index);
    EXPECT_TRUE(writer.addVariable(variable).ok());
  }
  het::Result<het::Bytes> package = writer.finish();
  EXPECT_TRUE(package.ok()) << package.status().text();
  return package.ok() ? package.take() : het::Bytes();
}

} // namespace

TEST_F(Symbols, InitialValues) {
  int values[4] = {};
  CUDA_OK(cudaMemcpyFromSymbol(values, counterShadow, 16));
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[3], 4);
  char bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  CUDA_OK(cudaMemcpyFromSymbol(bytes, tableShadow, 8));
  EXPECT_EQ(bytes[7], 0);
}

TEST_F(Symbols, CopyAndAddress) {
  int value = 77, back = 0;
  void *address = nullptr;
  size_t size = 0;
  CUDA_OK(cudaGetSymbolSize(&size, counterShadow));
  EXPECT_EQ(size, 16u);
  CUDA_OK(cudaMemcpyToSymbol(counterShadow, &value, 4, 8));
  CUDA_OK(cudaGetSymbolAddress(&address, counterShadow));
  CUDA_OK(cudaMemcpy(&back, static_cast<char *>(address) + 8, 4, cudaMemcpyDeviceToHost));
  EXPECT_EQ(back, 77);
  value = 3;
  CUDA_OK(cudaMemcpyToSymbol(counterShadow, &value, 4, 8));
}

TEST_F(Symbols, RefuseWhatIsWrong) {
  int local = 0;
  void *address = nullptr;
  CUDA_FAILS(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(&local, &local, 4));
  CUDA_FAILS(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, &local));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemcpyToSymbol(counterShadow, &local, 4, 16));
  CUDA_FAILS(cudaErrorInvalidMemcpyDirection,
             cudaMemcpyToSymbol(counterShadow, &local, 4, 0, cudaMemcpyDeviceToHost));
  CUDA_FAILS(cudaErrorInvalidMemcpyDirection,
             cudaMemcpyFromSymbol(&local, counterShadow, 4, 0, cudaMemcpyHostToDevice));
}

TEST(Registration, DamagedPackage) {
  static const het::Bytes package = [] {
    het::Bytes damaged = makePackage();
    damaged[damaged.size() / 2] ^= 0x40;
    return damaged;
  }();
  std::string log;
  EXPECT_EQ(launchFrom(package.data(), log), cudaErrorInvalidKernelImage);
  EXPECT_NE(log.find("error"), std::string::npos) << log;
}

TEST(Registration, NoPackage) {
  static const char text[256] = "this is no package";
  std::string log;
  EXPECT_EQ(launchFrom(text, log), cudaErrorInvalidKernelImage);
  EXPECT_NE(log.find("package"), std::string::npos) << log;
}

TEST(Registration, MissingReference) {
  static const het::Bytes record = het::writePackageReference("nowhere.hetpkg").take();
  setenv("HET_PACKAGE_PATH", "/first/folder:/second/folder", 1);
  std::string log;
  EXPECT_EQ(launchFrom(record.data(), log), cudaErrorInvalidKernelImage);
  EXPECT_NE(log.find("/first/folder/nowhere.hetpkg"), std::string::npos) << log;
  EXPECT_NE(log.find("/second/folder/nowhere.hetpkg"), std::string::npos) << log;
  unsetenv("HET_PACKAGE_PATH");
}

/// Files of a device link register one after another: what the program has done with the
/// variables of one stays when the next one comes.
TEST(Registration, ManagedVariablesGetTheirValuesOnce) {
  static const het::Bytes package = managedPackage(2);
  static FatBinaryWrapper wrapper;
  wrapper.data = package.data();
  static int storage[2] = {};
  static void *slots[2] = {};
  void **handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterManagedVar(handle, &slots[0], &storage[0], "m0", sizeof(int), 0);
  __cudaRegisterFatBinaryEnd(handle);
  EXPECT_EQ(storage[0], 7);
  EXPECT_EQ(storage[1], 0);
  storage[0] = 50;
  __cudaRegisterManagedVar(handle, &slots[1], &storage[1], "m1", sizeof(int), 0);
  __cudaRegisterFatBinaryEnd(handle);
  EXPECT_EQ(storage[0], 50);
  EXPECT_EQ(storage[1], 7);
  __cudaUnregisterFatBinary(handle);
}

TEST(Registration, PackagesAreOpenedWhileAnotherDeviceIsReset) {
  constexpr size_t variables = 200;
  static const het::Bytes package = managedPackage(variables);
  std::vector<std::string> names;
  for (size_t index = 0; index < variables; ++index)
    names.push_back("m" + std::to_string(index));
  std::atomic<bool> ends{false};
  std::thread resets([&] {
    EXPECT_EQ(cudaSetDevice(1), cudaSuccess);
    while (!ends)
      EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  });
  for (int round = 0; round < 50; ++round) {
    static int storage[variables];
    std::vector<void *> slots(variables);
    FatBinaryWrapper wrapper;
    wrapper.data = package.data();
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t index = 0; index < variables; ++index)
      __cudaRegisterManagedVar(handle, &slots[index], &storage[index],
                               names[index].c_str(), 4, 4);
    __cudaRegisterFatBinaryEnd(handle);
    void *address = nullptr;
    EXPECT_EQ(cudaGetSymbolAddress(&address, &slots[1]), cudaSuccess);
    EXPECT_EQ(address, &storage[1]);
    __cudaUnregisterFatBinary(handle);
  }
  ends = true;
  resets.join();
}

TEST(Registration, TenThousandKernelsReadNothing) {
  // Nothing of the package is read: it may not be.
  void *package = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(package, MAP_FAILED);
  static FatBinaryWrapper wrapper;
  wrapper.data = package;
  static char stubs[10000];
  std::deque<std::string> names;
  for (size_t index = 0; index < sizeof(stubs); ++index)
    names.push_back("kernel" + std::to_string(index));
  void **handle = __cudaRegisterFatBinary(&wrapper);
  for (size_t index = 0; index < sizeof(stubs); ++index)
    __cudaRegisterFunction(handle, &stubs[index], nullptr, names[index].c_str(), -1,
                           nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(handle);
  __cudaUnregisterFatBinary(handle);
  munmap(package, 4096);
}
