// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and the current one of each thread.

#include "Context.h"
#include "Arrays.h"
#include "Capture.h"
#include "DeviceProperties.h"
#include "GraphMemory.h"
#include "HostFunction.h"
#include "IpcMemory.h"
#include "Memory.h"
#include "Module.h"
#include "NativeWork.h"
#include "Stream.h"
#include "ThreadState.h"
#include "VirtualMemory.h"
#include "core/Executor.h"
#include "driver/Driver.h"
#include "graphics/Resource.h"
#include "migration/MigrationExtension.h"

#include "het/Base/Log.h"

#include <algorithm>

namespace het::cuda {

namespace {

/// The devices, or why there are none. Made once, kept for ever.
struct Devices {
  core::Runtime *runtime = nullptr;
  std::vector<std::unique_ptr<Device>> list;
  cudaError_t failure = cudaSuccess;

  explicit Devices(core::OpenTargets opened) {
    if (Status status = setUpLog("het"); !status.ok()) {
      fail(cudaErrorInitializationError, status);
      return;
    }
    core::MigrationExtension::install();
    Result<core::Runtime *> made = core::Runtime::get(std::move(opened));
    if (!made.ok()) {
      fail(made.status().code == Code::Unavailable ? cudaErrorNoDevice
                                                   : cudaErrorInitializationError,
           made.status());
      return;
    }
    runtime = *made;
    for (size_t index = 0; index < runtime->deviceCount(); ++index)
      list.push_back(
          std::make_unique<Device>(runtime->device(index), static_cast<int>(index)));
    if (list.empty())
      failure = cudaErrorNoDevice;
  }

