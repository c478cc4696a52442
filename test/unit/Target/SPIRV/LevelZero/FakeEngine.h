// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What carries out kernels behind the fake's functions: words (FakeEngine.cpp, for unit
// tests), or SPIR-V by an OpenCL device for CPUs (OpenCLEngine.cpp), which makes a
// library that whole programs can run on.

#ifndef HET_TEST_TARGET_SPIRV_LEVELZERO_FAKEENGINE_H
#define HET_TEST_TARGET_SPIRV_LEVELZERO_FAKEENGINE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct FakeWork {
  uint64_t record; ///< address of a HetSpirvLaunch
  size_t localBytes;
  uint32_t groups[3], group[3];
  const void *context;
};

/// A module that was built, with its one kernel.
class FakeProgram {
public:
  virtual ~FakeProgram() = default;
  virtual std::string name() const = 0;
  virtual std::string native() const = 0; ///< the driver's own form; may be empty
  virtual uint32_t maxThreads() const = 0;
  virtual void run(const FakeWork &work) = 0;
};

/// Null where the compiler does not take the code; `log` says why.
std::unique_ptr<FakeProgram> buildProgram(const std::string &code, bool isNative,
                                          std::string &log);

/// Before devices are asked for.
void startEngine();
/// Whether kernels run on the host, so that the device's memory must be the host's.
bool hostReachesDevice();
/// The caller has done what the specification forbids.
void misuse(const std::string &what);

#endif // HET_TEST_TARGET_SPIRV_LEVELZERO_FAKEENGINE_H
