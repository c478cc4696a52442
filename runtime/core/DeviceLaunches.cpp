// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory for launches that kernels make, and the threads that carry them out.

#include "core/DeviceLaunches.h"
#include "core/Device.h"
#include "core/DeviceWork.h"
#include "core/Executor.h"
#include "core/LaunchTree.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "het/Base/Log.h"
#include "het/Base/Thread.h"
#include "het/DeviceABI/DeviceLaunches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace het::core {

static_assert(sizeof(HetLaunches) == HET_LAUNCHES_BYTES &&
              sizeof(HetLaunchRecord) == 256 &&
              sizeof(HetCopyRecord) <= HET_RECORD_ARGUMENTS);

DeviceLaunches::~DeviceLaunches() = default;

/// From or to the device, at once. No kernel uses that memory meanwhile.
static Status copy(Device &device, void *to, const void *from, size_t size) {
  Result<std::unique_ptr<Queue>> queue = device.executor().createQueue("");
  if (!queue.ok())
    return queue.status();
  Status status = (*queue)->add(DeviceWork::copy(to, from, size));
  (*queue)->synchronize();
  return status;
}

/// With the mutex held.
Result<void *> DeviceLaunches::place() {
  if (launches)
    return launches;
  Result<void *> memory = device.memory().allocate(sizeof(HetLaunches));
  if (!memory.ok())
    return memory;
  const HetLaunches none = {};
  if (Status status = copy(device, *memory, &none, sizeof(none)); !status.ok()) {
    (void)device.memory().free(*memory);
    return status;
  }
  return launches = *memory;
}

Result<void *> DeviceLaunches::variable(void *brought) {
  std::lock_guard<std::mutex> lock(mutex);
  if (brought) {
    launches = brought;
    isBrought = true;
  }
  return place();
}

Status DeviceLaunches::startNow() {
  std::lock_guard<std::mutex> lock(mutex);
  if (hasStarted())
    return Status::success();
  if (Result<void *> placed = place(); !placed.ok())
    return placed.status();
  if (Status status = giveRoom(); !status.ok())
    return status;
  isStarted.store(true, std::memory_order_release);
  return Status::success();
}

/// With the mutex held, and nothing that launches running. What a checkpoint brings has
/// its room.
Status DeviceLaunches::giveRoom() {
  HetLaunches state = {};
  if (Status status = copy(device, &state, launches, sizeof(state)); !status.ok())
    return status;
  if (isBrought && state.limit)
    limit = state.limit;
  if (state.records && state.limit == limit)
    return Status::success();
  if (findAnswers)
    answers = std::exchange(findAnswers, nullptr)();
  const uint64_t recordBytes = uint64_t(limit) * sizeof(HetLaunchRecord);
  const uint64_t largeBytes = uint64_t(limit) * HET_MOST_ARGUMENTS;
  Result<void *> memory =
      device.memory().allocate(recordBytes + largeBytes + answers.errorTexts.size());
  if (!memory.ok())
    return memory.status();
  if (room)
    (void)device.memory().free(room);
  room = *memory;
  state.records = reinterpret_cast<uint64_t>(room);
  state.large = state.records + recordBytes;
  state.errorTexts = state.large + largeBytes;
  state.limit = limit;
  fillAnswers(state);
  const Bytes &errorTexts = answers.errorTexts;
  if (!errorTexts.empty())
    if (Status status = copy(device, reinterpret_cast<void *>(state.errorTexts),
                             errorTexts.data(), errorTexts.size());
        !status.ok())
      return status;
  return copy(device, launches, &state, sizeof(state));
}

void DeviceLaunches::fillAnswers(HetLaunches &state) const {
  const HetDeviceProperties &facts = device.properties();
  const Result<Runtime *> runtime = Runtime::get();
  state.device = device.index();
  state.deviceCount = runtime.ok() ? (*runtime)->deviceCount() : 1;
  state.maxThreads = facts.maxThreadsPerBlock;
  state.maxSharedBytes =
      std::max(facts.sharedBytesPerBlock, facts.sharedBytesPerBlockOptIn);
  std::copy_n(facts.maxBlockDim, 3, state.maxBlock);
  std::copy_n(facts.maxGridDim, 3, state.maxGrid);
  const size_t known = std::min<size_t>(answers.attributes.size(), HET_LAUNCH_ATTRIBUTES);
  std::copy_n(answers.attributes.begin(), known, state.attributes);
}

