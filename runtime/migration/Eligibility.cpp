// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds what keeps a device, or blocks that are suspended, from another backend.

#include "migration/Eligibility.h"
#include "core/Device.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"
#include "migration/MigratableQueue.h"

namespace het::core {

Eligibility::Eligibility(MigratableDevice &migratable, Backend &to)
    : migratable(migratable), primary(migratable.backends.primary()),
      from(migratable.active()), to(to) {}

static std::string quoted(const Kernel &kernel) {
  return "kernel '" + kernel.info().displayName + "'";
}

/// Whether blocks and grids that the one takes are not too large for the other.
static bool takesShapesOf(const HetDeviceProperties &was, const HetDeviceProperties &is) {
  bool fits = is.maxThreadsPerBlock >= was.maxThreadsPerBlock;
  for (int dim = 0; dim < 3; ++dim)
    fits &= is.maxBlockDim[dim] >= was.maxBlockDim[dim] &&
            is.maxGridDim[dim] >= was.maxGridDim[dim];
  return fits;
}

std::string Eligibility::blocker() const {
  if (!to.parks())
    return to.name() + " can not park kernels";
  if (!takesShapesOf(primary.properties(), to.properties()))
    return "blocks or grids that " + primary.name() + " takes are too large for it";
  if (std::string why = migratable.backends.blocker(to); !why.empty())
    return why;
  for (Backend *backend : {&from, &to})
    if (!backend->properties().reservesWindow)
      return backend->name() + " does not place memory at given addresses";
  if (primary.properties().memoryGranularity % to.properties().memoryGranularity)
    return "its pages of memory are larger than those of " + primary.name();
  const bool isCopied = !from.sharesHostMemory() || !to.sharesHostMemory();
  if (isCopied && migratable.device().memory().used() > to.properties().totalMemory)
    return "it has less memory than is in use";
  return "";
}

std::string Eligibility::moveBlocker() const {
  if (!from.parks())
    return from.name() + " can not park kernels";
  if (Fault found = migratable.fault(); found.kind)
    return "the device has a fault: " + found.message;
  if (from.isLost())
    return from.name() + " is lost";
  if (std::string why = blocker(); !why.empty())
    return why;
  if (to.hasFault())
    return "it has a fault: " + to.fault().message;
  if (std::string why = heapBlocker(); !why.empty())
    return why;
  return copyBlocker();
}

/// Why memory can not be where the other backend reaches it.
std::string Eligibility::copyBlocker() const {
  if (migratable.sharing.hasManaged() && !to.sharesHostMemory() &&
      &to.target() != &primary.target())
    return "it can not reach managed memory of " + primary.name();
  if (from.sharesHostMemory() && to.sharesHostMemory())
    return "";
  if (!to.sharesHostMemory() && migratable.device().memory().hasManaged())
    return "it does not share the host's memory, and managed memory is in use";
  if (std::string why = migratable.sharing.reason();
      migratable.runtime().deviceCount() > 1 && !why.empty())
    return "memory would have to be copied, and " + why;
  return "";
}

/// Code that can not be suspended has the driver's heap, if there is one.
std::string Eligibility::heapBlocker() const {
  auto hasOther = [](const Backend &backend) {
    return backend.properties().hasHeap && !backend.parks();
  };
  if (!hasOther(from) && !hasOther(to))
    return "";
  std::string reason;
  (void)migratable.work.forEachModule([&](Module &module) {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      if (reason.empty() && kernel->usesHeap())
        reason = quoted(*kernel) + " allocates memory, which would stay behind";
    return Status::success();
  });
  return reason;
}

std::string Eligibility::sharedMemoryBlocker(const Kernel &kernel, const Backend &backend,
                                             uint64_t bytes) {
  const uint64_t most = backend.properties().sharedBytesPerBlockOptIn;
  if (bytes <= most)
    return "";
  return "blocks of " + quoted(kernel) + " have " + std::to_string(bytes) +
         " bytes of shared memory, " + backend.name() + " takes no more than " +
         std::to_string(most);
}

std::string Eligibility::blockerOf(Kernel &kernel) const {
  MigratableCode &code = MigratableCode::of(kernel);
  if (!code.isUnderWay())
    return "";
  if (std::string why = sharedMemoryBlocker(kernel, to, code.maxSharedBytes());
      !why.empty())
    return why;
  const uint64_t here = code.layoutOn(from), there = code.layoutOn(to);
  if (!here || here == there)
    return "";
  return quoted(kernel) + " is under way, and blocks parked on " + from.name() +
         (there ? " have another layout there" : " can not go on there");
}

std::string Eligibility::launchBlocker() const {
  std::string reason;
  (void)migratable.work.forEachModule([&](Module &module) {
    for (const std::shared_ptr<Kernel> &kernel : usedKernels(module))
      if (reason.empty())
        reason = blockerOf(*kernel);
    return Status::success();
  });
  return reason;
}

std::string Eligibility::placeBlocker(MigratableLaunch &launch) const {
  Result<HetArtifact *> loaded = MigratableCode::of(*launch.kernel).loadOn(to);
  if (!to.abi().residentBlocks || !loaded.ok())
    return "";
  const LaunchShape &shape = launch.shape;
  uint32_t places = 0;
  HetStatus status = {};
  if (to.abi().residentBlocks(*loaded, shape.block[0] * shape.block[1] * shape.block[2],
                              shape.dynamicSharedBytes, &places, &status) != HET_OK)
    // One that has not begun may have plain code there.
    return launch.state && launch.state->hasBegun() ? status.message : "";
  const uint64_t blocks = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  const uint64_t most = uint64_t(places) * to.properties().processorCount;
  if (most && (!shape.cooperative || blocks <= most))
    return "";
  return quoted(*launch.kernel) + " is under way with " + std::to_string(blocks) +
         (shape.cooperative ? " blocks that meet" : " blocks") + ", of which " +
         std::to_string(most) + " fit";
}

std::string Eligibility::placeBlocker() const {
  std::string reason;
  migratable.work.forEachLaunch([&](unsigned, MigratableLaunch &launch) {
    if (reason.empty())
      reason = placeBlocker(launch);
  });
  return reason;
}

} // namespace het::core
