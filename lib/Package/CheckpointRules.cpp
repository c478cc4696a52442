// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a checkpoint's records are valid, by themselves and together.

#include "CheckpointFormat.h"
#include "CheckpointRecords.h"
#include "Format.h"
#include "Records.h"
#include "Text.h"

using namespace het;
using namespace het::checkpoint;

/// A failure `what: found X, expected Y`.
static Status wrong(const std::string &what, const std::string &found,
                    const std::string &expected) {
  return invalid(what + ": found " + found + ", expected " + expected);
}

static Status checkAtMost(const std::string &what, uint64_t found, uint64_t most) {
  if (found <= most)
    return Status::success();
  return wrong(what, std::to_string(found), "at most " + std::to_string(most));
}

/// A number of one of `count` things.
static Status checkNumber(const std::string &what, uint64_t found, uint64_t count) {
  if (found < count)
    return Status::success();
  return wrong(what, std::to_string(found), "less than " + std::to_string(count));
}

//===----------------------------------------------------------------------===//
// Devices and modules
//===----------------------------------------------------------------------===//

Status het::checkDevices(const CheckpointContents &contents) {
  if (Status status = checkAtMost("devices", contents.devices.size(), maxDevices);
      !status.ok())
    return status;
  for (const CheckpointDevice &device : contents.devices) {
    if (Status status = checkName("device name", device.name); !status.ok())
      return status;
    if (Status status =
            checkAtMost("device " + quoted(device.name) + ", properties' bytes",
                        device.properties.size(), maxPropertiesBytes);
        !status.ok())
      return status;
  }
  return Status::success();
}

