// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of suspendable kernels, and the flags that stop them.

#include "Parking.h"
#include "../../Support/ParkedBlocks.h"
#include "Queue.h"

#include <algorithm>

namespace het::ptx {

static_assert(HET_SUSPEND_UNSTARTED == HET_BLOCK_UNSTARTED &&
              HET_SUSPEND_SUSPENDED == HET_BLOCK_PARKED &&
              HET_SUSPEND_ENDED == HET_BLOCK_ENDED);

static uint64_t product(const uint32_t (&size)[3]) {
  return uint64_t(size[0]) * size[1] * size[2];
}

CUresult Buffer::reserve(const Driver &driver, size_t wanted, bool *grew) {
  if (grew)
    *grew = wanted > bytes;
  if (wanted <= bytes)
    return CUDA_SUCCESS;
  if (CUresult result = release(driver))
    return result;
  CUresult result;
  if (kind == Kind::Device) {
    result = driver.cuMemAlloc(&memory, wanted);
  } else {
    void *host = nullptr;
    result = driver.cuMemHostAlloc(&host, wanted, CU_MEMHOSTALLOC_PORTABLE);
    memory = reinterpret_cast<CUdeviceptr>(host);
  }
  if (result)
    memory = 0;
  else
    bytes = wanted;
  return result;
}

CUresult Buffer::release(const Driver &driver) {
  if (!memory)
    return CUDA_SUCCESS;
  CUresult result =
      kind == Kind::Device ? driver.cuMemFree(memory) : driver.cuMemFreeHost(as<void>());
  memory = 0;
  bytes = 0;
  return result;
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

CUresult QueueParking::open() {
  if (isOpen)
    return CUDA_SUCCESS;
  if (CUresult result = flag.open(queue.stream))
    return result;
  constexpr uint64_t usualBlocks = 1 << 16, mostStates = uint64_t(64) << 20,
                     partForStates = 2048;
  const uint64_t usualStates =
      std::min(mostStates, device.facts.totalMemory / partForStates);
  if (CUresult result = places.reserve(device.driver, usualBlocks * sizeof(uint32_t)))
    return result;
  if (CUresult result = reserveStates(usualStates))
    return result;
  CUresult result = reserveControls(usualBlocks);
  isOpen = result == CUDA_SUCCESS;
  return result;
}

/// Whether the launch may begin; the flag is then not set when it does, or was set since.
/// Where it has been set for launches under way it stays so until they are done.
CUresult QueueParking::allow(bool &isAllowed) {
  DeviceParking &parking = device.parking;
  std::lock_guard<std::mutex> lock(parking.mutex);
  isAllowed = !parking.isOn && !(count && flag.isSet());
  if (!isAllowed)
    return CUDA_SUCCESS;
  if (CUresult result = flag.clear(queue.stream))
    return result;
  parking.running.insert(this);
  return CUDA_SUCCESS;
}

void setParking(HetDevice *device, uint32_t on) {
  std::lock_guard<std::mutex> lock(device->parking.mutex);
  if (on && !device->parking.isOn)
    device->parking.since = std::chrono::steady_clock::now();
  device->parking.isOn = on != 0;
  if (!on || device->hasFault())
    return;
  bool areSet = true;
  for (QueueParking *queue : device->parking.running)
    areSet &= queue->flag.setArmed();
  if (areSet)
    return;
  CUresult result = enter(*device);
  for (QueueParking *queue : device->parking.running)
    if (result == CUDA_SUCCESS)
      result = queue->flag.set();
  device->checkWait(result);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static bool isFresh(const HetLaunchState &state) {
  if (state.alike)
    return state.alike == HET_BLOCK_UNSTARTED + 1;
  return std::all_of(state.blocks, state.blocks + state.blockCount,
                     [](uint8_t status) { return status == HET_BLOCK_UNSTARTED; });
}

/// How many blocks of a launch may be suspended at once.
static uint64_t placesFor(const HetLaunch &launch, const HetLaunchState &state,
                          uint64_t resident) {
  return launch.artifact->parking.layout
             ? std::min(product(launch.grid), resident + state.parkedCount)
             : 0;
}

/// Blocks that could not go on are not suspended: they look at a flag that is never set.
static bool canResume(const HetLaunch &launch) {
  return !launch.artifact->resumed ||
         product(launch.block) <= launch.artifact->resumedThreads;
}

/// How many bytes a launch's counts and `after` take.
uint64_t QueueParking::controlFor(uint64_t blocks) {
  constexpr uint64_t alignment = 256;
  return (afterOffset + blocks + alignment - 1) / alignment * alignment;
}

/// Reserves memory for states, cleared: parts that no thread writes are to be the same
/// always.
CUresult QueueParking::reserveStates(uint64_t bytes) {
  bool isNew = false;
  if (CUresult result = states.reserve(device.driver, bytes, &isNew))
    return result;
  if (!isNew)
    return CUDA_SUCCESS;
  clearPlaces = {};
  return device.driver.cuMemsetD8Async(states.address(), 0, states.size(), queue.stream);
}

/// One piece of memory for all launches: to get one takes long.
CUresult QueueParking::reserveControls(uint64_t blocks) {
  const uint64_t wanted = controlFor(blocks);
  if (wanted <= controlBytes)
    return CUDA_SUCCESS;
  const size_t parts =
      std::clamp<uint64_t>(mostControlBytes / wanted, 1, launches.size());
  controlBytes = controlParts = 0;
  if (CUresult result = controls.reserve(device.driver, parts * wanted))
    return result;
  controlBytes = wanted;
  controlParts = parts;
  for (size_t i = 0; i < parts; ++i) {
    launches[i].control = controls.address() + i * wanted;
    launches[i].clearBlocks = 0;
  }
  return CUDA_SUCCESS;
}

/// Whether the launch may be put behind those under way: it must not write to the memory
/// that the state of one of them may be in.
bool QueueParking::joins(const HetLaunch &launch, const HetLaunchState &given,
                         bool isFresh, uint64_t resident) {
  if (!count)
    return true;
  if (!isFresh || count == controlParts || controlFor(given.blockCount) > controlBytes)
    return false;
  {
    std::lock_guard<std::mutex> lock(device.parking.mutex);
    if (flag.isSet())
      return false;
  }
  const BlockStateLayout layout = target::stateLayout(launch.artifact->parking, launch);
  const uint64_t capacity = placesFor(launch, given, resident);
  return !capacity ||
         (clearPlaces.include({layout.size, layout.paddedThreads, capacity}) &&
          places.size() >= given.blockCount * sizeof(uint32_t));
}

/// A strip ends with a barrier and a load that nothing hides, so it is to take 20 to 50
/// µs until it is known how long it does.
static constexpr uint32_t usualPollInterval = 2 * HET_USUAL_POLL_INTERVAL;

/// Memory for the launch, and its record.
CUresult QueueParking::reserve(UnderWay &own, const HetLaunch &launch,
                               uint64_t resident) {
  const Driver &driver = device.driver;
  if (CUresult result = open())
    return result;
  const uint64_t blocks = product(launch.grid);
  const bool isInside = launch.artifact->parking.layout != 0;
  const BlockStateLayout layout = target::stateLayout(launch.artifact->parking, launch);
  const uint64_t capacity = placesFor(launch, *own.state, resident);
  struct {
    Buffer &buffer;
    uint64_t bytes;
  } needs[] = {{before, own.isFresh ? 0 : blocks},
               {places, isInside ? blocks * sizeof(uint32_t) : 0}};
  for (auto &[buffer, bytes] : needs)
    if (CUresult result = buffer.reserve(driver, bytes))
      return result;
  if (CUresult result = reserveControls(blocks))
    return result;
  if (CUresult result = reserveStates(capacity * layout.size))
    return result;
  HetSuspendRecord &record = own.record = {};
  record.flags = canResume(launch) ? flag.address() : flag.neverSet();
  record.after = own.after();
  record.places = places.address();
  record.states = states.address();
  record.counts = own.counts();
  record.placeBytes = layout.size;
  record.sharedOffset = layout.sharedOffset;
  record.dynamicOffset = layout.dynamicSharedOffset;
  record.dynamicBytes = launch.dynamicSharedBytes;
  own.gaps = {{layout.threadsBytes, layout.sharedOffset},
              {layout.sharedOffset + launch.artifact->parking.sharedBytes,
               layout.dynamicSharedOffset},
              {layout.dynamicSharedOffset + launch.dynamicSharedBytes, layout.size}};
  record.capacity = capacity;
  record.pollInterval = target::pollInterval(*own.state, usualPollInterval);
  return CUDA_SUCCESS;
}

/// Everything as a launch finds it that none of has begun. Threads of blocks that park
/// are taken to have ended until they write their pcs.
CUresult QueueParking::clear(UnderWay &own, uint64_t padded) {
  const Driver &driver = device.driver;
  const uint64_t blocks = own.state->blockCount;
  if (own.clearBlocks < blocks) {
    if (CUresult result =
            driver.cuMemsetD8Async(own.counts(), 0, afterOffset + blocks, queue.stream))
      return result;
    own.clearBlocks = blocks;
  }
  const ClearPlaces wanted = {own.record.placeBytes, padded, own.record.capacity};
  if (!own.record.capacity || clearPlaces.include(wanted))
    return CUDA_SUCCESS;
  clearPlaces = {};
  CUresult result = driver.cuMemsetD2D32Async(states.address(), wanted.bytes, UINT32_MAX,
                                              padded, wanted.count, queue.stream);
  if (result == CUDA_SUCCESS)
    clearPlaces = wanted;
  return result;
}

/// The state that is given. The states lie in the first places, in their order.
CUresult QueueParking::fillIn(UnderWay &own) {
  HetLaunchState &state = *own.state;
  if (own.isFresh)
    return CUDA_SUCCESS;
  target::spread(state);
  own.record.before = before.address();
  own.clearBlocks = 0;
  if (CUresult result = copyIn(before.address(), state.blocks, state.blockCount))
    return result;
  if (!state.parkedCount)
    return CUDA_SUCCESS;
  std::vector<uint32_t> ofBlocks(state.blockCount, HET_SUSPEND_NO_PLACE);
  uint32_t taken = 0;
  for (uint64_t i = 0; i < state.blockCount; ++i)
    if (state.blocks[i] == HET_BLOCK_PARKED)
      ofBlocks[i] = taken++;
  if (CUresult result =
          copyIn(places.address(), ofBlocks.data(), ofBlocks.size() * sizeof(uint32_t)))
    return result;
  clearPlaces = {};
  if (CUresult result = copyIn(states.address(), state.states,
                               state.parkedCount * own.record.placeBytes))
    return result;
  return device.driver.cuMemsetD32Async(own.counts(), taken, 1, queue.stream);
}

/// With the flag's value known.
CUresult QueueParking::carryOut(UnderWay &own, const HetLaunch &launch) {
  if (CUresult result =
          clear(own, target::stateLayout(launch.artifact->parking, launch).paddedThreads))
    return result;
  if (CUresult result = fillIn(own))
    return result;
  const bool usesGridWord = launch.cooperative || !launch.artifact->parking.layout;
  if (usesGridWord)
    own.clearBlocks = 0;
  return launchKernel(queue, launch, &own.record);
}

CUresult QueueParking::enqueue(const HetLaunch &launch, HetLaunchState &given,
                               uint64_t resident) {
  const bool fresh = isFresh(given);
  CUresult result = CUDA_SUCCESS;
  if (!joins(launch, given, fresh, resident)) {
    result = device.driver.cuStreamSynchronize(queue.stream);
    if (result == CUDA_SUCCESS)
      result = finish();
  }
  if (result)
    return result;
  UnderWay &own = launches[count];
  own.state = &given;
  own.isFresh = fresh;
  bool isAllowed = false;
  result = reserve(own, launch, resident);
  if (result == CUDA_SUCCESS)
    result = allow(isAllowed);
  if (result == CUDA_SUCCESS && isAllowed)
    result = carryOut(own, launch);
  if (result == CUDA_SUCCESS && isAllowed) {
    ++count;
    return CUDA_SUCCESS;
  }
  if (!count) {
    std::lock_guard<std::mutex> lock(device.parking.mutex);
    device.parking.running.erase(this);
  }
  return result;
}

void QueueParking::prepareToStop() {
  if (!count)
    return;
  std::lock_guard<std::mutex> lock(device.parking.mutex);
  if (!device.parking.isOn)
    device.checkWait(flag.arm(queue.stream), &queue);
}

void QueueParking::release() {
  {
    std::lock_guard<std::mutex> lock(device.parking.mutex);
    device.parking.running.erase(this); // after a fault it may be there
  }
  device.failed(flag.release());
  for (Buffer *buffer : {&before, &places, &states, &staging, &controls})
    device.failed(buffer->release(device.driver));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

/// How many blocks of the kernel, in either form, a processor may hold at once. It takes
/// blocks for the warps of others that have ended: so there may be as many as if each had
/// one warp. Asked of the driver once for each size of shared memory that follows
/// another.
CUresult findResident(HetArtifact &kernel, uint32_t dynamicSharedBytes, uint64_t &count) {
  const uint64_t known = kernel.resident.load(std::memory_order_relaxed);
  if (known && known >> 32 == dynamicSharedBytes) {
    count = uint32_t(known) - 1;
    return CUDA_SUCCESS;
  }
  int perProcessor = 0;
  constexpr int warp = 32;
  const HetDevice &device = *kernel.device;
  if (CUresult result = enter(device))
    return result;
  for (CUfunction function : {kernel.function, kernel.resumed}) {
    int ofThis = 0;
    if (function)
      if (CUresult result = device.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
              &ofThis, function, warp, dynamicSharedBytes))
        return result;
    perProcessor = std::max(perProcessor, ofThis);
  }
  count = perProcessor;
  kernel.resident.store(uint64_t(dynamicSharedBytes) << 32 | (count + 1),
                        std::memory_order_relaxed);
  return CUDA_SUCCESS;
}

/// HET_OK, or an error.
int32_t checkParkable(const HetArtifact &artifact, HetStatus *status) {
  if (artifact.isParkable)
    return success(status);
  return report(status, HET_INVALID,
                kernelText(artifact.kernel) + ": found code that is not parkable, "
                                              "expected some; lower it so");
}

int32_t describeParking(HetArtifact *artifact, HetParkingInfo *info, HetStatus *status) {
  if (int32_t code = checkParkable(*artifact, status))
    return code;
  *info = artifact->parking;
  return success(status);
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *launch, HetLaunchState *state,
                        HetStatus *status) {
  HetDevice &device = *queue->device;
  HetArtifact &kernel = *launch->artifact;
  if (device.hasFault())
    return success(status);
  if (int32_t code = checkParkable(kernel, status))
    return code;
  if (std::string wrong = target::checkLaunchState(*state, kernel.parking, *launch);
      !wrong.empty())
    return report(status, HET_INVALID, kernelText(kernel.kernel) + ": " + wrong);
  if (prepareLaunch(*queue, *launch, status) != HET_OK)
    return device.hasFault() ? success(status) : status->code;
  uint64_t perProcessor = 0;
  CUresult result = enter(device);
  if (result == CUDA_SUCCESS && kernel.parking.layout)
    result = findResident(kernel, launch->dynamicSharedBytes, perProcessor);
  if (result == CUDA_SUCCESS) {
    if (!queue->parking)
      queue->parking = std::make_unique<QueueParking>(*queue);
    result = queue->parking->enqueue(*launch, *state,
                                     perProcessor * device.facts.processorCount);
  }
  return reportLaunch(*queue, *launch, result, status);
}

} // namespace

void fillInParking(HetDeviceABI &table) {
  table.setParking = setParking;
  table.describeParking = describeParking;
  table.enqueueParkable = enqueueParkable;
}

} // namespace het::ptx
