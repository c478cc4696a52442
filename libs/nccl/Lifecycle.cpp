// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions by which programs make communicators, ask about them and end them.

#include "Group.h"
#include "Hub.h"
#include "Plan.h"

#include <algorithm>
#include <cstring>
#include <new>

using namespace het::nccl;

namespace {

Outcome readConfig(const ncclConfig_t *config, const char *function, bool &isBlocking) {
  isBlocking = true;
  if (!config)
    return {};
  if (config->magic != NCCL_API_MAGIC)
    return argument(function, "found a configuration that NCCL_CONFIG_INITIALIZER has "
                              "not made");
  // Those of older headers are shorter; each has this one.
  constexpr size_t shortest = offsetof(ncclConfig_t, blocking) + sizeof(int);
  if (config->size < shortest)
    return argument(function, "found a configuration that is too short");
  if (config->blocking != NCCL_CONFIG_UNDEF_INT && config->blocking != 0 &&
      config->blocking != 1)
    return argument(function, "found blocking = " + std::to_string(config->blocking) +
                                  ", expected 0 or 1");
  isBlocking = config->blocking != 0;
  return {};
}

Outcome makeComm(const ncclConfig_t *config, const char *function, ncclComm_t &comm) {
  bool isBlocking;
  if (Outcome outcome = readConfig(config, function, isBlocking); !outcome.ok())
    return outcome;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaFree(nullptr); // makes the device ready
  if (error != cudaSuccess)
    return cudaFailure(error, function);
  comm = new (std::nothrow) ncclComm;
  if (!comm)
    return {ncclSystemError, std::string(function) + ": out of memory"};
  comm->device = device;
  comm->isBlocking = isBlocking;
  addLive(comm);
  return {};
}

ncclResult_t initRank(ncclComm_t *place, int ranks, const ncclUniqueId &id, int rank,
                      const ncclConfig_t *config, const char *function) {
  if (!place)
    return refuseInGroup(argument(function, "found no place for the communicator"));
  *place = nullptr;
  if (ranks < 1 || ranks > maxRanks || rank < 0 || rank >= ranks)
    return refuseInGroup(argument(function, "found rank " + std::to_string(rank) +
                                                " of " + std::to_string(ranks)));
  ncclComm_t comm = nullptr;
  if (Outcome outcome = makeComm(config, function, comm); !outcome.ok())
    return refuseInGroup(outcome);
  comm->ranks = ranks;
  comm->rank = rank;
  *place = comm;
  return give(Job{comm, place, [=] { return initialise(*comm, id, ranks, rank); }});
}

/// Meets the ranks of another communicator that come along, in a new one.
Outcome meetAnew(ncclComm &parent, const std::vector<int> &members, ncclComm &comm) {
  const auto own = std::find(members.begin(), members.end(), parent.rank);
  ncclUniqueId id = {};
  std::string part;
  if (own == members.begin()) {
    if (Outcome outcome = startHub(id); !outcome.ok())
      return outcome;
    part.assign(id.internal, sizeof(id.internal));
  }
  std::vector<int> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> parts;
  Outcome outcome = parent.session->gather(
      sorted, part, parts, [&] { return parent.isAborted || comm.isAborted; });
  if (!outcome.ok())
    return outcome;
  const auto first =
      std::find(sorted.begin(), sorted.end(), members.front()) - sorted.begin();
  if (parts[first].size() != sizeof(id.internal))
    return {ncclInternalError, "the id of a new communicator is none"};
  std::memcpy(id.internal, parts[first].data(), sizeof(id.internal));
  return initialise(comm, id, static_cast<int>(members.size()),
                    static_cast<int>(own - members.begin()));
}

Outcome split(ncclComm &parent, int color, int key, ncclComm *comm) {
  const int32_t own[2] = {color, key};
  std::vector<std::string> parts;
  Outcome outcome = parent.session->gather(
      {}, std::string(reinterpret_cast<const char *>(own), sizeof(own)), parts,
      [&] { return parent.isAborted || (comm && comm->isAborted); });
  if (!outcome.ok() || !comm)
    return outcome;
  std::vector<std::pair<int, int>> sorted; // key and rank
  for (int rank = 0; rank < parent.ranks; ++rank) {
    int32_t other[2];
    if (parts[rank].size() != sizeof(other))
      return {ncclInternalError, "a rank's color and key are none"};
    std::memcpy(other, parts[rank].data(), sizeof(other));
    if (other[0] == color)
      sorted.emplace_back(other[1], rank);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<int> members;
  for (const auto &[otherKey, rank] : sorted)
    members.push_back(rank);
  return meetAnew(parent, members, *comm);
}

/// Ends a communicator's operations, and waits until no stream is within one.
void stop(ncclComm &comm) {
  comm.isAborted = true;
  if (comm.vendor)
    comm.vendor->abort();
  if (comm.session)
    comm.session->leave(false);
  (void)waitForStreams(comm);
  const std::lock_guard<std::mutex> lock(comm.gate->executing);
}

} // namespace

ncclResult_t ncclGetVersion(int *version) {
  if (!version)
    return report(argument(__func__, "found no place for the version"));
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id)
    return report(argument(__func__, "found no place for the id"));
  return report(startHub(*id));
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int nranks, ncclUniqueId id, int rank) {
  return initRank(comm, nranks, id, rank, nullptr, __func__);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t *comm, int nranks, ncclUniqueId id,
                                    int rank, ncclConfig_t *config) {
  return initRank(comm, nranks, id, rank, config, __func__);
}

