// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPUs of Level Zero's drivers, and which of them can be used.

#include "LevelZeroDoor.h"

#include <algorithm>
#include <cstring>

namespace het::spirv {
namespace {

constexpr uint32_t oldestSPIRV = 1 << 16 | 3;

/// Asks until one answer fails.
class Questions {
public:
  template <class... Parameters, class... Arguments>
  Questions &ask(const char *name,
                 const DriverFunction<ze_result_t(Parameters...)> &function,
                 Arguments... arguments) {
    if (result == ZE_RESULT_SUCCESS && (result = function(arguments...)))
      wrong = std::string(name) + ": " + resultText(result);
    return *this;
  }
  bool failed() const { return result != ZE_RESULT_SUCCESS; }
  std::string wrong;

private:
  ze_result_t result = ZE_RESULT_SUCCESS;
};

/// All of a list that the library gives by its length, then its elements.
template <class Element, class Owner>
std::vector<Element>
askForAll(Questions &questions, const char *name,
          const DriverFunction<ze_result_t(Owner, uint32_t *, Element *)> &function,
          Owner owner) {
  uint32_t count = 0;
  questions.ask(name, function, owner, &count, static_cast<Element *>(nullptr));
  std::vector<Element> elements(questions.failed() ? 0 : count);
  if (!elements.empty())
    questions.ask(name, function, owner, &count, elements.data());
  elements.resize(questions.failed() ? 0 : std::min<size_t>(elements.size(), count));
  return elements;
}

/// Empty where there is a group of queues that takes what is put into queues.
std::string chooseQueueGroup(const LevelZero &ze, LevelZeroGPU &gpu) {
  constexpr uint32_t needed = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                              ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
  constexpr size_t widestPattern = 4;
  Questions questions;
  auto groups = askForAll(questions, "zeDeviceGetCommandQueueGroupProperties",
                          ze.zeDeviceGetCommandQueueGroupProperties, gpu.device);
  if (questions.failed())
    return questions.wrong;
  for (size_t i = 0; i < groups.size(); ++i) {
    if ((groups[i].flags & needed) != needed || groups[i].numQueues == 0 ||
        groups[i].maxMemoryFillPatternSize < widestPattern)
      continue;
    gpu.queueGroup = i;
    return "";
  }
  return "it has no queue for kernels and copies";
}

/// Empty where the device can run what the lowering makes; fills in what it is.
std::string whyNot(const LevelZero &ze, LevelZeroGPU &gpu) {
  Questions questions;
  questions.ask("zeDeviceGetProperties", ze.zeDeviceGetProperties, gpu.device,
                &gpu.properties);
  const std::string what = std::string(gpu.properties.name) + ": ";
  questions
      .ask("zeDeviceGetComputeProperties", ze.zeDeviceGetComputeProperties, gpu.device,
           &gpu.compute)
      .ask("zeDeviceGetModuleProperties", ze.zeDeviceGetModuleProperties, gpu.device,
           &gpu.module)
      .ask("zeDeviceGetMemoryAccessProperties", ze.zeDeviceGetMemoryAccessProperties,
           gpu.device, &gpu.access);
  if (questions.failed())
    return what + questions.wrong;
  if (gpu.properties.type != ZE_DEVICE_TYPE_GPU)
    return what + "it is no GPU; OpenCL leads to other devices";
  if (gpu.module.spirvVersionSupported < oldestSPIRV)
    return what + "it takes no SPIR-V 1.3";
  if (!LevelZeroDoor::hasCommonMemory(gpu.access))
    return what + "it has no memory that the host and its kernels' atomics reach";
  std::string wrong = chooseQueueGroup(ze, gpu);
  return wrong.empty() ? "" : what + wrong;
}

Offer makeOffer(const LevelZero &ze, const LevelZeroGPU &gpu) {
  Offer::Identity identity;
  std::copy_n(gpu.properties.uuid, identity.size(), identity.begin());
  return {gpu.properties.name, true, identity,
          [&ze, gpu](HetStatus *status) { return LevelZeroDoor::open(ze, gpu, status); }};
}

void findInDriver(const LevelZero &ze, ze_driver_handle_t driver, Offers &offers) {
  Questions questions;
  ze_driver_properties_t properties;
  questions.ask("zeDriverGetProperties", ze.zeDriverGetProperties, driver, &properties);
  auto devices = askForAll(questions, "zeDeviceGet", ze.zeDeviceGet, driver);
  if (questions.failed())
    offers.reason = questions.wrong;
  for (ze_device_handle_t device : devices) {
    LevelZeroGPU gpu;
    gpu.driver = driver;
    gpu.device = device;
    gpu.driverVersion = properties.driverVersion;
    if (std::string why = whyNot(ze, gpu); !why.empty())
      offers.reason = why;
    else
      offers.devices.push_back(makeOffer(ze, gpu));
  }
}

} // namespace

/// zeInit may be called as often as one likes.
void findOffers(const LevelZero &ze, Offers &offers) {
  offers.reason = "Level Zero has no GPU";
  Questions questions;
  questions.ask("zeInit", ze.zeInit, ZE_INIT_FLAG_GPU_ONLY);
  uint32_t count = 0;
  std::vector<ze_driver_handle_t> drivers;
  questions.ask("zeDriverGet", ze.zeDriverGet, &count,
                static_cast<ze_driver_handle_t *>(nullptr));
  if (!questions.failed() && count) {
    drivers.resize(count);
    questions.ask("zeDriverGet", ze.zeDriverGet, &count, drivers.data());
  }
  if (questions.failed()) {
    offers.reason = questions.wrong;
    return;
  }
  for (ze_driver_handle_t driver : drivers)
    findInDriver(ze, driver, offers);
}

} // namespace het::spirv
