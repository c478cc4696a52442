// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening the OpenCL library and finding its devices.

#include "../../../Support/OpenOnce.h"
#include "OpenCLDoor.h"
#include "het/Base/Environment.h"

#include <cstring>
#include <dlfcn.h>
#include <memory>

namespace het::spirv {

std::string OpenCL::text(cl_device_id device, cl_uint what) const {
  size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return "";
  std::string text(size, '\0');
  if (clGetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS)
    return "";
  text.resize(std::strlen(text.c_str()));
  return text;
}

uint64_t OpenCL::number(cl_device_id device, cl_uint what) const {
  uint64_t value = 0; // smaller answers leave the rest as it is
  size_t size = 0;
  clGetDeviceInfo(device, what, 0, nullptr, &size);
  if (size > sizeof(value) || clGetDeviceInfo(device, what, size, &value, nullptr))
    return 0;
  return value;
}

namespace {

/// Null with a status where the library can not be used.
std::unique_ptr<OpenCL> load(HetStatus *status) {
  const std::string file = environment::textOrDefault(Variable::OpenCLLibrary);
  void *library = openDriver(file.c_str());
  if (!library) {
    report(status, HET_UNAVAILABLE,
           file + ": not found (" + dlerror() +
               "); install an OpenCL loader and a driver, or name a library in "
               "HET_OPENCL_LIBRARY");
    return nullptr;
  }
  auto cl = std::make_unique<OpenCL>();
  const char *missing = nullptr;
#define OPENCL_FUNCTION(result, name, parameters)                                        \
  cl->name.setAddress(dlsym(library, #name));                                            \
  if (!cl->name)                                                                         \
    missing = #name;
#include "OpenCLFunctions.def"
  if (!missing)
    return cl;
  report(status, HET_UNAVAILABLE,
         file + ": found no " + missing + ", expected OpenCL 2.1 or later");
  dlclose(library);
  return nullptr;
}

/// Empty where the device can run what the lowering makes.
std::string whyNot(const OpenCL &cl, cl_device_id device) {
  std::string name = cl.text(device, CL_DEVICE_NAME);
  if (cl.text(device, CL_DEVICE_IL_VERSION).find("SPIR-V_1.3") == std::string::npos)
    return name + ": it takes no SPIR-V 1.3";
  if (!(cl.number(device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL) &
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL))
    return name + ": its kernels do not reach the process's memory (system USM)";
  return "";
}

std::optional<Offer::Identity> identityOf(const OpenCL &cl, cl_device_id device) {
  Offer::Identity identity;
  if (cl.text(device, CL_DEVICE_EXTENSIONS).find("cl_khr_device_uuid") ==
          std::string::npos ||
      cl.clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, identity.size(), identity.data(),
                         nullptr) != CL_SUCCESS)
    return std::nullopt;
  return identity;
}

Offer makeOffer(const OpenCL &cl, Candidate candidate) {
  cl_device_id device = candidate.device;
  return {cl.text(device, CL_DEVICE_NAME),
          (cl.number(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0,
          identityOf(cl, device), [&cl, candidate](HetStatus *status) {
            return OpenCLDoor::open(cl, candidate, status);
          }};
}

} // namespace

const OpenCL *OpenCL::open(HetStatus *status) {
  return target::openOnce<OpenCL>(status, load);
}

void findOffers(const OpenCL &cl, Offers &offers) {
  offers.reason = "OpenCL has no platform; install a driver (an .icd file in "
                  "/etc/OpenCL/vendors or OCL_ICD_VENDORS)";
  cl_uint count = 0;
  if (cl.clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0)
    return;
  std::vector<cl_platform_id> platforms(count);
  if (cl_int error = cl.clGetPlatformIDs(count, platforms.data(), nullptr)) {
    offers.reason = "clGetPlatformIDs: error " + std::to_string(error);
    return;
  }
  offers.reason = "OpenCL has no device";
  for (cl_platform_id platform : platforms) {
    if (cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) !=
            CL_SUCCESS ||
        count == 0)
      continue;
    std::vector<cl_device_id> devices(count);
    if (cl_int error = cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count,
                                         devices.data(), nullptr)) {
      offers.reason = "clGetDeviceIDs: error " + std::to_string(error);
      continue;
    }
    for (cl_device_id device : devices) {
      if (std::string why = whyNot(cl, device); !why.empty())
        offers.reason = why;
      else
        offers.devices.push_back(makeOffer(cl, {platform, device}));
    }
  }
}

} // namespace het::spirv
