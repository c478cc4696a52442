// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The door through OpenCL, to devices whose kernels reach the process's memory.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H
#define HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H

#include "../ProcessMemory.h"
#include "OpenCL.h"

#include <mutex>

namespace het::spirv {

class OpenCLDoor : public ProcessMemoryDoor {
public:
  /// Null with a status where the device can not be opened.
  static std::unique_ptr<Door> open(const OpenCL &cl, Candidate candidate,
                                    HetStatus *status);
  ~OpenCLDoor() override;

  int32_t readFacts(HetDeviceProperties &out, HetStatus *status) override;
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

class OpenCLCommands : public ProcessMemoryCommands {
public:
  OpenCLCommands(const OpenCL &cl, const SetPointerArgument &setPointer,
                 cl_command_queue queue)
      : cl(cl), setPointer(setPointer), queue(queue) {}
  ~OpenCLCommands() override;

  std::string run(Code &code, const void *record, size_t sharedBytes,
                  const Items &items) override;

private:
  const OpenCL &cl;
  const SetPointerArgument &setPointer; ///< The door's.
  const cl_command_queue queue;
};

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCLDOOR_H
