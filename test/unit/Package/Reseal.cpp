// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resealing and exercising packages. The offsets are those of
// docs/spec/hetpkg.md, written again on purpose.

#include "Reseal.h"

#include "het/Package/Embedded.h"
#include "het/Package/Package.h"

#include <cstring>

using namespace het;

static void sealInto(Bytes &package, size_t digestOffset, ByteView covered) {
  Digest digest = sha256(covered);
  std::memcpy(package.data() + digestOffset, digest.data(), digest.size());
}

void test::reseal(Bytes &package) {
  if (package.size() < 160)
    return;
  ByteReader header{ByteView(package)};
  header.bytes(24);
  uint64_t sections = header.u32();
  if (std::optional<ByteView> table = ByteView(package).slice(160, sections * 64)) {
    for (uint64_t i = 0; i < sections; ++i) {
      size_t entry = 160 + static_cast<size_t>(i) * 64;
      ByteReader reader(*ByteView(package).slice(entry + 8, 16));
      uint64_t offset = reader.u64(), size = reader.u64();
      if (std::optional<ByteView> stored = ByteView(package).slice(offset, size))
        sealInto(package, entry + 32, *stored);
    }
    sealInto(package, 96, *table);
  }
  sealInto(package, 128, *ByteView(package).slice(0, 128));
}

bool test::exercise(ByteView bytes) {
  findPackages(bytes, "input");
  Result<Package> package = Package::open(bytes, "input");
  if (!package.ok())
    return false;
  bool verified = package->verify().ok();
  (void)package->kernels().ok();
  (void)package->variables().ok();
  (void)package->debugInfo().ok();
  if (Result<std::vector<PackageLowering>> all = package->lowerings(); all.ok())
    for (const PackageLowering &lowering : *all)
      for (const ArtifactEntry &entry : lowering.entries)
        (void)package->artifact(entry).ok();
  (void)package->producer();
  for (uint32_t i = 0; i < package->kernelCount(); i += 11) {
    Result<KernelInfo> kernel = package->kernel(i);
    if (kernel.ok())
      (void)package->findKernel(kernel->name).ok();
    (void)package->kernelCode(i).ok();
    (void)package->codeDigest(i).ok();
  }
  (void)package->findKernel("no such kernel").ok();
  for (uint32_t i = 0; i < package->sectionCount() && i < 64; ++i)
    (void)package->section(i);
  return verified;
}