  void fail(cudaError_t error, const Status &status) {
    log(Level::Error, "%s", status.text().c_str());
    failure = error;
  }
};

std::atomic<const Devices *> found{nullptr};

/// A thread that has the loader's lock may wait here for another one, which must not need
/// that lock any more (core::OpenTargets).
const Devices &devices() {
  if (const Devices *known = found.load(std::memory_order_acquire))
    return *known;
  core::OpenTargets opened = core::OpenTargets::open();
  static const Devices *instance = new Devices(std::move(opened));
  found.store(instance, std::memory_order_release);
  return *instance;
}

cudaError_t errorOfFault(int32_t kind) {
  switch (kind) {
  case HET_FAULT_NONE:
    return cudaSuccess;
  case HET_FAULT_ASSERT:
    return cudaErrorAssert;
  case HET_FAULT_ILLEGAL_ADDRESS:
    return cudaErrorIllegalAddress;
  case HET_FAULT_MISALIGNED_ADDRESS:
    return cudaErrorMisalignedAddress;
  case HET_FAULT_ILLEGAL_INSTRUCTION:
    return cudaErrorIllegalInstruction;
  case HET_FAULT_DEADLOCK:
    return cudaErrorLaunchTimeout;
  case HET_FAULT_LOST:
    return cudaErrorDevicesUnavailable;
  case HET_FAULT_UNSUPPORTED:
    return cudaErrorNotSupported;
  default:
    return cudaErrorLaunchFailure;
  }
}

} // namespace

/// With what follows from how the device carries out its work.
static cudaDeviceProp describeWhole(core::Device &device, int ordinal) {
  cudaDeviceProp properties = describe(device.properties(), ordinal);
  properties.ipcEventSupported = device.executor().keepsMemory();
  if (device.executor().sharesHostMemory() && device.executor().keepsMemory())
    properties.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  return properties;
}

Device::Device(core::Device &device, int ordinal)
    : ordinal(ordinal), device(device), properties(describeWhole(device, ordinal)),
      pool(std::make_unique<PooledMemory>(*this)) {
  setDefaults();
  servePool();
  tellKernels();
  legacy = std::make_unique<CUstream_st>(*this, CUstream_st::Kind::Legacy);
  legacy->queue = &device.defaultStream();
}

/// CUDA's defaults of what a program can set.
void Device::setDefaults() {
  flags = cudaDeviceScheduleAuto;
  cacheConfig = cudaFuncCachePreferNone;
  const size_t defaults[] = {1024, 8 << 20, 8 << 20, 0, 2048, 64, 0};
  std::copy_n(defaults, std::size(defaults), limits);
  for (int peer : peers)
    device.setAccess(deviceAt(peer)->device, false);
  peers.clear();
}

cudaError_t Device::fault() {
  int32_t kind = device.faultKind();
  // A failed assertion has printed itself.
  if (kind != HET_FAULT_NONE && kind != HET_FAULT_ASSERT && !faultSaid.exchange(true))
    log(Level::Error, "device %s: %s", device.name().c_str(),
        device.fault().message.c_str());
  return errorOfFault(kind);
}

void Device::beginUse() {
  // Let go of last: what a library does when it is closed may use the device.
  std::vector<HeldLibrary> libraries;
  if (!used.exchange(true, std::memory_order_acq_rel))
    libraries = loadAhead(*this);
}

/// Whoever finds no memory gets what the pool and workspaces keep.
void Device::servePool() {
  device.memory().onShortage([this] {
    const bool hadMemory = pool->giveAway();
    return giveAwayWorkspaces(*this) || hadMemory;
  });
}

cudaError_t Device::synchronize() {
  device.synchronize();
  unloadLeft();
  pool->noteSynchronisation();
  return fault();
}

bool Device::reaches(const Device &peer) const { return device.reaches(peer.device); }

cudaError_t Device::reset() {
  device.synchronize();
  forgetResources(*this);
  forgetLoaded(ordinal);
  driver::forgetModules(*this);
  forgetManaged(ordinal);
  VirtualMemory::get().forget(*this);
  forgetGraphMemory(*this);
  forgetShared(*this);
  ++resets;
  forgetPinned(*this);
  driver::forgetPrimary(ordinal);
  for (int other = 0; other < deviceCount(); ++other)
    deviceAt(other)->pool->forgetEvents(*this);
  pool->forgetAll();
  std::lock_guard<std::mutex> lock(mutex);
  for (cudaStream_t stream : streams) {
    abandonCapture(stream);
    stream->release();
  }
  for (auto &[handle, event] : events)
    event->event.reset();
  for (const std::weak_ptr<CUevent_st> &kept : keptEvents)
    if (std::shared_ptr<CUevent_st> event = kept.lock())
      event->event.reset();
  for (cudaArray_t array : arrays)
    array->region.base = nullptr;
  legacy->release();
  setDefaults();
  faultSaid = false;
  if (Status status = device.reset(); !status.ok())
    return translate(status, cudaErrorDevicesUnavailable);
  legacy->queue = &device.defaultStream();
  servePool();
  tellKernels();
  return cudaSuccess;
}

cudaError_t Device::createStream(unsigned streamFlags, int priority,
                                 cudaStream_t *result) {
  auto stream = std::make_unique<CUstream_st>(*this, CUstream_st::Kind::Created);
  stream->flags = streamFlags;
  stream->priority = priority;
  Result<std::shared_ptr<core::Stream>> queue =
      core::Stream::create(device, stream->blocking() ? core::StreamKind::Blocking
                                                      : core::StreamKind::NonBlocking);
  if (!queue.ok())
    return translate(queue.status(), cudaErrorMemoryAllocation);
  stream->own(queue.take());
  stream->context = driver::keepCurrentContext();
  std::lock_guard<std::mutex> lock(mutex);
  static std::atomic<unsigned long long> lastId{2}; // after the special handles
  stream->id = ++lastId;
  streams.insert(stream.get());
  *result = stream.release();
  return cudaSuccess;
}

cudaError_t Device::destroyStream(cudaStream_t stream) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!streams.erase(stream))
      return cudaErrorInvalidResourceHandle;
  }
  abandonCapture(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t Device::createEvent(unsigned eventFlags, cudaEvent_t *result) {
  Result<std::shared_ptr<core::Event>> made = core::Event::create(device);
  if (!made.ok())
    return translate(made.status(), cudaErrorMemoryAllocation);
  auto event = std::make_shared<CUevent_st>(*this);
  event->flags = eventFlags;
  event->event = made.take();
  std::lock_guard<std::mutex> lock(mutex);
  *result = event.get();
  events[*result] = std::move(event);
  return cudaSuccess;
}

cudaError_t Device::destroyEvent(cudaEvent_t event) {
  std::shared_ptr<CUevent_st> destroyed;
  CapturePoint point; // goes without locks
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = events.find(event);
    if (found == events.end())
      return cudaErrorInvalidResourceHandle;
    destroyed = std::move(found->second);
    events.erase(found);
    const auto isGone = [](const auto &kept) { return kept.expired(); };
    keptEvents.erase(std::remove_if(keptEvents.begin(), keptEvents.end(), isGone),
                     keptEvents.end());
    if (destroyed.use_count() > 1)
      keptEvents.push_back(destroyed);
  }
  std::lock_guard<std::mutex> lock(captureState().mutex);
  point = std::move(destroyed->point);
  return cudaSuccess;
}

core::Runtime &runtime() { return *devices().runtime; }

bool devicesAreKnown() {
  const Devices *known = found.load(std::memory_order_acquire);
  return known && !known->list.empty();
}

int deviceCount() { return static_cast<int>(devices().list.size()); }

cudaError_t noDeviceError() { return devices().failure; }

bool validDevice(int ordinal) { return ordinal >= 0 && ordinal < deviceCount(); }

Device *deviceAt(int ordinal) {
  return devices().list[static_cast<size_t>(ordinal)].get();
}

int currentOrdinal() { return threadState().device; }

void setCurrentOrdinal(int ordinal) { threadState().device = ordinal; }

cudaError_t beginCall() {
  if (cudaError_t refused = refuseCaller())
    return refused;
  const CUcontext current = driver::currentContext();
  if ((!current || current->isReset) && deviceCount())
    driver::makePrimaryCurrent(currentOrdinal());
  return cudaSuccess;
}

cudaError_t currentDeviceError() {
  if (cudaError_t refused = beginCall())
    return refused;
  if (deviceCount() == 0)
    return noDeviceError();
  return deviceAt(currentOrdinal())->fault();
}

cudaError_t useCurrentDevice(Device *&device) {
  if (cudaError_t error = currentDeviceError())
    return error;
  device = deviceAt(currentOrdinal());
  device->use();
  return cudaSuccess;
}

} // namespace het::cuda
