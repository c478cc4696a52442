// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries out plans, at a stream's turn. None of CUDA's functions may be used here.

#include "Plan.h"

#include <algorithm>
#include <cstring>

namespace het::nccl {

size_t elementsAtOnce(const ncclComm &comm, const Collective &collective) {
  using Kind = Collective::Kind;
  const bool isByRank =
      collective.kind == Kind::AllGather || collective.kind == Kind::ReduceScatter;
  const size_t bytes = comm.piece / (isByRank ? comm.ranks : 1);
  return std::max<size_t>(1, bytes / sizeOf(collective.reduction.type));
}

Collective part(const Collective &collective, size_t first, size_t count) {
  const size_t offset = first * sizeOf(collective.reduction.type);
  Collective result = collective;
  if (result.send)
    result.send += offset;
  if (result.receive)
    result.receive += offset;
  result.count = count;
  return result;
}

namespace {

Outcome carryOut(ncclComm &comm, Step step) {
  Collective &whole = step.collective;
  if (step.factorPlace)
    std::memcpy(&step.factor, step.factorPlace, sizeOf(whole.reduction.type));
  whole.factor = &step.factor;
  const size_t most = elementsAtOnce(comm, whole);
  for (size_t first = 0; first < whole.count; first += most) {
    Outcome outcome = perform(*comm.links, comm.scratch,
                              part(whole, first, std::min(most, whole.count - first)));
    if (!outcome.ok())
      return outcome;
  }
  return {};
}

Outcome carryOut(ncclComm &comm, Plan &plan) {
  for (const Step &step : plan.steps)
    if (Outcome outcome = carryOut(comm, step); !outcome.ok())
      return outcome;
  if (plan.outgoing.empty() && plan.incoming.empty())
    return {};
  Outcome outcome = comm.links->exchange(plan.outgoing, plan.incoming);
  return outcome.ok() ? comm.links->finish() : outcome;
}

} // namespace

void carryOut(void *data) {
  Plan &plan = *static_cast<Plan *>(data);
  const std::shared_ptr<Gate> gate = plan.gate;
  std::lock_guard<std::mutex> lock(gate->executing);
  if (!gate->comm) {
    (void)report({ncclInvalidUsage, "a graph: found an operation whose communicator was "
                                    "destroyed; its results are not there"});
    return;
  }
  ncclComm &comm = *gate->comm;
  if (comm.failure().ok()) {
    const Outcome outcome = carryOut(comm, plan);
    if (!outcome.ok()) {
      comm.fail(outcome); // lets the others give up, too
      comm.links->withdraw();
    }
  }
  if (plan.isCaptured)
    return;
  std::lock_guard<std::mutex> plans(comm.plansMutex);
  comm.plans.remove_if([&](const auto &one) { return one.get() == &plan; });
}

} // namespace het::nccl
