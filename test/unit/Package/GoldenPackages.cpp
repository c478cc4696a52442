// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building the golden packages.

#include "GoldenPackages.h"

#include "het/Package/PackageWriter.h"
#include "het/Package/Signatures.h"

#include <cstdlib>

using namespace het;

/// The value of something that cannot fail here.
template <typename T> static T must(Result<T> result) {
  if (!result.ok())
    std::abort();
  return result.take();
}

static void must(Status status) {
  if (!status.ok())
    std::abort();
}

Bytes test::sampleCode(unsigned seed, size_t size) {
  Bytes code = {'M', 'L', 0xef, 'R'};
  for (uint32_t state = seed; code.size() < size;) {
    state = state * 1664525 + 1013904223;
    // Few different values, so that it compresses as bytecode does.
    code.push_back(static_cast<uint8_t>(state >> 24 & 15));
  }
  return code;
}

static VariableInfo variable(std::string name, uint64_t size, VariableKind kind) {
  VariableInfo info;
  info.name = std::move(name);
  info.size = size;
  info.alignment = 8;
  info.kind = kind;
  return info;
}

test::GoldenPackage test::goldenPlain() {
  PackageWriter writer("golden 1");
  KernelInfo kernel;
  kernel.name = "_Z3addPKfS0_Pfi";
  kernel.displayName = "add(float const*, float const*, float*, int)";
  kernel.parameters = {{0, 8, 8}, {8, 8, 8}, {16, 8, 8}, {24, 4, 4}};
  kernel.safePoints = {{0, SafePointReason::Entry, 0, "add.cu:1:1"}};
  must(writer.addKernel(kernel, sampleCode(1, 200)));
  return {"plain", must(writer.finish())};
}

test::GoldenPackage test::goldenVariables() {
  PackageWriter writer("golden 2");
  VariableInfo table = variable("table", 24, VariableKind::Constant);
  table.initial = Bytes(24, 0x5a);
  table.relocations = {{0, 1, 4}, {16, 2, -8}};
  table.external = true;
  uint32_t tableIndex = must(writer.addVariable(table));
  VariableInfo counter = variable("_ZL7counter", 16, VariableKind::Global);
  uint32_t counterIndex = must(writer.addVariable(counter));
  VariableInfo shared = variable("shared_data", 4096, VariableKind::Managed);
  shared.initial = Bytes(4096, 1);
  shared.alignment = 256;
  shared.external = true;
  must(writer.addVariable(shared));

  KernelInfo kernel;
  kernel.name = "reduce";
  kernel.displayName = "reduce(int*)";
  kernel.parameters = {{0, 8, 8}, {8, 1, 1}, {12, 12, 4}};
  kernel.staticSharedBytes = 1024;
  kernel.dynamicShared = true;
  kernel.maxThreadsPerBlock = 256;
  kernel.minBlocksPerMultiprocessor = 2;
  kernel.capabilities = {"float64", "int64-atomics"};
  kernel.safePoints = {{0, SafePointReason::Entry, 0, ""},
                       {1, SafePointReason::Barrier, 2, "reduce.cu:7:3"},
                       {2, SafePointReason::Loop, 1, "reduce.cu:9:5"}};
  kernel.slots = {{0, 4, 4, SlotLevel::Lane},
                  {1, 8, 8, SlotLevel::Block},
                  {2, 1, 1, SlotLevel::Team},
                  {3, 2, 2, SlotLevel::Grid}};
  kernel.localBytes = 64;
  kernel.variables = {counterIndex, tableIndex};
  must(writer.addKernel(kernel, sampleCode(2, 300)));

  KernelInfo twin;
  twin.name = "grid_reduce";
  twin.displayName = "grid_reduce()";
  twin.cooperative = true;
  twin.unparkable = "it waits on a lock";
  must(writer.addKernel(twin, sampleCode(2, 300)));
  must(writer.addKernel(
      [] {
        KernelInfo tiny;
        tiny.name = "tiny";
        return tiny;
      }(),
      sampleCode(3, 5)));
  writer.addDebugInfo(ByteView(std::string_view("lines")));
  return {"variables", must(writer.finish())};
}

test::GoldenPackage test::goldenPages() {
  PackageWriter writer("golden 3");
  for (unsigned i = 0; i < 33; ++i) {
    KernelInfo kernel;
    kernel.name = "k" + std::to_string(i);
    kernel.parameters = {{0, 8, 8}};
    must(writer.addKernel(kernel, sampleCode(i, 20 + i % 3)));
  }
  return {"pages", must(writer.finish())};
}

test::GoldenPackage test::goldenPrecompiled() {
  PackageWriter writer("golden 4");
  for (unsigned i = 0; i < 2; ++i) {
    KernelInfo kernel;
    kernel.name = i ? "scale" : "add";
    must(writer.addKernel(kernel, sampleCode(i, 100)));
  }
  const ArtifactKind wide = {"host", "x86-64-v3", "", "0123456789abcdef"};
  const ArtifactKind gpu = {"ptx", "sm_80;ptx80", "parkable", "fedcba9876543210"};
  must(writer.addArtifact(wide, "add", sampleCode(7, 400)));
  must(writer.addArtifact(wide, "scale", sampleCode(8, 3)));
  must(writer.addArtifact(gpu, "scale", sampleCode(9, 200)));
  return {"precompiled", must(writer.finish()), "1.1"};
}

test::GoldenPackage test::goldenRelocatable() {
  PackageWriter writer("golden 5");
  KernelInfo kernel;
  kernel.name = "closed";
  must(writer.addKernel(kernel, sampleCode(10, 100)));
  RelocatableCode code;
  code.id = "0123456789abcdef";
  code.defined = {{"_Z5scalei", "a.cu:7"}, {"table", "a.cu"}};
  code.shared = {{"_Z4bothi", ""}};
  code.needed = {{"_Z4lessi", "a.cu:9"}};
  code.isOpen = true;
  code.bitcode = sampleCode(11, 300);
  writer.setRelocatableCode(code);
  return {"relocatable", must(writer.finish()), "1.3"};
}

test::GoldenPackage test::goldenAttributes() {
  PackageWriter writer("golden 6");
  for (unsigned i = 0; i < 3; ++i) {
    KernelInfo kernel;
    kernel.name = "k" + std::to_string(i);
    if (i != 1)
      kernel.architecture = i ? 86 : 75;
    must(writer.addKernel(kernel, sampleCode(12, 100)));
  }
  return {"attributes", must(writer.finish()), "1.4"};
}

std::vector<test::GoldenPackage> test::goldenPackages() {
  return {goldenPlain(),       goldenVariables(),   goldenPages(),
          goldenPrecompiled(), goldenRelocatable(), goldenAttributes()};
}

test::GoldenPackage test::goldenSigned() {
  Bytes package = goldenVariables().bytes;
  for (uint8_t number : {1, 2}) {
    PrivateKey::Seed seed;
    seed.fill(number);
    PackageSections sections = must(PackageSections::open(package, "signed"));
    package = must(signPackage(sections, PrivateKey(seed), true)).bytes;
  }
  return {"signed", package, "1.2"};
}
