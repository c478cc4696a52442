// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a GPU, and reads results.

#include "LevelZeroContext.h"

#include <algorithm>

namespace het::spirv {

static constexpr uint64_t usualGranularity = 2u << 20;

int32_t LevelZeroContext::open(HetStatus *status) {
  const std::string what = std::string(gpu.properties.name) + ": ";
  ze_context_desc_t desc;
  if (ze_result_t result = ze.zeContextCreate(gpu.driver, &desc, &handle)) {
    handle = nullptr;
    return check(result, HET_UNAVAILABLE, what + "zeContextCreate", status);
  }
  size_t page = 0;
  if (ze_result_t result =
          ze.zeVirtualMemQueryPageSize(handle, gpu.device, usualGranularity, &page))
    return check(result, HET_UNAVAILABLE, what + "zeVirtualMemQueryPageSize", status);
  if (page == 0 || (page & (page - 1)))
    return report(status, HET_UNAVAILABLE,
                  what + "found pages of " + std::to_string(page) +
                      " bytes, expected a power of two");
  granularity = std::max<uint64_t>(page, usualGranularity);
  return success(status);
}

LevelZeroContext::~LevelZeroContext() {
  if (handle)
    ze.zeContextDestroy(handle);
}

bool LevelZeroContext::failed(ze_result_t result) {
  if (spirv::isLost(result))
    lost.store(true, std::memory_order_relaxed);
  return result != ZE_RESULT_SUCCESS;
}

int32_t LevelZeroContext::check(ze_result_t result, int32_t code, const std::string &what,
                                HetStatus *status) {
  if (!failed(result))
    return success(status);
  if (isOutOfMemory(result) || spirv::isLost(result))
    code = HET_UNAVAILABLE;
  return report(status, code, what + ": " + resultText(result));
}

} // namespace het::spirv
