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

  struct Choice;
  /// For a launch on a backend that has not begun. Waits for nothing: code that is not
  /// there is made beside.
  Choice choose(Backend &backend, const LaunchShape &shape, const Bytes &arguments);
  void noteTime(const Choice &choice, Time taken);

  /// Makes no more code; waits for what is being made.
  void finish();
  /// Gives all code back. After finish(), with nothing running.
  void unload();

private:
  ShortLaunches(Kernel &kernel, Time most) : kernel(kernel), most(most) {}

  /// Launches of one number of blocks, with the same arguments but for addresses.
  struct Kind {
    uint64_t times = 0;
    std::array<Time, 2> latest = {}; ///< Of those that were timed.
  };
  /// Launches of blocks of one shape on one backend.
  struct Group {
    uint64_t launches = 0;
    unsigned kindsTimed = 0;
    uint64_t mostBlocks = 0; ///< Of those that were timed; so is
    Time longest{0};
    std::unordered_map<uint64_t, Kind> kinds;
  };
  using GroupKey = std::tuple<Backend *, std::array<uint32_t, 4>>;
  uint64_t kindOf(const LaunchShape &shape, const Bytes &arguments) const;
  HetArtifact *plainOn(Backend &backend);
  void make(Backend &backend);
  void keep(Backend &backend, HetArtifact *made);

  Kernel &kernel;
  const Time most; ///< That a short launch takes.
  std::mutex mutex; ///< Guards what follows.
  std::map<GroupKey, Group> groups;
  std::map<Backend *, HetArtifact *> plain; ///< Null: being made, or there is none.
};

struct ShortLaunches::Choice {
  HetArtifact *plain = nullptr; ///< Null: the launch is to be one that can be parked.
  Time expected{0};             ///< That it takes; where `plain` is not null.
  bool isTimed = false;         ///< noteTime() is to be told how long it takes.
  /// What the launch is, for noteTime().
  GroupKey group;
  uint64_t kind = 0, blocks = 0;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_SHORTLAUNCHES_H