Status DeviceLaunches::setLimit(uint32_t count) {
  std::lock_guard<std::mutex> ended(running);
  std::lock_guard<std::mutex> lock(mutex);
  limit = std::max(count, 1u);
  return hasStarted() ? giveRoom() : Status::success();
}

void DeviceLaunches::setAnswers(std::function<LaunchAnswers()> find) {
  std::lock_guard<std::mutex> lock(mutex);
  findAnswers = std::move(find);
}

/// With `running` held.
Result<Queue *> DeviceLaunches::openQueue() {
  if (queue)
    return queue.get();
  Result<std::unique_ptr<Queue>> made =
      device.executor().createQueue("launches of kernels");
  if (!made.ok())
    return made.status();
  queue = made.take();
  return queue.get();
}

/// Runs it on a thread of its own: a driver's thread that calls functions of the host may
/// not give it work.
static void runAside(const std::function<void()> &work) {
  Result<std::thread> thread = startThread(work);
  if (thread.ok())
    thread->join();
  else
    work();
}

std::function<void()> DeviceLaunches::plan(std::function<Status(Queue &)> run) {
  return [this, run = std::move(run)] {
    runAside([&] {
      std::lock_guard<std::mutex> lock(running);
      if (device.faultKind() != HET_FAULT_NONE)
        return;
      Result<Queue *> opened = openQueue();
      Status status = opened.ok() ? run(**opened) : opened.status();
      if (!status.ok())
        fail(status);
    });
  };
}

Result<std::function<void()>> DeviceLaunches::plan(Kernel &kernel,
                                                   const LaunchShape &shape,
                                                   const void *arguments,
                                                   size_t argumentBytes) {
  if (Status status = kernel.prepare(); !status.ok())
    return status;
  auto *packed = static_cast<const uint8_t *>(arguments);
  return plan(
      [this, &kernel, shape, held = Bytes(packed, packed + argumentBytes)](Queue &queue) {
        return LaunchTree(device, queue, launches)
            .run(kernel, shape, held.data(), held.size());
      });
}

Result<std::function<void()>> DeviceLaunches::plan(uint64_t graph) {
  if (Status status = start(); !status.ok())
    return status;
  const std::shared_ptr<const DeviceGraphWork> work = this->graph(graph);
  if (!work)
    return unavailable("a graph of before its device was reset", device.name());
  return plan([this, graph, work](Queue &queue) {
    return LaunchTree(device, queue, launches).run(graph, *work);
  });
}

void DeviceLaunches::setGraph(uint64_t graph, DeviceGraphWork work) {
  std::lock_guard<std::mutex> lock(mutex);
  graphs[graph] = std::make_shared<const DeviceGraphWork>(std::move(work));
}

void DeviceLaunches::dropGraph(uint64_t graph) {
  std::lock_guard<std::mutex> lock(mutex);
  graphs.erase(graph);
}

std::shared_ptr<const DeviceGraphWork> DeviceLaunches::graph(uint64_t graph) {
  std::lock_guard<std::mutex> lock(mutex);
  const auto found = graphs.find(graph);
  return found == graphs.end() ? nullptr : found->second;
}

bool DeviceLaunches::mustBeAlone() const {
  return device.properties().loadsWaitForCalls && device.executor().keepsMemory();
}

Status DeviceLaunches::finish(std::vector<Module *> modules) {
  if (!isBrought)
    return Status::success();
  if (Status status = start(); !status.ok())
    return status;
  std::lock_guard<std::mutex> lock(running);
  Result<Queue *> opened = openQueue();
  if (!opened.ok())
    return opened.status();
  return LaunchTree(device, **opened, launches).resume(std::move(modules));
}

void DeviceLaunches::fail(const Status &why) {
  if (device.faultKind() != HET_FAULT_NONE)
    return; // and that is why
  log(Level::Error, "%s: a launch by a kernel: %s", device.name().c_str(),
      why.text().c_str());
  std::lock_guard<std::mutex> lock(mutex);
  failure = why.text();
  failedKind.store(HET_FAULT_UNSUPPORTED, std::memory_order_release);
}

Fault DeviceLaunches::fault() {
  std::lock_guard<std::mutex> lock(mutex);
  return {failedKind.load(), failure};
}

void DeviceLaunches::stop() {
  std::lock_guard<std::mutex> lock(running);
  queue.reset();
}

} // namespace het::core
