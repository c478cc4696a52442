// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX's texts and events, as a trace has them.

#ifndef HET_RUNTIME_NVTX_TEXT_H
#define HET_RUNTIME_NVTX_TEXT_H

#include <nvtx3/nvToolsExt.h>

#include <map>
#include <mutex>
#include <string>

struct nvtxStringRegistration_st {
  std::string text;
};

struct nvtxDomainRegistration_st {
  std::string name;
  std::mutex mutex; ///< Guards what follows.
  std::map<uint32_t, std::string> categories;

  void nameCategory(uint32_t category, std::string text) {
    std::lock_guard lock(mutex);
    categories[category] = std::move(text);
  }
};

namespace het::nvtx {

/// An event's name, and what else it has, as a JSON object.
struct Described {
  std::string name, arguments;
};

/// In UTF-8. Null is an empty text.
std::string textOf(const char *text);
std::string textOf(const wchar_t *text);

/// Null: an event without attributes.
Described describe(nvtxDomainRegistration_st &domain,
                   const nvtxEventAttributes_t *attributes);
Described describe(std::string name);

} // namespace het::nvtx

#endif // HET_RUNTIME_NVTX_TEXT_H
