// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target: its two plug-ins, found on disk (docs/spec/target-abi.md).

#ifndef HET_RUNTIME_CORE_TARGET_H
#define HET_RUNTIME_CORE_TARGET_H

#include "core/code/LoweringProcess.h"
#include "het/Base/Bytes.h"
#include "het/Base/Status.h"
#include "het/Target/TargetABI.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace het::core {

/// The status that a target's function filled in, as ours.
Status toStatus(const HetStatus &status, const std::string &origin);

class Target {
public:
  /// Opens `het-<name>-device.so` in HET_TARGET_PATH or in `folder`.
  static Result<std::shared_ptr<Target>> open(const std::string &name,
                                              const std::string &folder);

  /// Opens `het-<name>-lowering.so` alone: there is no abi().
  static Result<std::shared_ptr<Target>> openForLowering(const std::string &name,
                                                         const std::string &folder);

  /// The names of all targets that are installed there, sorted; none is opened.
  static std::vector<std::string> installed(const std::string &folder);

  const std::string &name() const { return targetName; }
  const HetDeviceABI &abi() const { return *deviceABI; }

  /// Identity of this build of the lowering and of the device library in a cache key: the
  /// one's build ID and a digest of the other, so that neither is opened. As found by the
  /// first call: a plug-in that is opened stays the one it was.
  const std::string &loweringIdentity(const std::string &devicelibPath);

  /// HET_LOWERING_PROCESS: whether kernels are lowered in a process of their own; or what
  /// is wrong with it.
  static Result<bool> readLoweringProcess();

  /// Opens the lowering plug-in where kernels are lowered in this process, if that is not
  /// done.
  Status openLowering();

  /// Lowers a kernel, in another process unless HET_LOWERING_PROCESS is 0.
  Result<Bytes> lower(const HetLowerRequest &request);

  /// Begins to lower it in another process; nothing where kernels are lowered in this
  /// one.
  std::optional<Result<OngoingLowering>> beginLowering(const HetLowerRequest &request);

  /// Whether the lowering plug-in is installed.
  bool canLower() const;
  /// Where it was looked for.
  const std::string &loweringPlugin() const { return loweringPath; }

  /// As HetLoweringABI's functions of these names, in another process likewise.
  Result<NamedArch> findArch(const std::string &name);
  Result<Bytes> extractCode(ByteView artifact);

  /// How it lowers that kernel; with an empty form where the target has one way.
  Result<HetExplanation> explain(const HetLowerRequest &request);

private:
  /// `place`: the plug-ins' folder, `folder`: the runtime's.
  void setLowering(const std::string &place, const std::string &folder);

  std::string targetName, loweringPath, workerPath;
  bool isLoweredElsewhere = true;
  const HetDeviceABI *deviceABI = nullptr;
  std::once_flag identified;
  std::string identity;
  std::mutex mutex;
  const HetLoweringABI *loweringABI = nullptr;
};

} // namespace het::core

#endif // HET_RUNTIME_CORE_TARGET_H
