// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime of this process: its targets and its devices. Made at the first
// use and never destroyed, since threads of devices and calls during static
// destruction use it to the end.

#ifndef HET_RUNTIME_CORE_RUNTIME_H
#define HET_RUNTIME_CORE_RUNTIME_H

#include "core/Device.h"

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace het::core {

class Executor;
class Runtime;

/// Whether kernels get code for constants of their launches (HET_SPECIALISE).
enum class Specialise {
  Never,
  Usually, ///< Where it is likely to pay, made in the background.
  Always   ///< Each launch waits for code of its own: for tests of such code.
};

/// A layer above the core adds itself to the process's runtime by this: another way to
/// carry out the work of its devices, and services. Lives as long as the process.
class RuntimeExtension {
public:
  virtual ~RuntimeExtension() = default;

  /// Reads its settings; before any device is opened.
  virtual Status configure(Runtime &runtime) = 0;
  /// A device's executor; null: the device carries out its work directly.
  virtual std::unique_ptr<Executor> createExecutor(Device &device) = 0;
  /// Names of devices, best first, of which the first that opens is the process's; empty:
  /// it does not choose. Asked where HET_DEVICES is not set.
  virtual std::vector<std::string> preferredDevices() = 0;
  /// Starts its services; all devices are open.
  virtual Status start() = 0;
};

/// Plug-ins, opened before devices are found, with the libraries of drivers that they
/// probe. A thread that has the loader's lock, as one that runs the
/// constructors of a library has, may wait for who finds the devices; so that one must
/// not wait for the loader then. Threads that come at the same time open them each.
struct OpenTargets {
  std::string folder; ///< Of the runtime's library.
  std::vector<std::shared_ptr<Target>> targets;

  /// Takes no lock but the loader's. What fails is left to who finds the devices.
  static OpenTargets open();
};

class Runtime {
public:
  /// The process's runtime. Fails, always with the same status, if an
  /// environment variable has a bad value or a device that HET_DEVICES names is
  /// not here. The first call makes it, and takes what was opened for that.
  static Result<Runtime *> get(OpenTargets opened = {});

  /// Whether this process is a child that fork() made of one with a runtime: it has none
  /// of the threads, and can not use it.
  static bool isForked();

  size_t deviceCount() const { return devices.size(); }
  Device &device(size_t index) const { return *devices[index]; }

  /// The device in whose part of the window an address lies; null: none's.
  Device *ownerOf(const void *pointer);

  /// The folder of the runtime's library: `het/` in it has what belongs to it.
  const std::string &libraryFolder() const { return folder; }

  Specialise specialise() const { return specialisations; }

  /// Milliseconds for which a launch waits silently for code (HET_SLOW_LOWERING); 0: as
  /// long as it takes.
  unsigned slowLowering() const { return silentWait; }

  /// Opens another backend; `shown` is its name in messages. Every function here may be
  /// called from any thread.
  Result<std::unique_ptr<Backend>> openBackend(const std::string &name,
                                               const std::string &shown);

  /// Equal for names that mean the same.
  static std::string backendKey(const std::string &name);

  /// Whether kernels are loaded from the cache before they are launched (HET_PRELOAD).
  bool preloads() const { return preload; }

  /// Whether code that packages bring is used (HET_PRECOMPILED).
  bool usesPrecompiled() const { return precompiled; }

  /// Whether a device's texture units are used (HET_TEXTURE_UNITS).
  bool usesTextureUnits() const { return textureUnits; }

  /// Adds a layer; before the first get().
  static void extend(RuntimeExtension &extension);

private:
  explicit Runtime(OpenTargets opened)
      : folder(std::move(opened.folder)), targets(std::move(opened.targets)) {}
  Status open();
  std::shared_ptr<Target> knownTarget(const std::string &name) const;
  Result<std::shared_ptr<Target>> target(const std::string &name);
  Result<std::pair<std::shared_ptr<Target>, uint32_t>>
  find(const std::string &thing, const std::string &name, uint32_t next);
  Status addDevice(const std::string &name);
  Status addDefaultDevices();
  Status openDevices();
  Status addPreferred(const std::vector<std::string> &names);
  void addAccelerators(const Target &target);

  std::string folder;
  Specialise specialisations = Specialise::Never;
  unsigned silentWait = 0;
  bool preload = true, precompiled = true, textureUnits = true;
  std::mutex mutex; ///< Guards what follows.
  std::vector<std::shared_ptr<Target>> targets;
  uint32_t furtherBackends = 0;
  std::vector<std::unique_ptr<Device>> devices;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_RUNTIME_H
