// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of one kernel for launches that have something in common, beside its general
// code, which serves until a specialisation is there and wherever none matches. When one
// is made, and why: docs/design/specialisation.md.

#ifndef HET_RUNTIME_CORE_CODE_SPECIALISATIONS_H
#define HET_RUNTIME_CORE_CODE_SPECIALISATIONS_H

#include "core/Runtime.h"
#include "core/code/LaunchConstants.h"
#include "het/Target/TargetABI.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace het::core {

class Kernel;
enum class LoweringThread;

class Specialisations {
public:
  /// Gives the general code on the primary backend; null: there is none yet.
  using General = std::function<HetArtifact *()>;

  /// Null where the kernel gets none.
  static std::unique_ptr<Specialisations> create(const Kernel &kernel, General general);
  /// After close().
  ~Specialisations();

  /// The code for this launch; null: the general one. Waits for nothing, but where
  /// each launch gets its own.
  HetArtifact *choose(const LaunchShape &shape, const void *arguments,
                      size_t argumentBytes);
  /// Chooses this code no more: it could not be launched.
  void drop(const HetArtifact *artifact);

  /// Makes no more; waits for one that is being made.
  void finish();
  /// Gives all code back to the device. After finish(), with nothing running.
  void unload();

private:
  Specialisations(const Kernel &kernel, General general, Specialise when);

  struct Variant {
    LaunchConstants constants;
    HetArtifact *artifact; ///< Null: there is none.
    Variant *next;
    std::atomic<bool> usable{true};
  };
  enum class Phase { Watching, Making, Done };

  HetArtifact *find(const LaunchShape &shape, const uint8_t *arguments, bool &found);
  void watch(const LaunchShape &shape, const uint8_t *arguments);
  HetArtifact *makeNow(const LaunchShape &shape, const uint8_t *arguments);
  void makeBeside(const LaunchConstants &constants);
  void make(const LaunchConstants &constants, LoweringThread thread);
  bool pays(HetArtifact *artifact, const LaunchConstants &constants);

  const Kernel &kernel;
  const General general;
  const Specialise when;
  const size_t argumentBytes;             ///< The kernel's.
  std::atomic<Variant *> latest{nullptr}; ///< A list that only grows.
  std::atomic<Phase> phase{Phase::Watching};

  std::mutex mutex; ///< Guards what follows.
  LaunchWatch launches;
  unsigned attempts = 0;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_SPECIALISATIONS_H
