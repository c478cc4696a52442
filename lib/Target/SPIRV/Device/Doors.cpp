// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All devices of all doors, each once: Level Zero's first, then those of OpenCL that it
// does not have.

#include "LevelZero/LevelZero.h"
#include "OpenCL/OpenCL.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace het::spirv {
namespace {

int32_t checkChoice(const char *name, std::initializer_list<const char *> choices,
                    HetStatus *status) {
  const char *value = secure_getenv(name);
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

constexpr const char *doorVariable = "HET_SPIRV_DOOR";

/// HET_SPIRV_DOOR: the only door to look behind. HET_SPIRV_FP64: "emulate" has kernels
/// that compute with 64-bit floating point run on a device without it. For tests,
/// HET_SPIRV_FORM: "segmented" makes every kernel take that form; HET_SPIRV_SUBGROUP: how
/// many lanes sub-groups have; HET_SPIRV_LACKS: "fp64" leaves it unused.
int32_t checkEnvironment(HetStatus *status) {
  if (checkChoice(doorVariable, {"levelzero", "opencl"}, status) ||
      checkChoice("HET_SPIRV_FP64", {"refuse", "emulate"}, status) ||
      checkChoice("HET_SPIRV_FORM", {"fastest", "segmented"}, status) ||
      checkChoice("HET_SPIRV_LACKS", {"fp64"}, status))
    return status->code;
  return checkChoice("HET_SPIRV_SUBGROUP", {"32", "16", "8"}, status);
}

/// What the library offers. False with a status where the user has named a library that
/// can not be used; one that is merely not installed offers nothing.
template <class Library>
bool ask(const char *door, const char *variable, Offers &offers, HetStatus *status) {
  if (const char *only = secure_getenv(doorVariable);
      only && std::strcmp(only, door) != 0)
    return true;
  if (const Library *library = Library::open(status)) {
    findOffers(*library, offers);
    return true;
  }
  offers.reason = status->message;
  const char *named = secure_getenv(variable);
  return !named || !*named;
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
  if (checkEnvironment(status) ||
      !ask<LevelZero>("levelzero", "HET_LEVEL_ZERO_LIBRARY", levelZero, status) ||
      !ask<OpenCL>("opencl", "HET_OPENCL_LIBRARY", openCL, status))
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
