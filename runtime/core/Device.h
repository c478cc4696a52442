// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device of the process: what it is, its memory, its streams, its fault.
// Every function may be called from any thread, unless it says otherwise.

#ifndef HET_RUNTIME_CORE_DEVICE_H
#define HET_RUNTIME_CORE_DEVICE_H

#include "core/Backend.h"
#include "core/Memory.h"
#include "core/Stream.h"
#include "core/Target.h"

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace het::core {

class DeviceLaunches;
class Executor;
class Graph;
class Heap;
class NativeWork;
class RuntimeExtension;

class Device {
public:
  /// Opens a target's device. `index` is its place in the process, `name` what
  /// HET_DEVICES calls it ("host", "ptx:0"). `extension`: null where there is none.
  static Result<std::unique_ptr<Device>> open(std::shared_ptr<Target> target,
                                              uint32_t ordinal, unsigned index,
                                              const std::string &name,
                                              RuntimeExtension *extension = nullptr);
  ~Device();

  unsigned index() const { return number; }
  const std::string &name() const { return deviceName; }
  const HetDeviceProperties &properties() const { return facts; }

  /// The backend that the program was shown. An executor may have others carry out the
  /// work.
  Backend &primary() const { return *backend; }
  Executor &executor() const { return *work; }
  Target &target() const { return *owner; }
  const HetDeviceABI &abi() const { return owner->abi(); }
  HetDevice *handle() const { return backend->handle(); }
  MemoryManager &memory() { return *manager; }
  Heap &heap() { return *kernelHeap; }
  DeviceLaunches &launches() { return *kernelLaunches; }
  /// Whether kernels allocate from heap(), not from one of the driver's.
  bool usesOwnHeap() const;

  /// The legacy default stream. Not after a reset that has failed.
  Stream &defaultStream() { return *legacy; }

  /// Waits for everything that was given to its streams before the call.
  void synchronize();

  /// As TargetABI.h's functions of these names; Unsupported where the device has
  /// none.
  Result<void *> allocateManaged(uint64_t size);
  Status freeManaged(void *pointer);
  /// `isNew`: the memory was allocated for that.
  Status pin(void *pointer, uint64_t size, bool isNew = false);
  Status unpin(void *pointer);
  Status setLimit(uint32_t limit, uint64_t value);

  /// Pins the pages that hold a variable of the host, until the device is reset. Some
  /// may hold others, too, and be pinned already.
  Status pinPages(void *variable, uint64_t size);

  /// Whether its kernels may be given access to another device's memory now.
  bool reaches(const Device &other) const;
  /// Gives them access, or takes it. False: they can not have it.
  bool setAccess(Device &other, bool isGiven);

  /// Stays until reset().
  Fault fault();
  /// Its kind alone.
  int32_t faultKind();

  /// Waits, frees all its memory, and opens it anew, without its fault. The
  /// caller has let go of its streams, events and modules, and keeps other
  /// threads out. A failure leaves a device that is lost and has no memory, to be reset
  /// once more.
  Status reset();

private:
  friend class Graph;
  friend class NativeWork;
  friend class Stream;
  Device();
  Status start();
  void stop();
  void close();
  void stayLost(const Status &why);
  void dropRetired();
  std::shared_ptr<Stream> streamAfter(Stream *last);

  std::shared_ptr<Target> owner;
  uint32_t ordinal = 0;
  unsigned number = 0;
  std::string deviceName;
  std::unique_ptr<Backend> backend;
  HetDeviceProperties facts = {};
  std::unique_ptr<Executor> work;
  std::unique_ptr<MemoryManager> manager;
  std::unique_ptr<Heap> kernelHeap;
  std::unique_ptr<DeviceLaunches> kernelLaunches;

  std::mutex mutex; ///< Guards what follows, and the order between streams.
  std::map<Stream *, std::weak_ptr<Stream>> streams;
  std::list<std::shared_ptr<Stream>> retired; ///< Kept until their work is done.
  std::set<Graph *> graphs;
  std::set<NativeWork *> nativeWork;
  std::shared_ptr<Stream> legacy;
  std::map<uint64_t, uint64_t> pinnedPages; ///< Ranges: first address, end.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_DEVICE_H
