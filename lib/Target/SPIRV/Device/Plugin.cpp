// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device plug-in: TargetABI.h's table.

#include "SPIRVDevice.h"
#include "het/Base/Log.h"

#include <cstdlib>
#include <cstring>

using namespace het::spirv;

namespace {

int32_t checkChoice(const char *name, std::initializer_list<const char *> choices,
                    HetStatus *status) {
  const char *value = std::getenv(name);
  std::string expected;
  for (const char *choice : choices) {
    if (!value || std::strcmp(value, choice) == 0)
      return success(status);
    expected += (expected.empty() ? "" : ", ") + std::string(choice);
  }
  return report(status, HET_INVALID,
                std::string(name) + ": found '" + value + "', expected one of " +
                    expected);
}

/// For tests. HET_SPIRV_FORM: "segmented" makes every kernel take that form.
/// HET_SPIRV_SUBGROUP: how many lanes sub-groups have.
int32_t checkEnvironment(HetStatus *status) {
  if (checkChoice("HET_SPIRV_FORM", {"fastest", "segmented"}, status))
    return status->code;
  return checkChoice("HET_SPIRV_SUBGROUP", {"32", "16", "8"}, status);
}

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  static_cast<void>(het::setUpLog("het")); // the runtime reports a bad value
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
