// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and kernels of OpenCL, and their work-items.

#include "../../SPIRVArtifact.h"
#include "OpenCLDoor.h"

#include <cstring>

namespace het::spirv {

std::string OpenCLDoor::buildLog(cl_program program) {
  size_t size = 0;
  if (cl.clGetProgramBuildInfo(program, candidate.device, CL_PROGRAM_BUILD_LOG, 0,
                               nullptr, &size) != CL_SUCCESS)
    return "";
  std::string log(size, '\0');
  cl.clGetProgramBuildInfo(program, candidate.device, CL_PROGRAM_BUILD_LOG, size,
                           log.data(), nullptr);
  log.resize(std::strlen(log.c_str()));
  return log;
}

/// Without memory it is no fault of the code.
static int32_t codeOf(cl_int error, int32_t otherwise) {
  return error == CL_OUT_OF_RESOURCES || error == CL_OUT_OF_HOST_MEMORY ? HET_UNAVAILABLE
                                                                        : otherwise;
}

/// Null with a status.
cl_program OpenCLDoor::build(const Source &source, HetStatus *status) {
  const std::string what = "kernel '" + source.name + "': ";
  cl_int error = CL_SUCCESS;
  cl_program program = nullptr;
  const uint8_t *code = source.code;
  if (source.isProgram)
    program = cl.clCreateProgramWithBinary(context, 1, &candidate.device, &source.size,
                                           &code, nullptr, &error);
  else
    program = cl.clCreateProgramWithIL(context, code, source.size, &error);
  if (error) {
    report(status, codeOf(error, HET_INVALID),
           what + "the driver does not take its code (error " + std::to_string(error) +
               ")");
    return nullptr;
  }
  error = cl.clBuildProgram(program, 1, &candidate.device, "", nullptr, nullptr);
  if (error == CL_SUCCESS)
    return program;
  report(status, codeOf(error, HET_UNSUPPORTED),
         what + "the driver does not compile it (error " + std::to_string(error) +
             "): " + buildLog(program));
  cl.clReleaseProgram(program);
  return nullptr;
}

int32_t OpenCLDoor::compile(const Source &module, std::vector<uint8_t> &out,
                            HetStatus *status) {
  cl_program program = build(module, status);
  if (!program)
    return status->code;
  size_t bytes = 0;
  cl.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr);
  out.resize(bytes);
  uint8_t *place = out.data();
  if (bytes && cl.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(place), &place,
                                   nullptr) != CL_SUCCESS)
    out.clear();
  cl.clReleaseProgram(program);
  return success(status);
}

std::unique_ptr<Code> OpenCLDoor::load(const Source &source, HetStatus *status) {
  auto code = std::make_unique<OpenCLCode>(cl);
  code->isSegmented = source.isSegmented;
  code->program = build(source, status);
  if (!code->program)
    return nullptr;
  cl_int error = CL_SUCCESS;
  code->kernel = cl.clCreateKernel(code->program, HET_SPIRV_ENTRY, &error);
  if (error) {
    code->kernel = nullptr;
    report(status, codeOf(error, HET_INVALID),
           "kernel '" + source.name + "': not in its code (error " +
               std::to_string(error) + ")");
    return nullptr;
  }
  auto ask = [&](cl_uint what, uint64_t &value) {
    cl.clGetKernelWorkGroupInfo(code->kernel, candidate.device, what, sizeof(value),
                                &value, nullptr);
  };
  ask(CL_KERNEL_WORK_GROUP_SIZE, code->maxThreads);
  ask(CL_KERNEL_PRIVATE_MEM_SIZE, code->localBytes);
  success(status);
  return code;
}

OpenCLCode::~OpenCLCode() {
  if (kernel)
    cl.clReleaseKernel(kernel);
  if (program)
    cl.clReleaseProgram(program);
}

OpenCLCommands::~OpenCLCommands() { cl.clReleaseCommandQueue(queue); }

std::string OpenCLCommands::run(Code &anyCode, const void *record, size_t sharedBytes,
                                const Items &items) {
  auto &code = static_cast<OpenCLCode &>(anyCode);
  size_t all[3], group[3];
  for (int axis = 0; axis < 3; ++axis) {
    group[axis] = items.group[axis];
    all[axis] = items.groups[axis] * group[axis];
  }
  cl_int error = CL_SUCCESS;
  {
    std::lock_guard<std::mutex> lock(code.mutex);
    error = setPointer(code.kernel, 0, record);
    if (!error && !code.isSegmented)
      error = cl.clSetKernelArg(code.kernel, 1, sharedBytes, nullptr);
    if (!error)
      error = cl.clEnqueueNDRangeKernel(queue, code.kernel, 3, nullptr, all, group, 0,
                                        nullptr, nullptr);
  }
  if (!error)
    error = cl.clFinish(queue);
  return error ? "OpenCL's error " + std::to_string(error) : "";
}

} // namespace het::spirv
