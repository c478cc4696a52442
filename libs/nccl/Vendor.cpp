// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls NVIDIA's NCCL.

#include "Vendor.h"
#include "Communicator.h"
#include "common/Vendor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace het::nccl {
namespace {

#define HET_VENDOR_FUNCTIONS(use)                                                        \
  use(ncclGetErrorString) use(ncclGetUniqueId) use(ncclCommInitRank)                     \
      use(ncclCommDestroy) use(ncclCommAbort) use(ncclCommGetAsyncError)                 \
          use(ncclGroupStart) use(ncclGroupEnd) use(ncclAllReduce) use(ncclReduce)       \
              use(ncclBroadcast) use(ncclAllGather) use(ncclReduceScatter) use(ncclSend) \
                  use(ncclRecv) use(ncclRedOpCreatePreMulSum) use(ncclRedOpDestroy)

/// The functions of NVIDIA's library that are called, under their names.
struct Functions {
#define HET_DECLARE(name) decltype(::name) *name = nullptr;
  HET_VENDOR_FUNCTIONS(HET_DECLARE)
};
Functions theirs; // set once, before there are communicators

libs::Vendor &vendor() {
  static libs::Vendor &instance = *new libs::Vendor(
      "NCCL", {{"libnccl.so.2", {}}}, "NVIDIA's NCCL (libnccl2, or nvidia-nccl of PyPI)");
  return instance;
}

Status findFunctions() {
  if (theirs.ncclGetUniqueId)
    return Status::success();
  Functions found;
#define HET_FIND(name)                                                                   \
  if (!vendor().find(#name, found.name))                                                 \
    return unavailable("it lacks " #name);
  HET_VENDOR_FUNCTIONS(HET_FIND)
  theirs = found;
  return Status::success();
}

Outcome outcomeOf(ncclResult_t result, const char *what) {
  if (result == ncclSuccess)
    return {};
  return {result,
          std::string(what) + ": NVIDIA's library: " + theirs.ncclGetErrorString(result)};
}

/// Calls what puts nothing into a stream of the program's, in the device's context.
template <class Work> Outcome aside(int device, const char *what, const Work &work) {
  ncclResult_t result = ncclSuccess;
  int error = cudaSuccess;
  const auto call = [&](void *) { result = work(); };
  return libs::giveAside(device, call, error) == libs::Given::Yes
             ? outcomeOf(result, what)
             : cudaFailure(static_cast<cudaError_t>(error), what);
}

/// The calls of a group, in the streams that they name.
class VendorGroup {
public:
  explicit VendorGroup(const std::vector<Call> &calls) : calls(calls) {
    for (const Call &call : calls) {
      const Place place = {call.comm->device, call.stream, nullptr};
      if (std::find(places.begin(), places.end(), place) == places.end())
        places.push_back(place);
    }
    // In one order for all threads.
    std::sort(places.begin(), places.end(), [](const Place &a, const Place &b) {
      return std::pair(a.device, a.stream) < std::pair(b.device, b.stream);
    });
  }

  Outcome run() { return enter(0); }

private:
  struct Place {
    int device;
    cudaStream_t stream;
    void *native; ///< The driver's stream behind it, within enter().
    bool operator==(const Place &other) const {
      return device == other.device && stream == other.stream;
    }
  };

  Outcome enter(size_t index);
  Outcome callAll();
  ncclResult_t collective(const Call &call, cudaStream_t stream);
  ncclResult_t one(const Call &call);
  cudaStream_t nativeOf(const Call &call) const {
    const Place place = {call.comm->device, call.stream, nullptr};
    return static_cast<cudaStream_t>(
        std::find(places.begin(), places.end(), place)->native);
  }

  const std::vector<Call> &calls;
  std::vector<Place> places;
  /// Operations with factors, which go when the group has ended.
  std::vector<std::pair<ncclRedOp_t, ncclComm_t>> operations;
};

/// With each stream's driver's stream at hand, one within the other.
Outcome VendorGroup::enter(size_t index) {
  if (index == places.size())
    return callAll();
  Place &place = places[index];
  const libs::DeviceScope scope(place.device);
  Outcome outcome;
  int error = cudaSuccess;
  const auto work = [&](const libs::VendorStream &at) {
    place.native = at.native;
    outcome = enter(index + 1);
    return outcome.ok();
  };
  switch (libs::giveOrRecord(place.stream, 0, work, error)) {
  case libs::Given::Yes:
    return outcome;
  case libs::Given::UseKernels:
    return {ncclInvalidUsage, "an operation in a capture: NVIDIA's library did what can "
                              "not be captured; set HET_LIBRARIES=portable for all "
                              "ranks"};
  case libs::Given::Failed:
    break;
  }
  return cudaFailure(static_cast<cudaError_t>(error), "an operation's stream");
}

Outcome VendorGroup::callAll() {
  ncclResult_t result = theirs.ncclGroupStart();
  for (const Call &call : calls)
    if (result == ncclSuccess)
      result = one(call);
  const ncclResult_t ended = theirs.ncclGroupEnd();
  for (const auto &[operation, comm] : operations)
    (void)theirs.ncclRedOpDestroy(operation, comm);
  operations.clear();
  return outcomeOf(result != ncclSuccess ? result : ended, "an operation");
}

ncclResult_t VendorGroup::collective(const Call &call, cudaStream_t stream) {
  using Kind = Collective::Kind;
  const Collective &what = call.collective;
  const ncclComm_t comm = call.comm->vendor->get();
  const ncclDataType_t type = what.reduction.type;
  ncclRedOp_t operation = what.reduction.op;
  if (what.reduction.hasFactors) {
    Scalar factor = call.factor;
    void *const place =
        call.factorPlace ? const_cast<void *>(call.factorPlace) : factor.bytes;
    if (const ncclResult_t result = theirs.ncclRedOpCreatePreMulSum(
            &operation, place, type,
            call.factorPlace ? ncclScalarDevice : ncclScalarHostImmediate, comm))
      return result;
    operations.emplace_back(operation, comm);
  }
  switch (what.kind) {
  case Kind::AllReduce:
    return theirs.ncclAllReduce(what.send, what.receive, what.count, type, operation,
                                comm, stream);
  case Kind::Reduce:
    return theirs.ncclReduce(what.send, what.receive, what.count, type, operation,
                             what.root, comm, stream);
  case Kind::Broadcast:
    return theirs.ncclBroadcast(what.send, what.receive, what.count, type, what.root,
                                comm, stream);
  case Kind::AllGather:
    return theirs.ncclAllGather(what.send, what.receive, what.count, type, comm, stream);
  case Kind::ReduceScatter:
    return theirs.ncclReduceScatter(what.send, what.receive, what.count, type, operation,
                                    comm, stream);
  }
  return ncclInternalError;
}

ncclResult_t VendorGroup::one(const Call &call) {
  const cudaStream_t stream = nativeOf(call);
  if (!call.isTransfer)
    return collective(call, stream);
  const ncclComm_t comm = call.comm->vendor->get();
  return call.isSend ? theirs.ncclSend(call.outgoing.data, call.outgoing.size, ncclUint8,
                                       call.outgoing.peer, comm, stream)
                     : theirs.ncclRecv(call.incoming.buffer, call.incoming.size,
                                       ncclUint8, call.incoming.peer, comm, stream);
}

} // namespace

Outcome VendorComm::find(int device, bool &isThere) {
  const Result<libs::BackEnd> chosen = libs::chooseBackEnd(
      "NCCL", device,
      {[] { return vendor().open(findFunctions); }, libs::kernelsOnHost,
       /*isVendorOnRequest=*/true});
  if (!chosen.ok())
    return {ncclSystemError, chosen.status().text()};
  isThere = *chosen == libs::BackEnd::Vendor;
  return {};
}

Outcome VendorComm::makeId(int device, std::string &id) {
  ncclUniqueId made = {};
  Outcome outcome =
      aside(device, "ncclGetUniqueId", [&] { return theirs.ncclGetUniqueId(&made); });
  id.assign(made.internal, sizeof(made.internal));
  return outcome;
}

Outcome VendorComm::join(int device, const std::string &id, int ranks, int rank,
                         std::unique_ptr<VendorComm> &made) {
  ncclUniqueId taken = {};
  if (id.size() != sizeof(taken.internal))
    return {ncclInternalError, "the id of NVIDIA's communicator is none"};
  std::memcpy(taken.internal, id.data(), id.size());
  std::unique_ptr<VendorComm> comm(new VendorComm(device));
  ncclComm_t handle = nullptr;
  Outcome outcome = aside(device, "ncclCommInitRank", [&] {
    return theirs.ncclCommInitRank(&handle, ranks, taken, rank);
  });
  comm->handle = handle;
  if (outcome.ok())
    made = std::move(comm);
  return outcome;
}

VendorComm::~VendorComm() {
  if (const ncclComm_t own = handle.exchange(nullptr))
    (void)aside(device, "ncclCommDestroy", [&] { return theirs.ncclCommDestroy(own); });
}

void VendorComm::abort() {
  if (const ncclComm_t own = handle.exchange(nullptr))
    (void)aside(device, "ncclCommAbort", [&] { return theirs.ncclCommAbort(own); });
}

Outcome VendorComm::state() {
  ncclResult_t result = ncclSuccess;
  const ncclComm_t own = handle;
  if (!own)
    return {};
  const ncclResult_t asked = theirs.ncclCommGetAsyncError(own, &result);
  return outcomeOf(asked != ncclSuccess ? asked : result,
                   "operations that are under way");
}

Outcome enqueueByVendor(const std::vector<Call> &calls) {
  const libs::RelaxedCapture relaxed;
  Outcome outcome = VendorGroup(calls).run();
  std::vector<std::pair<ncclComm_t, cudaStream_t>> done;
  for (const Call &call : calls) {
    const std::pair place(call.comm, call.stream);
    if (std::find(done.begin(), done.end(), place) != done.end())
      continue;
    done.push_back(place);
    if (outcome.ok())
      outcome = noteWork(*call.comm, call.stream);
  }
  return outcome;
}

} // namespace het::nccl
