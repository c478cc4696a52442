// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states of suspended blocks on their way between the device and the runtime, through
// memory that is pinned.

#include "Parking.h"

#include <algorithm>
#include <cstring>

namespace het::ptx {

/// As much is on its way at a time. To get it takes long.
static constexpr size_t stagingBytes = size_t(4) << 20;

CUresult QueueParking::copyIn(CUdeviceptr to, const void *from, size_t bytes) {
  auto *data = static_cast<const uint8_t *>(from);
  const Driver &driver = device.driver;
  if (CUresult result = staging.reserve(driver, stagingBytes))
    return result;
  for (size_t part; bytes; bytes -= part, data += part, to += part) {
    if (staged == stagingBytes) {
      if (CUresult result = driver.cuStreamSynchronize(queue.stream))
        return result;
      staged = 0;
    }
    part = std::min(bytes, stagingBytes - staged);
    std::memcpy(staging.as<uint8_t>() + staged, data, part);
    if (CUresult result =
            driver.cuMemcpyAsync(to, staging.address() + staged, part, queue.stream))
      return result;
    staged += part;
  }
  return CUDA_SUCCESS;
}

/// With nothing under way.
template <class Take>
CUresult QueueParking::copyOut(CUdeviceptr from, size_t bytes, Take take) {
  const Driver &driver = device.driver;
  if (CUresult result = staging.reserve(driver, stagingBytes))
    return result;
  for (size_t part; bytes; bytes -= part, from += part) {
    part = std::min(bytes, stagingBytes);
    CUresult result = driver.cuMemcpyAsync(staging.address(), from, part, queue.stream);
    if (result == CUDA_SUCCESS)
      result = driver.cuStreamSynchronize(queue.stream);
    if (result)
      return result;
    take(staging.as<const uint8_t>(), part);
  }
  return CUDA_SUCCESS;
}

CUresult QueueParking::copyOut(void *to, CUdeviceptr from, size_t bytes) {
  auto *data = static_cast<uint8_t *>(to);
  return copyOut(from, bytes, [&](const uint8_t *part, size_t size) {
    data = std::copy_n(part, size, data);
  });
}

/// All places that are taken come over at once; of blocks that have ended since they
/// were given, nobody wants what is there.
CUresult QueueParking::collectStates(UnderWay &own, const std::vector<uint64_t> &parked,
                                     uint64_t used) {
  HetLaunchState &state = *own.state;
  const uint64_t bytes = own.record.placeBytes;
  std::vector<uint32_t> ofBlocks(state.blockCount);
  if (CUresult result =
          copyOut(ofBlocks.data(), places.address(), ofBlocks.size() * sizeof(uint32_t)))
    return result;
  if (!state.resize(&state, parked.size() * bytes))
    return CUDA_ERROR_OUT_OF_MEMORY;
  std::vector<uint8_t *> wanted(used); // of each place
  for (size_t i = 0; i < parked.size(); ++i) {
    if (ofBlocks[parked[i]] >= used)
      return CUDA_ERROR_UNKNOWN;
    wanted[ofBlocks[parked[i]]] = state.states + i * bytes;
  }
  uint64_t at = 0;
  CUresult result =
      copyOut(states.address(), used * bytes, [&](const uint8_t *part, size_t size) {
        for (size_t piece; size; size -= piece, part += piece, at += piece) {
          piece = std::min<size_t>(size, bytes - at % bytes);
          if (uint8_t *to = wanted[at / bytes])
            std::memcpy(to + at % bytes, part, piece);
        }
      });
  if (result)
    return result;
  for (uint8_t *each = state.states; each != state.states + parked.size() * bytes;
       each += bytes)
    for (auto [begin, end] : own.gaps)
      std::fill(each + begin, each + end, 0);
  return device.driver.cuMemsetD8Async(states.address(), 0, used * bytes, queue.stream);
}

static void endAll(HetLaunchState &state) {
  if (state.alike)
    state.alike = HET_BLOCK_ENDED + 1;
  else
    std::fill_n(state.blocks, state.blockCount, uint8_t(HET_BLOCK_ENDED));
}

/// Collects the states of a launch whose flag has been set.
CUresult QueueParking::collect(UnderWay &own) {
  HetLaunchState &state = *own.state;
  own.clearBlocks = 0;
  HetSuspendCounts counts;
  if (CUresult result = copyOut(&counts, own.counts(), sizeof counts))
    return result;
  if (!counts.places && !counts.left) {
    endAll(state);
    return CUDA_SUCCESS;
  }
  clearPlaces = {};
  if (CUresult result = copyOut(state.blocks, own.after(), state.blockCount))
    return result;
  state.alike = 0;
  std::vector<uint64_t> parked;
  for (uint64_t i = 0; i < state.blockCount; ++i) {
    uint8_t &status = state.blocks[i];
    status = status ? status - 1 : uint8_t(HET_BLOCK_ENDED);
    if (status == HET_BLOCK_PARKED)
      parked.push_back(i);
  }
  const uint64_t used = std::min<uint64_t>(counts.places, own.record.capacity);
  if (!parked.empty())
    if (CUresult result = collectStates(own, parked, used))
      return result;
  state.parkedCount = parked.size();
  state.stateBytes = own.record.placeBytes;
  return CUDA_SUCCESS;
}

CUresult QueueParking::finish() {
  staged = 0;
  if (!count)
    return CUDA_SUCCESS;
  bool hasFlag = false;
  std::chrono::nanoseconds taken{0};
  {
    std::lock_guard<std::mutex> lock(device.parking.mutex);
    device.parking.running.erase(this);
    hasFlag = flag.isSet();
    flag.disarm();
    taken = std::chrono::steady_clock::now() - device.parking.since;
  }
  CUresult result = CUDA_SUCCESS;
  for (size_t i = 0; i < count && result == CUDA_SUCCESS; ++i) {
    HetLaunchState &state = *launches[i].state;
    state.parkedCount = 0;
    state.parkingTime = 0;
    if (hasFlag)
      result = collect(launches[i]);
    else
      endAll(state);
    // Launches behind it began only after it had stopped.
    if (i == 0 && state.parkedCount)
      state.parkingTime = taken.count();
  }
  count = 0;
  return result;
}

void finishParkable(HetQueue &queue) {
  if (queue.parking && !queue.device->hasFault())
    queue.device->checkWait(queue.parking->finish(), &queue);
}

} // namespace het::ptx
