// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of one kernel of a movable process that end soon. A move can wait for those,
// so they are given the kernel's plain code, which costs nothing, as soon as launches like
// them have been seen to be short (docs/design/moving.md).

#ifndef HET_RUNTIME_CORE_SHORTLAUNCHES_H
#define HET_RUNTIME_CORE_SHORTLAUNCHES_H

#include "het/Base/Bytes.h"
#include "het/Runtime/Stream.h"
#include "het/Target/TargetABI.h"

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace het::core {

class Backend;
class Kernel;

class ShortLaunches {
public:
  using Time = std::chrono::nanoseconds;

  /// Null where there are none: the process is not movable, or is not to have any.
  static std::unique_ptr<ShortLaunches> create(Kernel &kernel);

  /// Launches on this backend will come: begins to make the plain code.
  void prepare(Backend &backend);
  /// As Kernel::loadAhead, of the plain code.
  uint64_t loadAhead(Backend &backend);

  struct Choice {
    HetArtifact *plain = nullptr; ///< Null: the launch is to be one that can be parked.
    Time expected{0};             ///< That it takes; where `plain` is not null.
    bool isTimed = false;         ///< noteTime() is to be told how long it takes.
  };
  /// For a launch on a backend that has not begun. Waits for nothing: code that is not
  /// there is made beside.
  Choice choose(Backend &backend, const LaunchShape &shape, const Bytes &arguments);
  void noteTime(Backend &backend, const LaunchShape &shape, const Bytes &arguments,
                Time taken);

  /// Makes no more code; waits for what is being made.
  void finish();
  /// Gives all code back. After finish(), with nothing running.
  void unload();

private:
  ShortLaunches(Kernel &kernel, Time most) : kernel(kernel), most(most) {}

  /// Launches with the same arguments but for addresses.
  struct Kind {
    uint64_t times = 0;
    std::array<Time, 2> latest = {}; ///< Of those that were timed.
  };
  /// Launches of one shape on one backend.
  struct Group {
    uint64_t launches = 0;
    unsigned kindsTimed = 0;
    Time longest{0};
    std::unordered_map<uint64_t, Kind> kinds;
  };
  using Key = std::tuple<Backend *, std::array<uint32_t, 7>>;
  static Key keyOf(Backend &backend, const LaunchShape &shape);
  uint64_t hashOf(const Bytes &arguments) const;
  HetArtifact *plainOn(Backend &backend);
  void make(Backend &backend);

  Kernel &kernel;
  const Time most; ///< That a short launch takes.
  std::mutex mutex; ///< Guards what follows.
  std::map<Key, Group> groups;
  std::map<Backend *, HetArtifact *> plain; ///< Null: being made, or there is none.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_SHORTLAUNCHES_H
