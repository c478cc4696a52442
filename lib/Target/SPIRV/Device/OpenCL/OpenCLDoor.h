// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The door through OpenCL. Kernels reach all memory of the process at the process's
// addresses, so device memory is the process's own, and copies are the host's.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H
#define HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H

#include "../Door.h"
#include "OpenCL.h"

#include <mutex>

namespace het::spirv {

class OpenCLDoor : public Door {
public:
  /// Null with a status where the device can not be opened.
  static std::unique_ptr<Door> open(const OpenCL &cl, Candidate candidate,
                                    HetStatus *status);
  ~OpenCLDoor() override;

  int32_t readFacts(HetDeviceProperties &out, HetStatus *status) override;
  uint8_t *allocate(size_t bytes, size_t alignment, Place place) override;
  void release(uint8_t *memory) override;
  int32_t mapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  int32_t unmapMemory(uint64_t address, uint64_t size, HetStatus *status) override;
  std::unique_ptr<Commands> createCommands(HetStatus *status) override;
  std::unique_ptr<Code> load(const Source &source, HetStatus *status) override;
  int32_t compile(const Source &module, std::vector<uint8_t> &program,
                  HetStatus *status) override;

private:
  OpenCLDoor(const OpenCL &cl, Candidate candidate) : cl(cl), candidate(candidate) {}
  cl_program build(const Source &source, HetStatus *status);
  std::string buildLog(cl_program program);

  const OpenCL &cl;
  const Candidate candidate;
  cl_context context = nullptr;
  SetPointerArgument setPointer;
};

class OpenCLCode : public Code {
public:
  explicit OpenCLCode(const OpenCL &cl) : cl(cl) {}
  ~OpenCLCode() override;

  const OpenCL &cl;
  cl_program program = nullptr;
  cl_kernel kernel = nullptr;
  bool isSegmented = false;
  std::mutex mutex; ///< arguments are set and the kernel enqueued under it
};

class OpenCLCommands : public Commands {
public:
  OpenCLCommands(const OpenCL &cl, const SetPointerArgument &setPointer,
                 cl_command_queue queue)
      : cl(cl), setPointer(setPointer), queue(queue) {}
  ~OpenCLCommands() override;

  std::string run(Code &code, const void *record, size_t sharedBytes,
                  const Items &items) override;
  std::string copy(uint64_t to, uint64_t from, size_t size) override;
  std::string fill(uint64_t to, uint32_t pattern, uint32_t patternBytes,
                   size_t size) override;

private:
  const OpenCL &cl;
  const SetPointerArgument &setPointer; ///< The door's.
  const cl_command_queue queue;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H