ncclResult_t ncclCommInitRankScalable(ncclComm_t *comm, int nranks, int rank, int count,
                                      ncclUniqueId *ids, ncclConfig_t *config) {
  if (!ids || count < 1 || count > nranks)
    return refuseInGroup(argument(__func__, "found " + std::to_string(count) + " ids"));
  return initRank(comm, nranks, ids[0], rank, config, __func__); // one hub is enough
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
  int there = 0;
  if (cudaError_t error = cudaGetDeviceCount(&there))
    return report(cudaFailure(error, __func__));
  if (!comms || count < 1)
    return report(argument(__func__, "found no communicators to be made"));
  for (int i = 0; i < count; ++i) {
    const int device = devices ? devices[i] : i;
    if (device < 0 || device >= there)
      return report(argument(__func__, "found device " + std::to_string(device) +
                                           ", and there are " + std::to_string(there)));
    if (devices && std::find(devices, devices + i, device) != devices + i)
      return report({ncclInvalidUsage, std::string(__func__) + ": found device " +
                                           std::to_string(device) + " twice"});
  }
  ncclUniqueId id;
  if (Outcome outcome = startHub(id); !outcome.ok())
    return report(outcome);
  (void)ncclGroupStart();
  for (int i = 0; i < count; ++i) {
    const DeviceScope scope(devices ? devices[i] : i);
    (void)initRank(&comms[i], count, id, i, nullptr, __func__); // the group says so
  }
  return ncclGroupEnd();
}

ncclResult_t ncclCommSplit(ncclComm_t parent, int color, int key, ncclComm_t *place,
                           ncclConfig_t *config) {
  if (Outcome outcome = check(parent, __func__); !outcome.ok())
    return refuseInGroup(outcome);
  if (!place || (color < 0 && color != NCCL_SPLIT_NOCOLOR))
    return refuseInGroup(argument(__func__, "found color " + std::to_string(color)));
  *place = nullptr;
  ncclComm_t comm = nullptr;
  if (color != NCCL_SPLIT_NOCOLOR) {
    const DeviceScope scope(parent->device);
    if (Outcome outcome = makeComm(config, __func__, comm); !outcome.ok())
      return refuseInGroup(outcome);
    if (!config)
      comm->isBlocking = parent->isBlocking;
  }
  *place = comm;
  return give(Job{comm, place, [=] { return split(*parent, color, key, comm); }});
}

