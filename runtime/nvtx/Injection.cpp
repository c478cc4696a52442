// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool that NVTX calls under `hetrun --profile`: fills in a program's tables of
// functions, those of NVIDIA's headers or of ours.

#include "Ranges.h"

#include "cuda/ToolInterface.h"
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>

using namespace het::nvtx;

namespace {

nvtxDomainRegistration_st &in(nvtxDomainHandle_t domain) {
  return domain ? *domain : globalDomain();
}

using Attributes = const nvtxEventAttributes_t *;

void markEx(Attributes a) { mark(describe(globalDomain(), a)); }
template <typename C> void markText(const C *text) { mark(describe(textOf(text))); }
nvtxRangeId_t startEx(Attributes a) { return start(describe(globalDomain(), a)); }
template <typename C> nvtxRangeId_t startText(const C *text) {
  return start(describe(textOf(text)));
}
int pushEx(Attributes a) { return push(nullptr, describe(globalDomain(), a)); }
template <typename C> int pushText(const C *text) {
  return push(nullptr, describe(textOf(text)));
}
int popOwn() { return pop(nullptr); }
template <typename C> void nameCategory(uint32_t category, const C *name) {
  globalDomain().nameCategory(category, textOf(name));
}
template <typename C> void nameThread(uint32_t thread, const C *name) {
  hetToolInterface()->nameThread(thread, textOf(name).c_str());
}
template <typename C> void nameStream(void *stream, const C *name) {
  hetToolInterface()->nameStream(stream, textOf(name).c_str());
}

void domainMark(nvtxDomainHandle_t d, Attributes a) { mark(describe(in(d), a)); }
nvtxRangeId_t domainStart(nvtxDomainHandle_t d, Attributes a) {
  return start(describe(in(d), a));
}
void domainEnd(nvtxDomainHandle_t, nvtxRangeId_t id) { end(id); }
int domainPush(nvtxDomainHandle_t d, Attributes a) { return push(d, describe(in(d), a)); }
template <typename C>
void domainNameCategory(nvtxDomainHandle_t d, uint32_t category, const C *name) {
  in(d).nameCategory(category, textOf(name));
}
template <typename C>
nvtxStringHandle_t registerString(nvtxDomainHandle_t, const C *text) {
  return new nvtxStringRegistration_st{textOf(text)}; // kept: NVTX has no way to end it
}
template <typename C> nvtxDomainHandle_t createDomain(const C *name) {
  auto *domain = new nvtxDomainRegistration_st;
  domain->name = textOf(name);
  return domain;
}
/// Open ranges may still name it.
void destroyDomain(nvtxDomainHandle_t) {}

struct Entry {
  int module, id;
  hetNvtxFunction function;
};

template <typename F> Entry entry(int module, int id, F *function) noexcept {
  return {module, id, reinterpret_cast<hetNvtxFunction>(function)};
}

using Narrow = char;
using Wide = wchar_t;

const Entry entries[] = {
    entry(hetNvtxCore, 1, markEx),
    entry(hetNvtxCore, 2, markText<Narrow>),
    entry(hetNvtxCore, 3, markText<Wide>),
    entry(hetNvtxCore, 4, startEx),
    entry(hetNvtxCore, 5, startText<Narrow>),
    entry(hetNvtxCore, 6, startText<Wide>),
    entry(hetNvtxCore, 7, end),
    entry(hetNvtxCore, 8, pushEx),
    entry(hetNvtxCore, 9, pushText<Narrow>),
    entry(hetNvtxCore, 10, pushText<Wide>),
    entry(hetNvtxCore, 11, popOwn),
    entry(hetNvtxCore, 12, nameCategory<Narrow>),
    entry(hetNvtxCore, 13, nameCategory<Wide>),
    entry(hetNvtxCore, 14, nameThread<Narrow>),
    entry(hetNvtxCore, 15, nameThread<Wide>),
    entry(hetNvtxCuda, 5, nameStream<Narrow>),
    entry(hetNvtxCuda, 6, nameStream<Wide>),
    entry(hetNvtxCudaRt, 3, nameStream<Narrow>),
    entry(hetNvtxCudaRt, 4, nameStream<Wide>),
    entry(hetNvtxCore2, 1, domainMark),
    entry(hetNvtxCore2, 2, domainStart),
    entry(hetNvtxCore2, 3, domainEnd),
    entry(hetNvtxCore2, 4, domainPush),
    entry(hetNvtxCore2, 5, pop),
    entry(hetNvtxCore2, 8, domainNameCategory<Narrow>),
    entry(hetNvtxCore2, 9, domainNameCategory<Wide>),
    entry(hetNvtxCore2, 10, registerString<Narrow>),
    entry(hetNvtxCore2, 11, registerString<Wide>),
    entry(hetNvtxCore2, 12, createDomain<Narrow>),
    entry(hetNvtxCore2, 13, createDomain<Wide>),
    entry(hetNvtxCore2, 14, destroyDomain),
};

} // namespace

/// Called by a program's first NVTX call. 0: there is nobody who wants to know.
extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2( // NOLINT(readability-identifier-naming): NVTX's
    const void *(*getExportTable)(uint32_t)) {
  constexpr uint32_t callbacksTable = 1;
  const auto *callbacks =
      static_cast<const hetNvtxCallbacks *>(getExportTable(callbacksTable));
  if (!hetToolInterface()->hasTrace() || !callbacks ||
      callbacks->size < sizeof(hetNvtxCallbacks))
    return 0;
  for (const Entry &entry : entries) {
    hetNvtxFunction **table = nullptr;
    unsigned size = 0;
    if (callbacks->getFunctionTable(entry.module, &table, &size) && table &&
        static_cast<unsigned>(entry.id) < size && table[entry.id])
      *table[entry.id] = entry.function;
  }
  return 1;
}
