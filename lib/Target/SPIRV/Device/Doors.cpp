// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All devices of all doors, each once: Level Zero's first, then those of OpenCL that it
// does not have; or Vulkan's.

#include "LevelZero/LevelZero.h"
#include "OpenCL/OpenCL.h"
#include "Vulkan/VulkanLibrary.h"
#include "het/Base/Environment.h"

#include <algorithm>

namespace het::spirv {
namespace {

int32_t checkEnvironment(HetStatus *status) {
  for (Variable variable : {Variable::SpirvDoor, Variable::SpirvFp64, Variable::SpirvForm,
                            Variable::SpirvLacks, Variable::SpirvSubgroup})
    if (Result<size_t> choice = environment::choice(variable, 0); !choice.ok())
      return report(status, HET_INVALID, choice.status().text());
  return success(status);
}

/// Vulkan's devices; none with a status. They are asked for on request alone.
Offers findVulkanOffers(HetStatus *status) {
  Offers offers;
  const Vulkan *vulkan = Vulkan::open(status);
  if (!vulkan)
    return offers;
  findOffers(*vulkan, offers);
  if (offers.devices.empty())
    report(status, HET_UNAVAILABLE, offers.reason);
  else
    success(status);
  return offers;
}

/// Asks a library for its candidates. False with a status where the user has named a
/// library that can not be used; one that is merely not installed has none.
template <class Library>
bool ask(const char *door, Variable variable, Offers &offers, HetStatus *status) {
  if (environment::text(Variable::SpirvDoor).value_or(door) != door)
    return true;
  if (const Library *library = Library::open(status)) {
    findOffers(*library, offers);
    return true;
  }
  offers.reason = status->message;
  return !environment::text(variable);
}

bool isSame(const Offer &one, const Offer &other) {
  if (one.identity && other.identity)
    return *one.identity == *other.identity;
  // A driver that tells no UUID: both doors use the GPU's name.
  return one.isGPU && other.isGPU && one.name == other.name;
}

} // namespace

Offers findOffers(HetStatus *status) {
  Offers levelZero, openCL;
  if (checkEnvironment(status))
    return {};
  if (environment::textOrDefault(Variable::SpirvDoor) == "vulkan")
    return findVulkanOffers(status);
  if (!ask<LevelZero>("levelzero", Variable::LevelZeroLibrary, levelZero, status) ||
      !ask<OpenCL>("opencl", Variable::OpenCLLibrary, openCL, status))
    return {};
  Offers all = levelZero;
  for (const Offer &offer : openCL.devices)
    if (std::none_of(levelZero.devices.begin(), levelZero.devices.end(),
                     [&](const Offer &other) { return isSame(offer, other); }))
      all.devices.push_back(offer);
  if (!all.devices.empty()) {
    success(status);
    return all;
  }
  std::string reason = std::move(openCL.reason);
  if (!all.reason.empty())
    reason += (reason.empty() ? "" : "; ") + all.reason;
  report(status, HET_UNAVAILABLE, reason);
  return {};
}

} // namespace het::spirv
