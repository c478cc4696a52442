// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges that have begun, until they end.

#ifndef HET_RUNTIME_NVTX_RANGES_H
#define HET_RUNTIME_NVTX_RANGES_H

#include "Text.h"

namespace het::nvtx {

/// The domain of programs that name none.
nvtxDomainRegistration_st &globalDomain();

/// The calling thread's ranges, one in the other. Returns how many of the domain's are
/// around it; NVTX_NO_PUSH_POP_TRACKING: none had begun.
int push(nvtxDomainHandle_t domain, Described event);
int pop(nvtxDomainHandle_t domain);

/// Ranges of the process, which any thread may end.
nvtxRangeId_t start(Described event);
void end(nvtxRangeId_t id);

void mark(const Described &event);

} // namespace het::nvtx

#endif // HET_RUNTIME_NVTX_RANGES_H