ncclResult_t ncclCommShrink(ncclComm_t parent, int *excluded, int count,
                            ncclComm_t *place, ncclConfig_t *config, int flags) {
  if (!isLive(parent) || !place || !excluded || count < 1 || count >= parent->ranks ||
      (flags & ~NCCL_SHRINK_ABORT))
    return refuseInGroup(argument(__func__, "found a wrong argument"));
  *place = nullptr;
  // With NCCL_SHRINK_ABORT the parent may have failed, for a rank is lost.
  if (!(flags & NCCL_SHRINK_ABORT))
    if (Outcome outcome = check(parent, __func__); !outcome.ok())
      return refuseInGroup(outcome);
  std::vector<int> members;
  for (int rank = 0; rank < parent->ranks; ++rank)
    if (std::find(excluded, excluded + count, rank) == excluded + count)
      members.push_back(rank);
  if (std::find(members.begin(), members.end(), parent->rank) == members.end())
    return refuseInGroup(argument(__func__, "this rank is one that is left out"));
  ncclComm_t comm = nullptr;
  const DeviceScope scope(parent->device);
  if (Outcome outcome = makeComm(config, __func__, comm); !outcome.ok())
    return refuseInGroup(outcome);
  *place = comm;
  const bool endsOperations = flags & NCCL_SHRINK_ABORT;
  return give(Job{comm, place, [=] {
                    if (endsOperations && parent->failure().ok())
                      parent->fail({ncclInvalidUsage,
                                    "the communicator's operations were "
                                    "ended by ncclCommShrink"});
                    return meetAnew(*parent, members, *comm);
                  }});
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (Outcome outcome = check(comm, __func__); !outcome.ok())
    return report(outcome);
  Outcome outcome = waitForStreams(*comm);
  if (outcome.ok())
    comm->state = ncclComm::State::Finalised;
  return report(outcome);
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  if (!isLive(comm))
    return report(argument(__func__, "found a communicator that is none"));
  const Outcome failure = comm->failure();
  if (failure.code == ncclInProgress)
    return report({ncclInvalidUsage, std::string(__func__) + ": " + failure.text});
  removeLive(comm);
  Outcome outcome = waitForStreams(*comm);
  {
    const std::lock_guard<std::mutex> lock(comm->gate->executing);
  }
  if (comm->session)
    comm->session->leave(true);
  delete comm;
  return report(outcome);
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (!comm)
    return ncclSuccess;
  if (!removeLive(comm))
    return report(argument(__func__, "found a communicator that is none"));
  // A thread that still initialises it looks at isAborted; it is left to that.
  comm->isAborted = true;
  if (comm->settle(ncclComm::State::Abandoned))
    return ncclSuccess;
  stop(*comm);
  delete comm;
  return ncclSuccess;
}

ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) {
  if (!isLive(comm) || !count)
    return report(argument(__func__, "found a communicator or a place that is none"));
  *count = comm->ranks;
  return ncclSuccess;
}

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) {
  if (!isLive(comm) || !device)
    return report(argument(__func__, "found a communicator or a place that is none"));
  *device = comm->device;
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) {
  if (!isLive(comm) || !rank)
    return report(argument(__func__, "found a communicator or a place that is none"));
  *rank = comm->rank;
  return ncclSuccess;
}

const char *ncclGetLastError(ncclComm_t) { return lastText(); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *result) {
  if (!isLive(comm) || !result)
    return report(argument(__func__, "found a communicator or a place that is none"));
  Outcome failure = comm->failure();
  if (failure.ok() && comm->vendor) {
    failure = comm->vendor->state();
    if (!failure.ok() && failure.code != ncclInProgress)
      comm->fail(failure);
  }
  *result = comm->isAborted ? ncclInternalError : failure.code;
  return ncclSuccess;
}

void ncclResetDebugInit() {} // nothing is kept of NCCL_DEBUG