Status het::checkModules(const CheckpointContents &contents, uint32_t packages) {
  for (size_t i = 0; i < contents.modules.size(); ++i) {
    const CheckpointModule &module = contents.modules[i];
    std::string what = "module " + std::to_string(i);
    Status status = checkNumber(what + ", package", module.package, packages);
    if (status.ok())
      status = checkNumber(what + ", device", module.device, contents.devices.size());
    uint64_t next = 0;
    for (const CheckpointVariable &one : module.variables) {
      if (status.ok() && one.variable < next)
        status = wrong(what + ", variable", std::to_string(one.variable),
                       "at least " + std::to_string(next));
      next = uint64_t(one.variable) + 1;
    }
    if (!status.ok())
      return status;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The product of three sizes, which are not 0; more than `most` if it is more.
static uint64_t productUpTo(const std::array<uint32_t, 3> &sizes, uint64_t most) {
  uint64_t product = 1;
  for (uint32_t size : sizes) {
    product *= size; // at most 2^32 times 2^32 - 1
    if (product > most)
      return most + 1;
  }
  return product;
}

static Status checkShape(const std::string &what, const std::array<uint32_t, 3> &sizes,
                         uint64_t most) {
  if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0)
    return wrong(what, "a size of 0", "at least 1 in each direction");
  if (productUpTo(sizes, most) > most)
    return wrong(what, "more", "at most " + std::to_string(most));
  return Status::success();
}

static Status checkRuns(const std::string &what, const CheckpointLaunch &launch) {
  uint64_t left = productUpTo(launch.grid, maxBlocks);
  unsigned before = 0xff;
  for (const BlockRun &run : launch.blocks) {
    if (run.status > 2)
      return wrong(what + ", status of blocks", std::to_string(run.status), "0, 1 or 2");
    if (run.status == before)
      return wrong(what + ", runs of blocks", "two alike in a row", "one");
    before = run.status;
    if (run.count == 0 || run.count > left)
      return wrong(what + ", blocks of a run", std::to_string(run.count),
                   "1 to the " + std::to_string(left) + " that are left");
    left -= run.count;
  }
  if (left != 0)
    return wrong(what + ", blocks", std::to_string(left) + " without a status",
                 "one for each");
  return Status::success();
}

/// The states' sizes; the runs are checked.
static Status checkStates(const std::string &what, const CheckpointLaunch &launch) {
  if (Status status = checkAtMost(what + ", bytes of a thread's state",
                                  launch.threadBytes, maxThreadBytes);
      !status.ok())
    return status;
  uint64_t count = parkedBlocks(launch);
  if (count == 0)
    return Status::success();
  if (launch.layout == 0)
    return wrong(what + ", layout of parked blocks", "0", "another");
  if (launch.threadBytes < 4)
    return wrong(what + ", bytes of a thread's state", std::to_string(launch.threadBytes),
                 "at least 4");
  // Neither factor is more than 2^49.
  uint64_t size = blockStateLayout(launch).size;
  if (count > maxStates / size)
    return wrong(what + ", states of parked blocks", "more",
                 "at most " + bytesText(maxStates));
  return Status::success();
}

static Status checkLaunch(const std::string &what, const CheckpointLaunch &launch,
                          size_t modules) {
  Status status = checkNumber(what + ", module", launch.module, modules);
  if (status.ok())
    status = checkName("kernel name", launch.kernel);
  if (status.ok())
    status = checkShape(what + ", blocks", launch.grid, maxBlocks);
  if (status.ok())
    status = checkShape(what + ", threads of a block", launch.block, maxThreads);
  if (status.ok())
    status = checkAtMost(what + ", bytes of arguments", launch.arguments.size(),
                         format::maxArgumentBytes);
  if (status.ok())
    status = checkRuns(what, launch);
  return status.ok() ? checkStates(what, launch) : status;
}

Status het::checkLaunches(const CheckpointContents &contents) {
  uint32_t stream = 0;
  for (size_t i = 0; i < contents.launches.size(); ++i) {
    const CheckpointLaunch &launch = contents.launches[i];
    std::string what = "launch " + std::to_string(i);
    if (launch.stream < stream)
      return wrong(what + ", stream", std::to_string(launch.stream),
                   "at least " + std::to_string(stream));
    stream = launch.stream;
    if (Status status = checkLaunch(what, launch, contents.modules.size()); !status.ok())
      return status;
  }
  return Status::success();
}

uint64_t het::statesBytes(const CheckpointLaunch &launch) {
  uint64_t count = parkedBlocks(launch);
  return count == 0 ? 0 : count * blockStateLayout(launch).size;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Status het::checkChunkBytes(uint64_t bytes) {
  bool power = bytes != 0 && (bytes & (bytes - 1)) == 0;
  if (power && bytes >= leastChunkBytes && bytes <= mostChunkBytes)
    return Status::success();
  return wrong("bytes of a chunk", std::to_string(bytes),
               "a power of two from " + std::to_string(leastChunkBytes) + " to " +
                   std::to_string(mostChunkBytes));
}

/// Whether [address, address + size) lies in [first, end) and is not empty;
/// `end` of 2^64 is 0 - 1, as the last byte is nobody's.
static bool inside(uint64_t address, uint64_t size, uint64_t first, uint64_t end) {
  return size != 0 && address >= first && address <= end && size <= end - address;
}

Status het::checkRegions(const CheckpointContents &contents) {
  uint64_t next = 0, total = 0;
  for (size_t i = 0; i < contents.regions.size(); ++i) {
    const CheckpointRegion &region = contents.regions[i];
    std::string what = "region " + std::to_string(i);
    if (!inside(region.address, region.size, next, UINT64_MAX))
      return wrong(what, bytesText(region.size) + " at " + std::to_string(region.address),
                   "at least 1, from " + std::to_string(next) + " on");
    next = region.address + region.size;
    if (region.size > maxMemory - total)
      return wrong(what, "more memory", "at most " + bytesText(maxMemory) + " in all");
    total += region.size;
    if (Status status =
            checkNumber(what + ", device", region.device, contents.devices.size());
        !status.ok())
      return status;
    uint64_t from = region.address;
    for (const CheckpointAllocation &one : region.allocations) {
      if (!inside(one.address, one.size, from, next))
        return wrong(what + ", allocation",
                     bytesText(one.size) + " at " + std::to_string(one.address),
                     "at least 1, from " + std::to_string(from) +
                         " on, inside the region");
      from = one.address + one.size;
    }
  }
  return Status::success();
}
