// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device plug-in: TargetABI.h's table.

#include "SPIRVDevice.h"

#include <cstdlib>
#include <cstring>

using namespace het::spirv;

namespace {

/// HET_SPIRV_FORM: "segmented" makes every kernel take that form (for tests).
int32_t checkEnvironment(HetStatus *status) {
  const char *form = std::getenv("HET_SPIRV_FORM");
  if (!form || std::strcmp(form, "fastest") == 0 || std::strcmp(form, "segmented") == 0)
    return success(status);
  return report(status, HET_INVALID,
                "HET_SPIRV_FORM: found '" + std::string(form) +
                    "', expected fastest or segmented");
}

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  if (checkEnvironment(status))
    return status->code;
  const OpenCL *cl = OpenCL::open(status);
  if (!cl)
    return status->code;
  std::string reason;
  *count = findDevices(*cl, reason).size();
  return *count ? success(status) : report(status, HET_UNAVAILABLE, reason);
}

int32_t open(uint32_t ordinal, HetDevice **out, HetStatus *status) {
  const OpenCL *cl = OpenCL::open(status);
  if (!cl)
    return status->code;
  std::string reason;
  std::vector<Candidate> devices = findDevices(*cl, reason);
  if (ordinal >= devices.size())
    return report(status, HET_UNAVAILABLE,
                  "spirv:" + std::to_string(ordinal) + ": found " +
                      std::to_string(devices.size()) + " devices");
  auto device = std::make_unique<HetDevice>(*cl);
  device->candidate = devices[ordinal];
  device->setPointer =
      reinterpret_cast<SetPointerArgument>(cl->clGetExtensionFunctionAddressForPlatform(
          device->candidate.platform, "clSetKernelArgMemPointerINTEL"));
  if (!device->setPointer)
    return report(status, HET_UNAVAILABLE, "found no clSetKernelArgMemPointerINTEL");
  cl_int error = CL_SUCCESS;
  device->context = cl->clCreateContext(nullptr, 1, &device->candidate.device, nullptr,
                                        nullptr, &error);
  if (error)
    return report(status, HET_UNAVAILABLE,
                  "clCreateContext: error " + std::to_string(error));
  readFacts(*device);
  *out = device.release();
  return success(status);
}

void close(HetDevice *device) { delete device; }

int32_t properties(HetDevice *device, HetDeviceProperties *out, HetStatus *status) {
  *out = device->facts;
  return success(status);
}

int32_t fault(HetDevice *device, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device->mutex);
  if (status)
    report(status, device->faultKind ? HET_UNAVAILABLE : HET_OK, device->faultMessage);
  return device->faultKind;
}

HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "spirv";
  // The devices known so far are CPUs, whose better target is the host.
  table.role = HET_ROLE_ON_REQUEST;
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  fillInMemory(table);
  fillInQueues(table);
  fillInArtifacts(table);
  return table;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetDeviceABI *
hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}
