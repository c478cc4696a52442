// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device is, as TargetABI.h asks for it.

#include "SPIRVDevice.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace het::spirv {
namespace {

/// How many lanes sub-groups are to have: 32, or the most that divide a team; 0 where
/// the device's sub-groups can not be used. HET_SPIRV_SUBGROUP wants a size for tests.
unsigned subgroupSize(const OpenCL &cl, cl_device_id device) {
  size_t sizes[32], bytes = 0;
  if (cl.clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof(sizes), sizes,
                         &bytes) != CL_SUCCESS)
    return 0;
  std::string extensions = cl.text(device, CL_DEVICE_EXTENSIONS);
  for (const char *needed : {"cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle",
                             "cl_khr_subgroup_non_uniform_arithmetic"})
    if (extensions.find(needed) == std::string::npos)
      return 0;
  const char *wanted = std::getenv("HET_SPIRV_SUBGROUP");
  size_t *end = sizes + bytes / sizeof(size_t);
  for (size_t size : {32, 16, 8})
    if ((!wanted || std::to_string(size) == wanted) && std::find(sizes, end, size) != end)
      return size;
  return 0;
}

/// "spirv1.3;teams32;DRIVER-0123…": what the lowering may use, and what tells
/// drivers and devices apart.
std::string archOf(const OpenCL &cl, cl_device_id device) {
  const char *form = std::getenv("HET_SPIRV_FORM");
  std::string arch = "spirv1.3";
  if (form && std::strcmp(form, "segmented") == 0)
    arch += ";segmented";
  else if (unsigned size = subgroupSize(cl, device))
    arch += ";teams" + std::to_string(size);
  uint64_t hash = 1469598103934665603ull; // FNV-1a
  for (char c : cl.text(device, CL_DEVICE_NAME) + cl.text(device, CL_DEVICE_EXTENSIONS))
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  char text[96];
  std::snprintf(text, sizeof(text), ";%.64s-%016llx",
                cl.text(device, CL_DRIVER_VERSION).c_str(),
                static_cast<unsigned long long>(hash));
  return arch + text;
}

} // namespace

void readFacts(HetDevice &device) {
  const OpenCL &cl = device.cl;
  cl_device_id id = device.candidate.device;
  HetDeviceProperties &out = device.facts;
  std::snprintf(out.name, sizeof(out.name), "%s (OpenCL)",
                cl.text(id, CL_DEVICE_NAME).c_str());
  std::snprintf(out.arch, sizeof(out.arch), "%s", archOf(cl, id).c_str());
  std::snprintf(out.loweringVersion, sizeof(out.loweringVersion), "%s",
                HET_SPIRV_LOWERING_VERSION);
  out.totalMemory = std::max<uint64_t>(1, cl.number(id, CL_DEVICE_GLOBAL_MEM_SIZE));
  out.memoryGranularity = 2u << 20;
  out.processorCount =
      std::max<uint64_t>(1, cl.number(id, CL_DEVICE_MAX_COMPUTE_UNITS));
  out.clockKilohertz = 1000000; // clocks count nanoseconds
  out.maxThreadsPerBlock =
      std::min<uint64_t>(1024, cl.number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  const uint32_t blockDim[] = {1024, 1024, 64}, gridDim[] = {2147483647, 65535, 65535};
  for (int axis = 0; axis < 3; ++axis) {
    out.maxBlockDim[axis] = std::min(blockDim[axis], out.maxThreadsPerBlock);
    out.maxGridDim[axis] = gridDim[axis];
  }
  uint64_t local = cl.number(id, CL_DEVICE_LOCAL_MEM_SIZE);
  local -= std::min<uint64_t>(local, HET_SPIRV_MOST_SCRATCH);
  out.sharedBytesPerBlock = std::min<uint64_t>(local, 48 << 10);
  out.sharedBytesPerBlockOptIn = std::min<uint64_t>(local, 227 << 10);
  out.sharesHostMemory = 1;
  out.reservesWindow = 1;
}

} // namespace het::spirv
