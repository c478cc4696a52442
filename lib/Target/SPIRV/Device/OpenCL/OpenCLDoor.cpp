// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening an OpenCL device, what it is, and its memory.

#include "OpenCLDoor.h"
#include "het/Base/MemoryLimit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace het::spirv {
namespace {

/// The sizes of sub-groups, if what teams need of them is there.
std::vector<size_t> subgroupSizes(const OpenCL &cl, cl_device_id device) {
  size_t sizes[32], bytes = 0;
  if (cl.clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes,
                         &bytes) != CL_SUCCESS)
    return {};
  std::string extensions = cl.text(device, CL_DEVICE_EXTENSIONS);
  for (const char *needed : {"cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle",
                             "cl_khr_subgroup_non_uniform_arithmetic"})
    if (extensions.find(needed) == std::string::npos)
      return {};
  const size_t count = bytes / sizeof(size_t);
  return std::vector<size_t>(sizes, sizes + count);
}

Features featuresOf(const OpenCL &cl, cl_device_id device) {
  const std::string extensions = cl.text(device, CL_DEVICE_EXTENSIONS);
  auto has = [&](const char *name) { return extensions.find(name) != std::string::npos; };
  // Before OpenCL 3.0 there is nothing to ask, and it is always there.
  uint32_t generic = 1;
  if (cl.clGetDeviceInfo(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof(generic),
                         &generic, nullptr) != CL_SUCCESS)
    generic = 1;
  return {has("cl_khr_fp64"), has("cl_khr_fp16"), has("cl_khr_int64_base_atomics"),
          generic != 0, (cl.number(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0};
}

} // namespace

std::unique_ptr<Door> OpenCLDoor::open(const OpenCL &cl, Candidate candidate,
                                       HetStatus *status) {
  std::unique_ptr<OpenCLDoor> door(new OpenCLDoor(cl, candidate));
  door->setPointer.setAddress(cl.clGetExtensionFunctionAddressForPlatform(
      candidate.platform, "clSetKernelArgMemPointerINTEL"));
  if (!door->setPointer) {
    report(status, HET_UNAVAILABLE, "found no clSetKernelArgMemPointerINTEL");
    return nullptr;
  }
  cl_int error = CL_SUCCESS;
  door->context =
      cl.clCreateContext(nullptr, 1, &candidate.device, nullptr, nullptr, &error);
  if (!error)
    return door;
  door->context = nullptr;
  report(status, HET_UNAVAILABLE, "clCreateContext: error " + std::to_string(error));
  return nullptr;
}

OpenCLDoor::~OpenCLDoor() {
  if (context)
    cl.clReleaseContext(context);
}

int32_t OpenCLDoor::readFacts(HetDeviceProperties &out, HetStatus *status) {
  cl_device_id id = candidate.device;
  const std::string name = cl.text(id, CL_DEVICE_NAME);
  std::snprintf(out.name, sizeof(out.name), "%s (OpenCL)", name.c_str());
  std::snprintf(out.arch, sizeof(out.arch), "%s",
                makeArch(chooseSubgroup(subgroupSizes(cl, id)), featuresOf(cl, id),
                         cl.text(id, CL_DRIVER_VERSION),
                         name + cl.text(id, CL_DEVICE_EXTENSIONS))
                    .c_str());
  out.totalMemory = cl.number(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  if (cl.number(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) // the machine's
    out.totalMemory = std::min(out.totalMemory, het::controlGroupLimit());
  out.memoryGranularity = 2u << 20;
  out.processorCount = cl.number(id, CL_DEVICE_MAX_COMPUTE_UNITS);
  out.maxThreadsPerBlock =
      std::min<uint64_t>(UINT32_MAX, cl.number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  std::fill_n(out.maxBlockDim, 3, UINT32_MAX);
  std::fill_n(out.maxGridDim, 3, UINT32_MAX);
  completeFacts(out, cl.number(id, CL_DEVICE_LOCAL_MEM_SIZE));
  out.sharesHostMemory = 1;
  return success(status);
}

std::unique_ptr<Commands> OpenCLDoor::createCommands(HetStatus *status) {
  cl_int error = CL_SUCCESS;
  cl_command_queue queue =
      cl.clCreateCommandQueueWithProperties(context, candidate.device, nullptr, &error);
  if (!error)
    return std::make_unique<OpenCLCommands>(cl, setPointer, queue);
  report(status, HET_UNAVAILABLE,
         "clCreateCommandQueueWithProperties: error " + std::to_string(error));
  return nullptr;
}

} // namespace het::spirv
