// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective and point-to-point operations, as programs call them.

#include "Group.h"

#include <cstring>

using namespace het::nccl;

namespace {

using Kind = Collective::Kind;

/// What is wrong with arguments that all operations have; a success if nothing is.
Outcome checkData(ncclComm_t comm, size_t count, ncclDataType_t type, int peer,
                  const char *function) {
  if (Outcome outcome = check(comm, function); !outcome.ok())
    return outcome;
  if (!isType(type))
    return argument(function, "found type " + std::to_string(type));
  if (peer < 0 || peer >= comm->ranks)
    return argument(function, "found rank " + std::to_string(peer) + " of " +
                                  std::to_string(comm->ranks));
  if (count > SIZE_MAX / sizeOf(type) / comm->ranks)
    return argument(function, "found a count of " + std::to_string(count));
  return {};
}

Outcome checkPlace(const void *place, size_t count, const char *function) {
  return place || !count ? Outcome() : argument(function, "found no memory");
}

/// The operation that a number means for a communicator.
Outcome readOperation(ncclRedOp_t op, Call &call, const char *function) {
  Reduction &reduction = call.collective.reduction;
  if (op >= 0 && op < ncclNumOps) {
    reduction.op = op;
    return {};
  }
  const std::vector<OwnOperation> &all = call.comm->operations;
  const size_t number = static_cast<size_t>(op) - ncclNumOps;
  if (op < 0 || number >= all.size() || !all[number].isThere)
    return argument(function, "found operation " + std::to_string(op));
  const OwnOperation &own = all[number];
  if (own.type != reduction.type)
    return argument(function, "the operation was made for another type");
  reduction.op = ncclSum;
  reduction.hasFactors = true;
  call.factor = own.factor;
  call.factorPlace = own.place;
  return {};
}

struct Arguments {
  const char *function;
  Kind kind;
  const void *send;
  void *receive;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op = ncclSum;
  int root = 0;
};

ncclResult_t collective(const Arguments &given, ncclComm_t comm, cudaStream_t stream) {
  const char *function = given.function;
  Outcome outcome = checkData(comm, given.count, given.type, given.root, function);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  const bool isRoot = given.root == comm->rank;
  if (given.kind != Kind::Broadcast || isRoot)
    outcome = checkPlace(given.send, given.count, function);
  if (outcome.ok() && (given.kind != Kind::Reduce || isRoot))
    outcome = checkPlace(given.receive, given.count, function);
  Call call = {};
  call.comm = comm;
  call.stream = stream;
  Collective &made = call.collective;
  made.kind = given.kind;
  made.send = static_cast<const char *>(given.send);
  made.receive = static_cast<char *>(given.receive);
  made.count = given.count;
  made.stride = given.count * sizeOf(given.type);
  made.root = given.root;
  made.reduction.type = given.type;
  if (outcome.ok())
    outcome = readOperation(given.op, call, function);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  return given.count ? give(std::vector<Call>{call}) : ncclSuccess;
}

Call sendTo(ncclComm_t comm, cudaStream_t stream, int peer, const void *data,
            size_t size) {
  Call call = {};
  call.comm = comm;
  call.stream = stream;
  call.isTransfer = call.isSend = true;
  call.outgoing = {peer, data, size};
  return call;
}

Call receiveFrom(ncclComm_t comm, cudaStream_t stream, int peer, void *buffer,
                 size_t size) {
  Call call = {};
  call.comm = comm;
  call.stream = stream;
  call.isTransfer = true;
  call.incoming = {peer, buffer, size};
  return call;
}

const char *at(const void *place, size_t offset) {
  return static_cast<const char *>(place) + offset;
}
char *at(void *place, size_t offset) { return static_cast<char *>(place) + offset; }

} // namespace

ncclResult_t ncclReduce(const void *send, void *receive, size_t count,
                        ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  return collective({__func__, Kind::Reduce, send, receive, count, type, op, root}, comm,
                    stream);
}

ncclResult_t ncclBcast(void *place, size_t count, ncclDataType_t type, int root,
                       ncclComm_t comm, cudaStream_t stream) {
  return collective({__func__, Kind::Broadcast, place, place, count, type, ncclSum, root},
                    comm, stream);
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count,
                           ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  return collective(
      {__func__, Kind::Broadcast, send, receive, count, type, ncclSum, root}, comm,
      stream);
}

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count,
                           ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream) {
  return collective({__func__, Kind::AllReduce, send, receive, count, type, op}, comm,
                    stream);
}

ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  return collective({__func__, Kind::ReduceScatter, send, receive, count, type, op}, comm,
                    stream);
}

ncclResult_t ncclAllGather(const void *send, void *receive, size_t count,
                           ncclDataType_t type, ncclComm_t comm, cudaStream_t stream) {
  return collective({__func__, Kind::AllGather, send, receive, count, type}, comm,
                    stream);
}

ncclResult_t ncclSend(const void *place, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  Outcome outcome = checkData(comm, count, type, peer, __func__);
  if (outcome.ok())
    outcome = checkPlace(place, count, __func__);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  return give(std::vector<Call>{sendTo(comm, stream, peer, place, count * sizeOf(type))});
}

ncclResult_t ncclRecv(void *place, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  Outcome outcome = checkData(comm, count, type, peer, __func__);
  if (outcome.ok())
    outcome = checkPlace(place, count, __func__);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  return give(
      std::vector<Call>{receiveFrom(comm, stream, peer, place, count * sizeOf(type))});
}

ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count,
                          ncclDataType_t type, ncclComm_t comm, cudaStream_t stream) {
  Outcome outcome = checkData(comm, count, type, 0, __func__);
  if (outcome.ok())
    outcome = checkPlace(send && receive ? send : nullptr, count, __func__);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  const size_t size = count * sizeOf(type);
  std::vector<Call> calls;
  for (int rank = 0; rank < comm->ranks; ++rank) {
    calls.push_back(sendTo(comm, stream, rank, at(send, rank * size), size));
    calls.push_back(receiveFrom(comm, stream, rank, at(receive, rank * size), size));
  }
  return give(calls);
}

ncclResult_t ncclGather(const void *send, void *receive, size_t count,
                        ncclDataType_t type, int root, ncclComm_t comm,
                        cudaStream_t stream) {
  Outcome outcome = checkData(comm, count, type, root, __func__);
  if (outcome.ok())
    outcome = checkPlace(send, count, __func__);
  if (outcome.ok() && comm->rank == root)
    outcome = checkPlace(receive, count, __func__);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  const size_t size = count * sizeOf(type);
  std::vector<Call> calls = {sendTo(comm, stream, root, send, size)};
  for (int rank = 0; comm->rank == root && rank < comm->ranks; ++rank)
    calls.push_back(receiveFrom(comm, stream, rank, at(receive, rank * size), size));
  return give(calls);
}

ncclResult_t ncclScatter(const void *send, void *receive, size_t count,
                         ncclDataType_t type, int root, ncclComm_t comm,
                         cudaStream_t stream) {
  Outcome outcome = checkData(comm, count, type, root, __func__);
  if (outcome.ok())
    outcome = checkPlace(receive, count, __func__);
  if (outcome.ok() && comm->rank == root)
    outcome = checkPlace(send, count, __func__);
  if (!outcome.ok())
    return refuseInGroup(outcome);
  const size_t size = count * sizeOf(type);
  std::vector<Call> calls;
  for (int rank = 0; comm->rank == root && rank < comm->ranks; ++rank)
    calls.push_back(sendTo(comm, stream, rank, at(send, rank * size), size));
  calls.push_back(receiveFrom(comm, stream, root, receive, size));
  return give(calls);
}
