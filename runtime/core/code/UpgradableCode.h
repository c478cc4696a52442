// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's code on one backend, which may begin as interim code
// (docs/design/lowering-process.md).

#ifndef HET_RUNTIME_CORE_CODE_UPGRADABLECODE_H
#define HET_RUNTIME_CORE_CODE_UPGRADABLECODE_H

#include "core/code/SlowLowering.h"

#include <atomic>
#include <memory>

namespace het::core {

class Kernel;

/// Loaded code, which is replaced once: interim code by the better code.
class UpgradableCode {
public:
  UpgradableCode(Kernel &kernel, Backend &backend) : kernel(kernel), backend(backend) {}

  /// What launches run from now on; null before make().
  HetArtifact *get() const { return artifact.load(std::memory_order_acquire); }
  /// Makes the first code for a launch that waits, for these words
  /// (HetLowerRequest::options), and has better code made where that is interim code. By
  /// one thread at a time, until it succeeds.
  Result<HetArtifact *> make(const std::string &options);
  /// The same of code that is loaded already.
  void set(HetArtifact *loaded) { artifact.store(loaded, std::memory_order_release); }
  /// Makes no more code. Any number of times.
  void finish();
  void unload();

private:
  void upgrade();

  Kernel &kernel;
  Backend &backend;
  std::atomic<HetArtifact *> artifact{nullptr};
  std::unique_ptr<BetterCode> better; ///< Null: the first code was the best. Set once.
  std::atomic<HetArtifact *> interim{nullptr}; ///< What better code has replaced.
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_UPGRADABLECODE_H
