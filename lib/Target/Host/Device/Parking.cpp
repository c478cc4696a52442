// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parked blocks: from a block's memory to the form that names no device, and back.

#include "Parking.h"

#include "../../Support/SoftwareQueue.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

using het::target::report;
using het::target::success;

namespace het::host {

StateSizes::StateSizes(const Launch &launch) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  slots = kernel.slotBytes * launch.paddedThreads();
  locals = kernel.localBytes * launch.paddedThreads();
  sharedStatic = kernel.staticSharedBytes;
  sharedDynamic = launch.shape.dynamicSharedBytes;
}

Parking::Parking(const Launch &launch, HetLaunchState &state)
    : launch(launch), kernel(*launch.artifact->kernel), state(state),
      begun(state.blockCount) {
  if (!state.parkedCount)
    return;
  for (uint64_t index = 0; index < state.blockCount; ++index)
    if (state.blocks[index] == HET_BLOCK_PARKED)
      parkedBefore.push_back(index);
  if (parkedBefore.size() != state.parkedCount)
    launch.device->fail(HET_FAULT_UNSUPPORTED,
                        "a launch's state: found " +
                            std::to_string(parkedBefore.size()) +
                            " parked blocks, expected " +
                            std::to_string(state.parkedCount));
}

/// The state that was given of a block.
const uint8_t *Parking::earlier(uint64_t index) const {
  auto at = std::lower_bound(parkedBefore.begin(), parkedBefore.end(), index);
  return state.states + (at - parkedBefore.begin()) * state.stateBytes;
}

std::vector<uint64_t> Parking::takeFirst() {
  static std::atomic<uint64_t> turns{0};
  std::vector<uint64_t> first;
  if (parkedBefore.empty() || std::exchange(hasTakenFirst, true))
    return first;
  const uint64_t turn = turns.fetch_add(1);
  // What was parked may wait for blocks that have not begun. Those begin in their order,
  // and few at a time, as they may wait for what was parked.
  if (turn % 2)
    for (uint64_t index = 0; index < state.blockCount && first.size() < threadCount();
         ++index)
      if (state.blocks[index] == HET_BLOCK_UNSTARTED)
        first.push_back(index);
  const auto from = parkedBefore.begin() + turn * 7919 % parkedBefore.size();
  first.insert(first.end(), from, parkedBefore.end());
  first.insert(first.end(), parkedBefore.begin(), from);
  return first;
}

void loadState(const Launch &launch, BlockState &block, const uint8_t *from) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  const StateSizes sizes(launch);
  uint8_t *threads = block.block.frame + kernel.frameBytesPerBlock;
  std::memcpy(threads, from, sizes.slots);
  std::memcpy(threads + kernel.localsOffset * launch.paddedThreads(),
              from + sizes.slots, sizes.locals);
  const uint8_t *shared = from + sizes.threads();
  std::memcpy(block.block.shared, shared, sizes.sharedStatic);
  std::memcpy(block.block.shared + block.block.dynamicSharedOffset,
              shared + alignUp(sizes.sharedStatic), sizes.sharedDynamic);
}

void saveState(const Launch &launch, const BlockState &block, uint8_t *to) {
  const HetHostKernel &kernel = *launch.artifact->kernel;
  const StateSizes sizes(launch);
  const uint8_t *threads = block.block.frame + kernel.frameBytesPerBlock;
  std::memcpy(to, threads, sizes.slots);
  std::memcpy(to + sizes.slots, threads + kernel.localsOffset * launch.paddedThreads(),
              sizes.locals);
  uint8_t *shared = to + sizes.threads();
  std::memcpy(shared, block.block.shared, sizes.sharedStatic);
  std::memcpy(shared + alignUp(sizes.sharedStatic),
              block.block.shared + block.block.dynamicSharedOffset,
              sizes.sharedDynamic);
}

uint64_t parksByItself() {
  static const uint64_t number = [] {
    const char *text = std::getenv("HET_HOST_PARK"); // checked by probe()
    return text ? std::strtoull(text, nullptr, 10) : 0;
  }();
  return number;
}

