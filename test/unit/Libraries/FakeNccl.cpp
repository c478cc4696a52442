// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake libnccl.so.2, for communicators of one rank: what is given comes back.

#include "FakeSupport.h"

#include <cstring>
#include <nccl.h>

using namespace fake;

struct ncclComm {
  int ranks, rank;
};

namespace {
int depth = 0, operations = 5;
ncclResult_t noted(std::string call) {
  note(std::move(call));
  return ncclSuccess;
}
ncclResult_t copied(std::string call, const void *from, void *to, size_t size,
                    cudaStream_t stream) {
  note(call + (depth ? "" : " without a group"));
  return enqueueWork(stream, [=] { std::memmove(to, from, size); })
             ? ncclSuccess
             : ncclUnhandledCudaError;
}
} // namespace

const char *ncclGetErrorString(ncclResult_t) { return "a failure"; }
ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  std::memset(id, 7, sizeof(*id));
  return noted("GetUniqueId");
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  note("InitRank " + std::to_string(rank) + " of " + std::to_string(ranks));
  if (!hasContext() || id.internal[100] != 7)
    return ncclInternalError;
  if (hetFakeVendor()->createStatus)
    return static_cast<ncclResult_t>(hetFakeVendor()->createStatus);
  *comm = new ncclComm{ranks, rank};
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  return noted(hasContext() ? "Destroy" : "Destroy without a context");
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  delete comm;
  return noted("Abort");
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t *result) {
  *result = ncclSuccess;
  return noted("GetAsyncError");
}
ncclResult_t ncclGroupStart() {
  ++depth;
  return noted("GroupStart");
}
ncclResult_t ncclGroupEnd() {
  --depth;
  return noted("GroupEnd");
}
ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t, cudaStream_t stream) {
  return copied("AllReduce " + std::to_string(count) + " of " + std::to_string(type) +
                    " by " + std::to_string(operation),
                from, to, count * 4, stream);
}
ncclResult_t ncclReduce(const void *from, void *to, size_t count, ncclDataType_t,
                        ncclRedOp_t, int, ncclComm_t, cudaStream_t stream) {
  return copied("Reduce", from, to, count * 4, stream);
}
ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t, int,
                           ncclComm_t, cudaStream_t stream) {
  return copied("Broadcast", from, to, count * 4, stream);
}
ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t,
                           ncclComm_t, cudaStream_t stream) {
  return copied("AllGather", from, to, count * 4, stream);
}
ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t,
                               ncclRedOp_t, ncclComm_t, cudaStream_t stream) {
  return copied("ReduceScatter", from, to, count * 4, stream);
}
ncclResult_t ncclSend(const void *, size_t count, ncclDataType_t, int peer, ncclComm_t,
                      cudaStream_t) {
  return noted("Send " + std::to_string(count) + " to " + std::to_string(peer));
}
ncclResult_t ncclRecv(void *, size_t count, ncclDataType_t, int peer, ncclComm_t,
                      cudaStream_t) {
  return noted("Recv " + std::to_string(count) + " from " + std::to_string(peer));
}
ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t *operation, void *, ncclDataType_t,
                                      ncclScalarResidence_t residence, ncclComm_t) {
  *operation = static_cast<ncclRedOp_t>(operations);
  return noted("CreatePreMulSum " + std::to_string(residence));
}
ncclResult_t ncclRedOpDestroy(ncclRedOp_t, ncclComm_t) { return noted("RedOpDestroy"); }
