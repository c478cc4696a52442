// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library without a GPU: the functions of libcuda.so.1 that the PTX device
// calls, over the host's memory. Work waits in its stream until somebody waits for it
// (or runAll), so that what is asynchronous in a GPU is so here. It is strict: a handle
// that is not alive and a call without the right context are misuses.
//
// Its code is text: words "kernel NAME", "shared BYTES", "variables COUNT" (the array
// het$variables), "calls FUNCTION" (of the driver's), "broken" (which its compiler
// refuses). Kernels do what their name says:
//   store       *(uint32_t *)argument 0 = argument 1 (arguments: 8, 4 bytes)
//   variable    *(uint64_t *)argument 0 = the first address in het$variables
//   die         ends the context with the CUresult that is its argument (4 bytes)
//   trap        likewise, as a trap does
//   fat         takes more registers than there are
//   park        is parkable: where the flag is set, blocks leave, but for the first ones
//               (startedBlocks), of which the odd ones park with their number in every
//               byte of their state; those that end count themselves in
//               *(uint32_t *)argument 0; those that find another state than their own, or
//               something between its parts, count 1000
//   park$resume the same; of a kernel that is parked inside, for launches of which blocks
//               have begun: park itself counts 1000 more for these
//   none        nothing, and takes no arguments

#ifndef HET_TEST_TARGET_PTX_FAKEDRIVER_H
#define HET_TEST_TARGET_PTX_FAKEDRIVER_H

#include "PTX/Device/DriverTypes.h"
#include "het/DeviceABI/SuspendRecord.h"

#include <map>
#include <set>
#include <string>
#include <vector>

inline bool isPark(const std::string &kernel) {
  return kernel == "park" || kernel == "park" HET_SUSPEND_RESUME;
}

/// The sizes of a kernel's parameters.
inline std::vector<uint32_t> parameterSizes(const std::string &kernel) {
  if (kernel == "store")
    return {8, 4};
  if (kernel == "variable" || isPark(kernel))
    return {8};
  if (kernel == "die")
    return {4};
  return {};
}

/// What a test sets, and what it finds out.
struct FakeSettings {
  // What the driver is.
  int version = 13000;
  int deviceCount = 1;
  int capabilityMajor = 9, capabilityMinor = 0;
  bool placesMemory = true;
  bool peersReach = true;
  bool pinsElsewhere = false;
  uint64_t pollInterval = 0;    ///< of the latest kernel "park"
  int resumedThreads = 1024;    ///< the most that a block of park$resume may have
  uint64_t startedBlocks = 0;   ///< of the next kernel "park" whose flag is set
  bool deadKeepsMemory = false; ///< a dead context's memory can not be unmapped
  size_t memoryBytes = size_t(1) << 30;

  // What is to go wrong: the n-th call from now (from 1) of a function, or of all
  // since reset.
  struct Failure {
    int call;
    CUresult result;
  };
  std::map<std::string, Failure> failures;
  Failure failAny = {0, CUDA_SUCCESS};

  // What was seen.
  int callCount = 0;  ///< since reset
  std::string failed; ///< the function that failAny hit
  std::vector<std::string> misuses;
  std::vector<std::string> compilerOptions;           ///< of the latest compilation
  bool cooperative = false;                           ///< whether the latest launch was
  bool programmatic = false;                          ///< likewise
  std::vector<std::pair<int, int>> programmaticEdges; ///< places of nodes in their graphs
  bool recordsAllocations = false; ///< what a stream records next are nodes that allocate
};

/// How a test talks to the library, between its calls of the plug-in.
class FakeDriver : public FakeSettings {
public:
  virtual ~FakeDriver() = default;

  /// Settings and records as at the start, and nothing alive.
  virtual void reset() = 0;
  /// How many objects live: "2 stream, 1 module"; empty where none does.
  virtual std::string alive() = 0;
  /// Does all work that waits.
  virtual void runAll() = 0;
  /// The calls since the last take, by their symbols.
  virtual std::vector<std::string> takeCalls() = 0;
  /// The GPUs (from 10) that reach a mapping of the window.
  virtual std::set<int> reaching(uint64_t address) = 0;
};

/// Exported by the library as hetFakeDriver.
using FakeDriverEntry = FakeDriver *(*)();

#endif // HET_TEST_TARGET_PTX_FAKEDRIVER_H
