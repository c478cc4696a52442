// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that kernels make (docs/design/device-launch.md): where kernels of a device
// leave them, and carrying them out when the grid has ended.

#ifndef HET_RUNTIME_CORE_DEVICELAUNCHES_H
#define HET_RUNTIME_CORE_DEVICELAUNCHES_H

#include "core/Backend.h"
#include "core/LaunchWork.h"
#include "core/Queue.h"
#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace het::core {

class Device;
class Kernel;
class Module;
struct LaunchShape;

/// Answers to what kernels ask the device runtime.
struct LaunchAnswers {
  std::vector<int32_t> attributes; ///< By cudaDeviceAttr.
  Bytes errorTexts;                ///< HetErrorTexts.
};

/// May be used from any thread.
class DeviceLaunches {
public:
  explicit DeviceLaunches(Device &device) : device(device) {}
  ~DeviceLaunches();

  /// The address of the HetLaunches, without room for any until start(). `brought`: one
  /// of before, whose memory a checkpoint brings, with what is in it; null: none.
  Result<void *> variable(void *brought);
  /// Before a kernel that may launch is launched: there is room for its launches.
  Status start() { return hasStarted() ? Status::success() : startNow(); }
  bool hasStarted() const { return isStarted.load(std::memory_order_acquire); }
  /// How many launches may wait to be carried out. Waits for kernels that launch.
  Status setLimit(uint32_t launches);
  /// Where to find the answers to kernels' questions. Called once, before the first
  /// kernel that may launch is launched.
  void setAnswers(std::function<LaunchAnswers()> find);

  /// Checks a launch of a kernel that may launch others. The function carries it out with
  /// all that comes of it, one such at a time, and returns when that is done.
  Result<std::function<void()>> plan(Kernel &kernel, const LaunchShape &shape,
                                     const void *arguments, size_t argumentBytes);
  /// The same for a graph that is there.
  Result<std::function<void()>> plan(uint64_t graph);
  /// Makes a graph one that kernels may launch, by its handle, or gives it other work;
  /// and no longer.
  void setGraph(uint64_t graph, DeviceGraphWork work);
  void dropGraph(uint64_t graph);
  /// Null: there is none.
  std::shared_ptr<const DeviceGraphWork> graph(uint64_t graph);
  /// Whether that function is not for a queue: to load the code of what is launched may
  /// wait for the queue that waits for it.
  bool mustBeAlone() const;
  /// Carries out what a checkpoint has left: its running grids have ended. The kernels
  /// are the modules'.
  Status finish(std::vector<Module *> modules);

  /// A launch that could not be carried out; stays as a device's fault does.
  Fault fault();
  int32_t faultKind() const { return failedKind.load(std::memory_order_acquire); }

  /// Gives up the queue. All work is done.
  void stop();

private:
  Status startNow();
  Status giveRoom();
  void fillAnswers(HetLaunches &state) const;
  Result<void *> place();
  Result<Queue *> openQueue();
  void fail(const Status &why);
  std::function<void()> plan(std::function<Status(Queue &)> run);

  Device &device;
  std::atomic<bool> isStarted{false};
  std::atomic<int32_t> failedKind{HET_FAULT_NONE};

  std::mutex mutex;      ///< Guards what follows.
  uint32_t limit = 2048; ///< CUDA's for a program that sets none.
  std::function<LaunchAnswers()> findAnswers;
  LaunchAnswers answers;
  void *launches = nullptr;
  bool isBrought = false; ///< It has room, and perhaps launches, from before.
  void *room = nullptr;   ///< For the records.
  std::string failure;
  std::map<uint64_t, std::shared_ptr<const DeviceGraphWork>> graphs; ///< By handle.

  std::mutex running; ///< Held while launches are carried out. Guards what follows.
  std::unique_ptr<Queue> queue;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DEVICELAUNCHES_H
