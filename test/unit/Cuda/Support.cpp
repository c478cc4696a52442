// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hand-made package, and the devices that the tests see.

#include "Support.h"

#include "het/Package/PackageWriter.h"

#include <cstdlib>

using namespace het;

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *,
                           void *, void *, void *, int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
}

const char plainStub = 0, boundedStub = 0, missingStub = 0;
int counterShadow[4];
char tableShadow[8];

/// Two devices, before anything asks for them.
static const int devicesSet = setenv("HET_DEVICES", "host,host", 1);

Bytes makePackage() {
  PackageWriter writer("het tests");
  VariableInfo counter;
  counter.name = "counter";
  counter.size = 16;
  counter.alignment = 4;
  counter.initial = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0};
  counter.external = true;
  VariableInfo table;
  table.name = "table";
  table.size = 8;
  table.alignment = 8;
  table.kind = VariableKind::Constant;
  table.external = true;
  EXPECT_TRUE(writer.addVariable(counter).ok());
  EXPECT_TRUE(writer.addVariable(table).ok());
  KernelInfo kernel;
  kernel.name = kernel.displayName = "plain";
  kernel.parameters = {{0, 8, 8}, {8, 4, 4}};
  kernel.staticSharedBytes = 128;
  Bytes code = {'n', 'o', 't', ' ', 'h', 'e', 't', 'I', 'R'};
  EXPECT_TRUE(writer.addKernel(kernel, code).ok());
  kernel.name = kernel.displayName = "bounded";
  kernel.maxThreadsPerBlock = 64;
  EXPECT_TRUE(writer.addKernel(kernel, code).ok());
  Result<Bytes> package = writer.finish();
  EXPECT_TRUE(package.ok()) << package.status().text();
  return package.ok() ? package.take() : Bytes();
}

void registerPackage() {
  static const bool done = [] {
    static const Bytes package = makePackage();
    static FatBinaryWrapper wrapper;
    wrapper.data = package.data();
    void **handle = __cudaRegisterFatBinary(&wrapper);
    auto add = [&](const char *stub, const char *name) {
      __cudaRegisterFunction(handle, stub, nullptr, name, -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    };
    add(&plainStub, "plain");
    add(&boundedStub, "bounded");
    add(&missingStub, "missing");
    __cudaRegisterVar(handle, reinterpret_cast<char *>(counterShadow), nullptr, "counter",
                      0, sizeof(counterShadow), 0, 0);
    __cudaRegisterVar(handle, tableShadow, nullptr, "table", 0, sizeof(tableShadow), 1,
                      0);
    __cudaRegisterFatBinaryEnd(handle);
    return true;
  }();
  (void)done;
  (void)devicesSet;
}
