// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of one kernel of a migratable process that end soon, or whose blocks do. A
// move can wait for those, so they are given code that costs less, as soon as launches
// like them have been seen to be short: the kernel's plain code, or code that is
// suspended only between blocks (docs/design/moving.md).

#ifndef HET_RUNTIME_MIGRATION_CODETIERS_H
#define HET_RUNTIME_MIGRATION_CODETIERS_H

#include "core/Stream.h"
#include "core/code/Artifacts.h"
#include "het/Base/Bytes.h"
#include "het/Target/TargetABI.h"

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace het::core {

class Backend;
class Kernel;
class MigratableCode;
class MigratableDevice;

class CodeTiers {
public:
  using Time = std::chrono::nanoseconds;

  enum class Code {
    Parkable,
    BetweenBlocks, ///< Parkable, but no block that has begun is suspended.
    Plain,
  };

  /// Null where there are none: the process is not migratable, or is not to have any.
  static std::unique_ptr<CodeTiers> create(Kernel &kernel, MigratableCode &own,
                                           MigratableDevice &device);

  /// Launches on this backend will come: begins to make their plain code.
  void prepare(Backend &backend);
  /// As Kernel::loadAhead, of the plain code.
  uint64_t loadAhead(Backend &backend);

  struct Choice;
  /// For a launch on a backend that has not begun. Waits for nothing: code that is not
  /// there is made in the background.
  Choice choose(Backend &backend, const LaunchShape &shape, const Bytes &arguments);
  void noteTime(const Choice &choice, Time taken);
  /// Its code, of which there is a general one, could not be launched.
  void drop(const Choice &choice);

  /// The plain code; null: there is none yet.
  HetArtifact *plain(Backend &backend);

  /// Makes no more code; waits for what is being made.
  void finish();
  /// Gives all code back. After finish(), with nothing running.
  void unload();

private:
  CodeTiers(Kernel &kernel, MigratableCode &own, Time most)
      : kernel(kernel), own(own), most(most) {}

  /// Launches of one number of blocks, with the same arguments but for addresses.
  struct Kind {
    uint64_t times = 0;
    std::array<Time, 2> latest = {}; ///< The last two times measured.
  };
  /// Launches of blocks of one shape on one backend.
  struct Group {
    uint64_t launches = 0;
    bool hasBegun = false; ///< One has been timed, which waited for memory and code.
    unsigned kindsTimed = 0;
    uint64_t mostBlocks = 0; ///< The most that a timed launch had; likewise
    Time longest{0};
    /// Blocks that run at once; 0: that is not known.
    std::optional<uint64_t> resident;
    std::unordered_map<uint64_t, Kind> kinds;
  };
  using GroupKey = std::tuple<Backend *, std::array<uint32_t, 4>>;
  uint64_t kindOf(const LaunchShape &shape, const Bytes &arguments) const;
  uint64_t residentOn(Backend &backend, const LaunchShape &shape);
  bool hasShortBlocks(Group &group, Backend &backend, const LaunchShape &shape,
                      const Choice &choice);
  HetArtifact *codeOn(Backend &backend, Code code);
  void make(Backend &backend, Code code);
  HetArtifact *loadOn(Backend &backend, Code code, const Artifact &artifact);
  void keep(Backend &backend, Code code, HetArtifact *loaded);

  Kernel &kernel;
  MigratableCode &own;
  const Time most;  ///< That a short launch takes.
  std::mutex mutex; ///< Guards what follows.
  std::map<GroupKey, Group> groups;
  struct Made {
    HetArtifact *artifact = nullptr; ///< Null: being made, or there is none.
    /// To be loaded by the thread that needs it: a driver's compiler must not be at work
    /// when the process ends, for it has destructors, too.
    Artifact unloaded;
  };
  std::map<std::pair<Backend *, Code>, Made> codes;
};

struct CodeTiers::Choice {
  Code code = Code::Parkable;
  HetArtifact *artifact = nullptr; ///< Null: the kernel's own, which is suspendable.
  HetArtifact *general = nullptr;  ///< Instead of plain code for launches like this one.
  Time expected{0};                ///< That it takes; 0 where that is not known.
  bool isShort = false;            ///< As far as it is known.
  bool isTimed = false;            ///< noteTime() is to be told how long it takes.
  /// Identifies the launch for noteTime().
  GroupKey group;
  uint64_t kind = 0, blocks = 0;
};

} // namespace het::core

#endif // HET_RUNTIME_MIGRATION_CODETIERS_H