void takeUpElsewhere(const Launch &launch, BlockState &block) {
  constexpr int noise = 0xA5;
  std::vector<uint8_t> bytes(StateSizes(launch).all());
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
}

bool Parking::prepare(BlockState &block) {
  if (hasEnded(block.index) || !block.getMemory(launch))
    return false;
  begun[block.index] = true;
  if (state.blocks[block.index] == HET_BLOCK_PARKED) {
    loadState(launch, block, earlier(block.index));
    block.pc = HET_HOST_PARKED;
    block.wasParked = true;
  }
  return true;
}

bool Parking::settle(const BlockState &block) {
  if (block.hasEnded()) {
    // A block that a fault has stopped has not ended; nobody goes on with it.
    state.blocks[block.index] = HET_BLOCK_ENDED;
    return true;
  }
  if (block.pc != HET_HOST_PARKED)
    return false;
  std::vector<uint8_t> bytes(StateSizes(launch).all());
  saveState(launch, block, bytes.data());
  state.blocks[block.index] = HET_BLOCK_PARKED;
  std::lock_guard<std::mutex> lock(mutex);
  parked[block.index] = std::move(bytes);
  return true;
}

void Parking::finish() {
  // States that were given and are not gone on with stay.
  for (uint64_t index : parkedBefore)
    if (state.blocks[index] == HET_BLOCK_PARKED && !parked.count(index)) {
      const uint8_t *bytes = earlier(index);
      parked[index].assign(bytes, bytes + state.stateBytes);
    }
  const uint64_t stateBytes = StateSizes(launch).all();
  if (parked.empty() && parkedBefore.empty())
    return;
  state.parkedCount = 0;
  if (!state.resize(&state, parked.size() * stateBytes))
    return launch.device->fail(HET_FAULT_LOST, "no memory for parked blocks");
  state.parkedCount = parked.size();
  state.stateBytes = stateBytes;
  uint8_t *to = state.states;
  for (auto &[index, bytes] : parked)
    to = std::copy(bytes.begin(), bytes.end(), to);
}

namespace {

void setParking(HetDevice *device, uint32_t on) {
  device->parking.store(on != 0, std::memory_order_relaxed);
}

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info,
                        HetStatus *status) {
  const HetHostKernel &kernel = *artifact->kernel;
  *info = {};
  info->layout = kernel.layout;
  info->threadBytes = kernel.slotBytes + kernel.localBytes;
  info->sharedBytes = kernel.staticSharedBytes;
  return success(status);
}

/// What is wrong with a state that a launch is to go on from; empty: nothing.
std::string check(const Launch &launch, const HetLaunchState &state) {
  auto differs = [](const char *what, uint64_t found, uint64_t expected) {
    return "a launch's state: found " + std::to_string(found) + " " + what +
           ", expected " + std::to_string(expected);
  };
  if (state.blockCount != launch.blocks())
    return differs("blocks", state.blockCount, launch.blocks());
  if (!state.parkedCount)
    return "";
  if (!launch.artifact->kernel->layout)
    return "a launch's state: found parked blocks, expected none: the kernel's blocks "
           "are not parked inside";
  const uint64_t bytes = StateSizes(launch).all();
  return state.stateBytes == bytes ? ""
                                   : differs("bytes of a block", state.stateBytes, bytes);
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *shape, HetLaunchState *state,
                        HetStatus *status) {
  auto launch = std::make_shared<Launch>(*queue->device, *shape);
  if (std::string wrong = check(*launch, *state); !wrong.empty())
    return report(status, HET_INVALID, wrong.c_str());
  queue->queue.push([launch, state] {
    Parking parking(*launch, *state);
    runLaunch(*launch, &parking);
    parking.finish();
  });
  return success(status);
}

} // namespace

void fillInParking(HetDeviceABI &table) {
  table.setParking = setParking;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
}

} // namespace het::host
