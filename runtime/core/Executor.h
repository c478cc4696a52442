// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a device of the process carries out its work: directly, by the backend that the
// program was shown, or in a way that a layer above brings (Runtime::extend).

#ifndef HET_RUNTIME_CORE_EXECUTOR_H
#define HET_RUNTIME_CORE_EXECUTOR_H

#include "core/Backend.h"
#include "core/Queue.h"

#include <memory>
#include <mutex>
#include <string>

namespace het::core {

class Kernel;
class KernelCode;
class MemoryManager;
class Module;

/// One device's. Functions may be called from any thread, but for open() and close().
class Executor {
public:
  virtual ~Executor() = default;

  /// The device was opened, or opened anew after close(), on its primary backend, with
  /// memory of which nothing is given out yet.
  virtual void open(Backend &primary, MemoryManager &memory) = 0;
  /// All work is done; nothing of the device is left.
  virtual void close() = 0;
  /// Keeps the device as it is, for a reset, while the lock is held.
  virtual std::unique_lock<std::mutex> hold() = 0;

  /// `name` is the stream's in a trace.
  virtual Result<std::unique_ptr<Queue>> createQueue(const std::string &name) = 0;
  virtual Result<std::shared_ptr<Event>> createEvent() = 0;
  virtual std::unique_ptr<KernelCode> createCode(Kernel &kernel) = 0;
  /// Whether graphs in the backend's own form may be launched.
  virtual bool takesGraphs() const = 0;
  /// Whether kernels allocate from the runtime's heap, not from one of the driver's.
  virtual bool usesOwnHeap() const = 0;
  /// The words that the device's kernels are lowered with for a backend
  /// (HetLowerRequest::options), where nothing is known of their launches.
  virtual std::string loweringOptions(const Backend &backend) const = 0;

  virtual Fault fault() = 0;
  virtual int32_t faultKind() = 0;

  /// As Backend's functions of these names. `isNew`: the memory was allocated for that.
  virtual Status pin(uint64_t address, uint64_t size, bool isNew) = 0;
  virtual Status unpin(uint64_t address) = 0;
  virtual Status setLimit(uint32_t limit, uint64_t value) = 0;

  /// Whether the device's memory is the host's, and the host's the device's, now.
  virtual bool sharesHostMemory() const = 0;
  /// Whether memory stays where it was mapped for as long as the device is open.
  virtual bool keepsMemory() const = 0;
  /// Gives kernels of both devices access to each other's memory, or takes it. False:
  /// they can not have it.
  virtual bool setAccess(Device &device, Device &other, bool isGiven) = 0;

  // Notes of what the program has made, for executors that need to know:
  virtual void noteManaged(int change) = 0; ///< Managed allocations by the driver.
  virtual void noteHostVariable() = 0;      ///< A variable in the host's memory.
  virtual void add(Module &module) = 0;
  virtual void remove(Module &module) = 0; ///< Waits for who uses it.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_EXECUTOR_H
