// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels: questions to their code, and what the code is made of.

#include "core/Kernel.h"
#include "core/DeviceLaunches.h"
#include "core/Executor.h"
#include "core/Heap.h"
#include "core/Module.h"
#include "core/code/Artifacts.h"
#include "het/Base/Cache.h"

#include <algorithm>

namespace het::core {

static bool names(VariableKind kind, const KernelInfo &kernel,
                  const std::vector<VariableInfo> &all) {
  return std::any_of(kernel.variables.begin(), kernel.variables.end(),
                     [&](uint32_t variable) { return all[variable].kind == kind; });
}

Kernel::Kernel(Module &module, Device &device, KernelInfo info, uint32_t index)
    : module(module), owner(device), description(std::move(info)), index(index),
      heapIsUsed(names(VariableKind::Heap, description, module.infos)),
      launchesAreUsed(names(VariableKind::Launches, description, module.infos)),
      ownCode(device.executor().createCode(*this)) {}

Kernel::~Kernel() = default;

size_t Kernel::argumentBytes() const {
  size_t bytes = 0;
  for (const Parameter &parameter : description.parameters)
    bytes = std::max<size_t>(bytes, parameter.offset + parameter.size);
  return bytes;
}

Status Kernel::prepare() {
  if (heapIsUsed && owner.usesOwnHeap())
    if (Status status = owner.heap().start(); !status.ok())
      return status;
  if (launchesAreUsed)
    if (Status status = owner.launches().start(); !status.ok())
      return status;
  return ownCode->prepare();
}

bool Kernel::isPrepared() const {
  if (heapIsUsed && owner.usesOwnHeap() && !owner.heap().hasStarted())
    return false;
  if (launchesAreUsed && !owner.launches().hasStarted())
    return false;
  return ownCode->isPrepared();
}

Result<HetArtifactInfo> Kernel::describe() {
  HetArtifactInfo info = {};
  if (!owner.abi().describeArtifact)
    return info;
  Result<HetArtifact *> loaded = ownCode->load();
  if (!loaded.ok())
    return loaded.status();
  HetStatus status = {};
  if (owner.abi().describeArtifact(*loaded, &info, &status) != HET_OK)
    return toStatus(status, description.name);
  return info;
}

bool Kernel::knowsResidentBlocks() const { return owner.abi().residentBlocks; }

Result<std::optional<uint32_t>> Kernel::residentBlocks(uint32_t threads,
                                                       uint32_t dynamicSharedBytes) {
  if (!owner.abi().residentBlocks)
    return std::optional<uint32_t>();
  Result<HetArtifact *> loaded = ownCode->load();
  if (!loaded.ok())
    return loaded.status();
  uint32_t blocks = 0;
  HetStatus status = {};
  if (owner.abi().residentBlocks(*loaded, threads, dynamicSharedBytes, &blocks,
                                 &status) != HET_OK)
    return toStatus(status, description.name);
  return std::optional<uint32_t>(blocks);
}

Result<Bytes> Kernel::hetIR() const { return module.package.kernelCode(index); }

uint64_t Kernel::hetIRBytes() const {
  return module.package.section(description.section).rawSize;
}

Result<Artifact> Kernel::obtain(Backend &backend, const std::string &options,
                                LoweringThread thread) const {
  return obtainArtifact(backend, source(), options, thread);
}

KernelSource Kernel::source() const {
  return {module.package, module.precompiled, description, index};
}

Result<HetArtifact *> Kernel::make(Backend &backend, const std::string &options,
                                   LoweringThread thread,
                                   std::unique_ptr<BetterCode> *better) const {
  Result<Artifact> artifact = obtainArtifact(backend, source(), options, thread, better);
  if (!artifact.ok())
    return artifact.status();
  return load(backend, *artifact);
}

Result<HetArtifact *> Kernel::load(Backend &backend, const Artifact &artifact) const {
  std::vector<uint64_t> variables;
  for (uint32_t variable : description.variables)
    variables.push_back(reinterpret_cast<uint64_t>(module.addresses[variable]));
  HetArtifact *loaded = nullptr;
  HetStatus status;
  if (backend.abi().loadArtifact(backend.handle(), artifact.bytes.data(),
                                 artifact.bytes.size(), variables.data(),
                                 variables.size(), &loaded, &status) == HET_OK)
    return loaded;
  Status refused = toStatus(status, description.name);
  if (refused.code == Code::Invalid)
    refused.message += " (" + artifact.advice + ")";
  return refused;
}

HetArtifact *Kernel::loadCached(Backend &backend, const std::string &options,
                                uint64_t &size) const {
  std::optional<Artifact> cached = findCached(cacheKey(backend, source(), options));
  if (!cached || !backend.abi().loadsAhead(backend.handle(), cached->bytes.data(),
                                           cached->bytes.size()))
    return nullptr;
  Result<HetArtifact *> loaded = load(backend, *cached);
  if (!loaded.ok())
    return nullptr;
  size = cached->bytes.size();
  return *loaded;
}

} // namespace het::core
