// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering that takes long while a launch waits for it: a warning, and interim code, made
// faster, until the better code is there (docs/design/lowering-process.md).

#ifndef HET_RUNTIME_CORE_CODE_SLOWLOWERING_H
#define HET_RUNTIME_CORE_CODE_SLOWLOWERING_H

#include "core/Backend.h"
#include "core/code/LoweringProcess.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace het::core {

/// Code that is made, or will be, while the kernel runs interim code.
class BetterCode {
public:
  /// `key`: what the artifact is kept under. `lowering`: where it has begun. One of them
  /// goes on at a time, so that programs with many kernels have processors left; the
  /// others are begun again when they are waited for.
  BetterCode(const Backend &backend, const HetLowerRequest &request, std::string key,
             std::optional<OngoingLowering> lowering);
  ~BetterCode();

  /// Waits for the artifact, and keeps it in the cache. Once, in a background thread.
  Result<Bytes> wait();
  /// Ends the wait, with an error.
  void stop() { stopped = true; }

private:
  Status begin();

  const Backend &backend;
  const Bytes code;
  const std::string kernel, arch, options, devicelib, key;
  std::optional<OngoingLowering> lowering;
  std::atomic<bool> stopped{false};
};

/// Keys of a kernel's code and of its interim code.
struct CodeKeys {
  std::string code, interim;
};

/// Finishes lowered code as the device wants it, and keeps it in the cache.
Result<Bytes> keep(const Backend &backend, const std::string &kernel,
                   Result<Bytes> lowered, const std::string &key);

/// Lowers a kernel for a launch that waits. Where `better` is given, the target has
/// interim code and that is sooner, it is the result, and `better` is what goes on.
Result<Bytes> lowerForLaunch(const Backend &backend, const HetLowerRequest &request,
                             const CodeKeys &keys, std::unique_ptr<BetterCode> *better);

/// The interim code of an earlier run, for a kernel whose code is not in the cache: gives
/// it, and the better code that is to be made.
std::optional<Bytes> takeInterim(const Backend &backend, const HetLowerRequest &request,
                                 const CodeKeys &keys,
                                 std::unique_ptr<BetterCode> *better);

} // namespace het::core

#endif // HET_RUNTIME_CORE_CODE_SLOWLOWERING_H
