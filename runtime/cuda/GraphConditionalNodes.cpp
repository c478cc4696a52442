// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions and the nodes that depend on them.

#include "Context.h"
#include "GraphCondition.h"
#include "GraphNodes.h"

using namespace het::cuda;

/// More graphs than any program gives a switch.
static constexpr unsigned mostBodies = 1 << 16;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle,
                                             cudaGraph_t graph, unsigned initial,
                                             unsigned flags) try {
  if (!handle || !graph || (flags & ~unsigned(cudaGraphCondAssignDefault)))
    return remember(cudaErrorInvalidValue);
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return remember(error);
  std::shared_ptr<GraphCondition> condition;
  if (cudaError_t error = makeCondition(*device, condition))
    return remember(error);
  condition->initial = initial;
  condition->isAssigned = flags & cudaGraphCondAssignDefault;
  *handle = condition->handle();
  graph->conditions.push_back(std::move(condition));
  return cudaSuccess;
}
HET_CATCH

/// Whether a kind of conditional node may have so many graphs.
static bool validSize(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
  case cudaGraphCondTypeIf:
    return size == 1 || size == 2;
  case cudaGraphCondTypeWhile:
    return size == 1;
  case cudaGraphCondTypeSwitch:
    return size >= 1 && size <= mostBodies;
  }
  return false;
}

cudaError_t het::cuda::makeConditional(const CUgraph_st *graph,
                                       cudaConditionalNodeParams *params,
                                       ConditionalOperation &operation) {
  if (!graph || !params || !validSize(params->type, params->size))
    return cudaErrorInvalidValue;
  for (const std::shared_ptr<GraphCondition> &condition : graph->conditions)
    if (condition->handle() == params->handle && !condition->isUsed)
      operation.condition = condition;
  if (!operation.condition)
    return cudaErrorInvalidValue; // of another graph, or of another node
  operation.type = params->type;
  operation.list = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned index = 0; index < params->size; ++index) {
    auto body = std::make_shared<CUgraph_st>();
    body->isPrograms = false;
    operation.list->push_back(body.get());
    operation.bodies.push_back(std::move(body));
  }
  operation.condition->isUsed = true;
  params->phGraph_out = operation.list->data();
  return cudaSuccess;
}
