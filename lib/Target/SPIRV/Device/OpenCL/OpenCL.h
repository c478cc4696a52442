// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of OpenCL that the device uses, as the specification has it (The OpenCL
// Specification 3.0, Khronos; cl_intel_unified_shared_memory), and the library as a
// table of functions, opened at run time.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCL_H
#define HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCL_H

#include "../Door.h"
#include "../DriverFunction.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace het::spirv {

using cl_int = int32_t;
using cl_uint = uint32_t;
using cl_bitfield = uint64_t;
using cl_platform_id = struct ClPlatform *;
using cl_device_id = struct ClDevice *;
using cl_context = struct ClContext *;
using cl_command_queue = struct ClQueue *;
using cl_program = struct ClProgram *;
using cl_kernel = struct ClKernel *;
using cl_event = struct ClEvent *;

inline constexpr cl_int CL_SUCCESS = 0, CL_DEVICE_NOT_FOUND = -1,
                        CL_OUT_OF_RESOURCES = -5, CL_OUT_OF_HOST_MEMORY = -6;
inline constexpr cl_bitfield CL_DEVICE_TYPE_ALL = 0xFFFFFFFF, CL_DEVICE_TYPE_CPU = 2,
                             CL_DEVICE_TYPE_GPU = 4;

/// Parameters of clGetDeviceInfo.
enum : cl_uint {
  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
  CL_DEVICE_NAME = 0x102B,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_EXTENSIONS = 0x1030,
  CL_DEVICE_IL_VERSION = 0x105B,
  CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT = 0x1069,
  CL_DEVICE_UUID_KHR = 0x106A, // cl_khr_device_uuid
  CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
  CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL = 0x4194,
  CL_PROGRAM_BINARY_SIZES = 0x1165,
  CL_PROGRAM_BINARIES = 0x1166,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
  CL_KERNEL_PRIVATE_MEM_SIZE = 0x11B4,
};
/// In the capabilities: kernels reach all memory of the process, and atomically.
inline constexpr cl_bitfield CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL = 1;

struct OpenCL {
#define OPENCL_FUNCTION(result, name, parameters) DriverFunction<result parameters> name;
#include "OpenCLFunctions.def"

  /// The process's library, opened by the first call that succeeds; null with a status
  /// that says what is missing. HET_OPENCL_LIBRARY names another file than
  /// libOpenCL.so.1.
  static const OpenCL *open(HetStatus *status);

  std::string text(cl_device_id device, cl_uint what) const;
  uint64_t number(cl_device_id device, cl_uint what) const;
};

/// A device that can run what the lowering makes.
struct Candidate {
  cl_platform_id platform;
  cl_device_id device;
};

/// clSetKernelArgMemPointerINTEL: an argument that points to memory of the process.
using SetPointerArgument = DriverFunction<cl_int(cl_kernel, cl_uint, const void *)>;

/// The devices of all platforms. `offers.reason` says why one or all are left out.
void findOffers(const OpenCL &cl, Offers &offers);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_OPENCL_OPENCL_H
