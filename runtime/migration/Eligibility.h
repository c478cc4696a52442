// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a device and its work can be on another backend. A move asks before anything is
// suspended, and again when it is; a recovery asks what does not need the backend it
// leaves. Each question is answered by a reason, which is empty when nothing is in the
// way.

#ifndef HET_RUNTIME_MIGRATION_ELIGIBILITY_H
#define HET_RUNTIME_MIGRATION_ELIGIBILITY_H

#include "core/Backend.h"

#include <string>

namespace het::core {

class Kernel;
class MigratableDevice;
struct MigratableLaunch;

class Eligibility {
public:
  Eligibility(MigratableDevice &migratable, Backend &to);

  /// Why the device can not be there: blocks and grids, what was asked of it, its memory.
  std::string blocker() const;
  /// Why it can not be moved there as it stands.
  std::string moveBlocker() const;
  /// Why blocks could not go on there: those that are suspended, and, of kernels that are
  /// under way, those that would be.
  std::string launchBlocker() const;
  /// Why there is no place for the blocks of launches that have not ended. With the gate
  /// closed.
  std::string placeBlocker() const;
  /// The reason why a backend can not run blocks of a kernel with `bytes` of shared
  /// memory; empty if it can.
  static std::string sharedMemoryBlocker(const Kernel &kernel, const Backend &backend,
                                         uint64_t bytes);

private:
  std::string copyBlocker() const;
  std::string heapBlocker() const;
  std::string blockerOf(Kernel &kernel) const;
  std::string placeBlocker(MigratableLaunch &launch) const;

  MigratableDevice &migratable;
  Backend &primary, &from, &to;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_ELIGIBILITY_H
