// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenCL library without a device: the functions that the SPIR-V device calls, over
// the host's memory. Launches wait in their queue until clFinish. It is strict: a handle
// that is not alive is a misuse.
//
// Its code is text: "broken" is what its compiler refuses; FakeKernels.h has the rest.

#ifndef HET_TEST_TARGET_SPIRV_FAKEOPENCL_H
#define HET_TEST_TARGET_SPIRV_FAKEOPENCL_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// What a test sets, and what it finds out.
struct FakeSettings {
  // What the library is.
  unsigned platformCount = 1, deviceCount = 1;
  std::string languages = "SPIR-V_1.2 SPIR-V_1.3";
  std::string extensions = "cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics "
                           "cl_khr_subgroup_ballot "
                           "cl_khr_subgroup_shuffle "
                           "cl_khr_subgroup_non_uniform_arithmetic";
  std::string driver = "1.0";
  int32_t generic = 1;     ///< addresses; below 0: it is an error to ask
  uint64_t deviceType = 2; ///< a CPU
  std::string uuid;        ///< 16 bytes, for cl_khr_device_uuid
  std::vector<size_t> subgroupSizes = {8, 16, 32};
  uint64_t systemMemory = 1; ///< capabilities
  bool hasPointerArguments = true;
  uint64_t localBytes = 64 << 10;
  bool hasBinaries = true;

  // What is to go wrong: the n-th call since reset (from 1) gives this result.
  int failingCall = 0;
  int32_t result = 0;
  std::function<void()> finishes; ///< called in clFinish

  // What was seen.
  int callCount = 0;
  std::string failed; ///< the function that failed
  std::vector<std::string> calls;
  std::vector<std::string> misuses;
  std::vector<std::string> launches; ///< "CODE items/group local"
};

struct FakeOpenCL : FakeSettings {
  std::map<const void *, std::string> handles; ///< alive, with their kind

  void reset() {
    static_cast<FakeSettings &>(*this) = FakeSettings();
    handles.clear();
  }
  std::vector<std::string> takeCalls() {
    std::vector<std::string> taken;
    taken.swap(calls);
    return taken;
  }
  /// The kinds of what is alive.
  std::string alive() const {
    std::string text;
    for (const auto &[handle, kind] : handles)
      text += (text.empty() ? "" : " ") + kind;
    return text;
  }
};

/// The library's `hetFakeOpenCL`.
using FakeOpenCLEntry = FakeOpenCL *(*)();

#endif // HET_TEST_TARGET_SPIRV_FAKEOPENCL_H
