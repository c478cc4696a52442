// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Suspended blocks: from a block's memory to the form that names no device, and back.

#include "Parking.h"
#include "Loss.h"
#include "Signals.h"

#include "../../Support/LaunchShape.h"
#include "../../Support/SoftwareQueue.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

using het::target::report;
using het::target::success;

namespace het::host {

static HetParkingInfo describe(const HetHostKernel &kernel) {
  return {kernel.layout, kernel.stateBytes, kernel.staticSharedBytes, 0};
}

static BlockStateLayout layoutOf(const Launch &launch) {
  return target::stateLayout(describe(*launch.artifact->kernel), launch.shape);
}

Parking::Parking(const Launch &launch, HetLaunchState &state)
    : launch(launch), kernel(*launch.artifact->kernel),
      blocks(state, layoutOf(launch).size), begun(state.blockCount) {}

std::vector<uint64_t> Parking::takeFirst() {
  static std::atomic<uint64_t> turns{0};
  std::vector<uint64_t> first;
  const std::vector<uint64_t> &parked = blocks.parkedBefore();
  if (parked.empty() || std::exchange(hasTakenFirst, true))
    return first;
  const uint64_t turn = turns.fetch_add(1);
  // Suspended blocks may wait for blocks that have not begun. Those begin in their order,
  // and few at a time, as they may wait for suspended ones.
  if (turn % 2)
    for (uint64_t index = 0; index < begun.size() && first.size() < threadCount();
         ++index)
      if (blocks.standOf(index) == HET_BLOCK_UNSTARTED)
        first.push_back(index);
  const auto from = parked.begin() + turn * 7919 % parked.size();
  first.insert(first.end(), from, parked.end());
  first.insert(first.end(), parked.begin(), from);
  return first;
}

/// From a suspended block's memory to its state, and back.
static void saveState(const Launch &launch, const BlockState &block, uint8_t *to) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  const BlockStateLayout layout = layoutOf(launch);
  std::memcpy(to, block.block.frame + kernel.frameBytesPerBlock, layout.threadsBytes);
  std::memcpy(to + layout.sharedOffset, block.block.shared, kernel.staticSharedBytes);
  std::memcpy(to + layout.dynamicSharedOffset,
              block.block.shared + block.block.dynamicSharedOffset,
              launch.shape.dynamicSharedBytes);
}

static void loadState(const Launch &launch, BlockState &block, const uint8_t *from) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  const BlockStateLayout layout = layoutOf(launch);
  std::memcpy(block.block.frame + kernel.frameBytesPerBlock, from, layout.threadsBytes);
  std::memcpy(block.block.shared, from + layout.sharedOffset, kernel.staticSharedBytes);
  std::memcpy(block.block.shared + block.block.dynamicSharedOffset,
              from + layout.dynamicSharedOffset, launch.shape.dynamicSharedBytes);
}

Result<uint64_t> readParksByItself() {
  return environment::number(Variable::HostPark, 0, 999'999'999);
}

uint64_t parksByItself() {
  static const uint64_t number = [] {
    Result<uint64_t> read = readParksByItself();
    return read.ok() ? *read : 0; // checked by probe()
  }();
  return number;
}

void takeUpElsewhere(const Launch &launch, BlockState &block) {
  constexpr int noise = 0xA5;
  std::vector<uint8_t> bytes(layoutOf(launch).size);
  saveState(launch, block, bytes.data());
  std::memset(block.block.frame, noise, launch.frameBytes());
  std::memset(block.block.shared, noise, launch.sharedBytes());
  Memory shared = std::move(block.shared), frame = std::move(block.frame);
  block.shared = Memory();
  block.frame = Memory();
  if (!block.getMemory(launch))
    return;
  std::memset(block.block.frame, noise, launch.frameBytes());
  loadState(launch, block, bytes.data());
  block.wasParked = true;
  ++launch.parksByItself;
}

bool Parking::prepare(BlockState &block) {
  if (hasEnded(block.index) || !block.getMemory(launch))
    return false;
  begun[block.index] = true;
  if (blocks.standOf(block.index) == HET_BLOCK_PARKED) {
    loadState(launch, block, blocks.given(block.index));
    block.pc = HET_HOST_PARKED;
    block.wasParked = true;
  }
  return true;
}

bool Parking::settle(const BlockState &block) {
  if (block.hasEnded()) {
    // A block that a fault has stopped has not ended; nobody goes on with it.
    blocks.end(block.index);
    return true;
  }
  if (block.pc != HET_HOST_PARKED)
    return false;
  saveState(launch, block, blocks.park(block.index));
  return true;
}

void Parking::finish() {
  if (parksByItself())
    log(Level::Info, "a launch of %llu blocks: parked by themselves %llu times",
        static_cast<unsigned long long>(begun.size()),
        static_cast<unsigned long long>(launch.parksByItself.load()));
  if (!blocks.finish())
    launch.device->fail(HET_FAULT_LOST, "no memory for parked blocks");
}

namespace {

void setParking(HetDevice *device, uint32_t on) {
  // One that is lost does not go on.
  device->parking.store(on || device->faultKind == HET_FAULT_LOST,
                        std::memory_order_relaxed);
}

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info, HetStatus *status) {
  *info = describe(*artifact->kernel);
  return success(status);
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *shape, HetLaunchState *state,
                        HetStatus *status) {
  if (std::string wrong = target::checkShape(*shape); !wrong.empty())
    return report(status, HET_INVALID, wrong.c_str());
  std::shared_ptr<Launch> launch = Launch::create(*queue->device, *shape);
  if (!launch)
    return report(status, HET_UNAVAILABLE, "no memory for a launch");
  if (std::string wrong =
          target::checkLaunchState(*state, describe(*shape->artifact->kernel), *shape);
      !wrong.empty())
    return report(status, HET_INVALID, wrong.c_str());
  launch->pollInterval = target::pollInterval(*state);
  noteLaunch(*queue->device);
  prepareSignals(*queue);
  return report(status, queue->queue.push([launch, state] {
    Parking parking(*launch, *state);
    runLaunch(*launch, &parking);
    parking.finish();
  }));
}

} // namespace

void fillInParking(HetDeviceABI &table) {
  table.setParking = setParking;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
}

} // namespace het::host
