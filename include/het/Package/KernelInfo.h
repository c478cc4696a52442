// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The package's description of each kernel and variable: everything the runtime needs to
// know before (or without) reading the hetIR itself.

#ifndef HET_PACKAGE_KERNELINFO_H
#define HET_PACKAGE_KERNELINFO_H

#include "het/Base/Bytes.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace het {

/// One parameter in the packed argument buffer (C layout, natural alignment).
struct Parameter {
  uint32_t offset = 0;
  uint32_t size = 0;
  uint32_t alignment = 1;
};

/// Why a safe point stands where it stands.
enum class SafePointReason : uint8_t { Entry = 0, Barrier = 1, Loop = 2 };

/// A place where a kernel can be suspended, and how many slots are live there.
struct SafePoint {
  uint32_t id = 0;
  SafePointReason reason = SafePointReason::Entry;
  uint32_t slots = 0;
  std::string location; ///< file:line:column, or empty.
};

/// How far a slot's value is the same: one copy for each of these.
enum class SlotLevel : uint8_t { Grid = 0, Block = 1, Team = 2, Lane = 3 };

/// One slot of the kernel frame.
struct Slot {
  uint32_t id = 0;
  uint32_t size = 0;
  uint32_t alignment = 1;
  SlotLevel level = SlotLevel::Lane;
};

/// The architecture of what says none.
constexpr uint32_t defaultArchitecture = 90;
/// Among a kernel's capabilities: code of it is about clusters; the source says the size
/// of its clusters, in blocks, "x,y,z".
inline constexpr std::string_view clusterCapability = "clusters";
inline constexpr std::string_view clusterSizeCapability = "cluster=";

/// One kernel.
struct KernelInfo {
  std::string name;        ///< As the host registers it (mangled).
  std::string displayName; ///< As the user wrote it (demangled).
  std::vector<Parameter> parameters;
  uint64_t staticSharedBytes = 0;
  bool dynamicShared = false;
  uint32_t maxThreadsPerBlock = 0; ///< 0: no bound was given.
  uint32_t minBlocksPerMultiprocessor = 0;
  std::vector<std::string> capabilities; ///< A device must have them.
  std::vector<SafePoint> safePoints;
  std::vector<Slot> slots;
  uint32_t localBytes = 0; ///< Local-memory frame of one thread.
  bool cooperative = false;
  /// The section of its hetIR. Set by the reader; the writer ignores it.
  uint32_t section = 0;
  /// Indices into the package's variables, in the order of the kernel's
  /// variable table.
  std::vector<uint32_t> variables;
  std::string unparkable; ///< Why it cannot be suspended; empty: it can.
  /// The architecture of NVIDIA that its source was compiled for, __CUDA_ARCH__ / 10.
  /// 1 to 65535.
  uint32_t architecture = defaultArchitecture;

  /// Whether code of it is about clusters.
  bool usesClusters() const;
  /// The size of its clusters that the source says: 0 in all dimensions where each launch
  /// must say one.
  std::optional<std::array<uint32_t, 3>> clusterSize() const;
};

/// A pointer to a variable inside the initial value of another: the 8 bytes at
/// `offset` become the address of `variable` plus `addend`.
struct Relocation {
  uint64_t offset = 0;
  uint32_t variable = 0;
  int64_t addend = 0;
};

/// Heap: the device's, for malloc in kernels (het/DeviceABI/Heap.h). Launches: where
/// kernels leave what they launch (het/DeviceABI/DeviceLaunches.h). A device has one of
/// each for all packages.
enum class VariableKind : uint8_t {
  Global = 0,
  Constant = 1,
  Managed = 2,
  Heap = 3,
  Launches = 4
};

/// One variable in device memory.
struct VariableInfo {
  std::string name;
  uint64_t size = 0;
  uint32_t alignment = 1;
  VariableKind kind = VariableKind::Global;
  Bytes initial;                       ///< Empty: all zero. Else exactly `size` bytes.
  std::vector<Relocation> relocations; ///< Only with an initial value.
  bool external = false;               ///< The host knows it by its name.
};

/// The number that stands for a kernel in device code. It is made of its name.
uint64_t kernelNumber(std::string_view name);

/// The words that `hetpkg show` and messages use.
const char *reasonName(SafePointReason reason);
const char *levelName(SlotLevel level);
const char *kindName(VariableKind kind);

} // namespace het

#endif // HET_PACKAGE_KERNELINFO_H
