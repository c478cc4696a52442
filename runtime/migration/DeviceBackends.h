// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backends of a migratable device: its primary, which the program was shown, and
// others that it can be on. All of them are told what the program has asked of the
// device: limits, and memory of the host that is pinned.

#ifndef HET_RUNTIME_MIGRATION_DEVICEBACKENDS_H
#define HET_RUNTIME_MIGRATION_DEVICEBACKENDS_H

#include "core/Backend.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace het::core {

class MigrationExtension;

/// Functions may be called from any thread, but for reset() and close().
class DeviceBackends {
public:
  explicit DeviceBackends(MigrationExtension &extension) : layer(extension) {}

  /// The device is opened on its primary, whose name is `name`; nothing was asked of it.
  void reset(Backend &primary, const std::string &name);
  /// Closes all but the primary.
  void close();

  Backend &primary() const { return *home; }
  /// Opens a backend, if that is not done. `name` is as in HET_DEVICES, and behind it
  /// there may be #2, #3, ... for another one of that name.
  Result<Backend *> open(const std::string &name);

  /// Where the device is going to be: kernels are made ready there, too, when they are
  /// prepared, so that no driver's compiler runs in the background, nor when the program
  /// ends.
  void setDestinations(std::vector<Backend *> backends);
  std::vector<Backend *> destinations();

  /// Pins for all backends, also those that come later. The primary may refuse; a backend
  /// that does not take the memory is one that the device can not move to.
  Status pin(uint64_t address, uint64_t size, bool isNew);
  Status unpin(uint64_t address);
  Status setLimit(uint32_t limit, uint64_t value);

  /// Why a backend can not do what was asked of the device; empty: it can.
  std::string blocker(const Backend &backend);
  /// Whether each of them shares the host's memory: the device's memory is there, and no
  /// driver that has memory of its own knows these addresses.
  bool shareHostMemory();

private:
  struct Other {
    std::string key;
    std::unique_ptr<Backend> backend;
  };

  /// Memory of the host that kernels reach.
  struct Pinned {
    uint64_t size;
    std::set<Backend *> by; ///< Pinned for all devices of their targets.
  };

  void equip(Backend &backend);
  bool reachesPinned(const Backend &backend);
  std::vector<Backend *> pinners();

  MigrationExtension &layer;
  Backend *home = nullptr;
  std::mutex mutex; ///< Guards what follows.
  std::string homeKey;
  std::vector<Backend *> planned;
  std::vector<Other> others;
  std::map<uint64_t, Pinned> pinned; ///< By address.
  std::map<uint32_t, uint64_t> limits;
  std::map<const Backend *, std::string> unfit; ///< Those that do not take the limits.
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_DEVICEBACKENDS_H
