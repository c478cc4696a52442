// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting references to objects of the program.

#include "UserObjects.h"
#include "Errors.h"
#include "Graph.h"
#include "HostFunction.h"

#include <climits>

using namespace het::cuda;

bool CUuserObject_st::release(unsigned count) {
  unsigned before = references.load();
  do
    if (count > before)
      return false;
  while (!references.compare_exchange_weak(before, before - count));
  if (before > count)
    return true;
  callHostFunction(destroy, object);
  delete this;
  return true;
}

void UserObjects::add(const UserObjects &other) {
  for (auto &[object, count] : other.counts) {
    counts[object] += count;
    object->references += count;
  }
}

bool UserObjects::release(CUuserObject_st &object, unsigned count) {
  auto found = counts.find(&object);
  if (found == counts.end() || found->second < count)
    return false;
  if ((found->second -= count) == 0)
    counts.erase(found);
  return object.release(count);
}

void UserObjects::clear() {
  for (auto &[object, count] : counts)
    object->release(count);
  counts.clear();
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *result, void *object,
                                 cudaHostFn_t destroy, unsigned references,
                                 unsigned flags) try {
  if (!result || !destroy || !references || references > INT_MAX ||
      flags != cudaUserObjectNoDestructorSync)
    return remember(cudaErrorInvalidValue);
  *result = new CUuserObject_st(object, destroy, references);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) try {
  if (!object || !count || count > INT_MAX)
    return remember(cudaErrorInvalidValue);
  object->references += count;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) try {
  if (!object || !count || count > INT_MAX || !object->release(count))
    return remember(cudaErrorInvalidValue);
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned count, unsigned flags) try {
  if (!graph || !object || !count || count > INT_MAX ||
      (flags & ~cudaGraphUserObjectMove))
    return remember(cudaErrorInvalidValue);
  graph->userObjects.take(*object, count);
  if (!(flags & cudaGraphUserObjectMove))
    object->references += count;
  return cudaSuccess;
}
HET_CATCH

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned count) try {
  if (!graph || !object || !count || !graph->userObjects.release(*object, count))
    return remember(cudaErrorInvalidValue);
  return cudaSuccess;
}
HET_CATCH
