// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts operations into streams: functions that the streams call at their turn and, for
// devices whose memory the host does not see, copies to and from memory of the host's.

#include "GraphStage.h"
#include "Plan.h"

#include <algorithm>
#include <memory>

namespace het::nccl {
namespace {

class Enqueuing {
public:
  Enqueuing(ncclComm &comm, cudaStream_t stream) : comm(comm), stream(stream) {}

  Outcome begin(const std::vector<Call> &calls);
  Outcome addDirect(const std::vector<Call> &calls);
  Outcome addStaged(const std::vector<Call> &calls);
  Outcome end();

private:
  Outcome give(std::unique_ptr<Plan> plan);
  template <class Object> Outcome keepInGraph(std::unique_ptr<Object> object);
  Outcome stageCollective(const Call &call);
  Outcome stagePiece(Step step, char *stage, Scalar *factor);
  Outcome stageTransfers(const std::vector<Call> &calls);
  Outcome takeStage(size_t size, char *&stage);
  Outcome copy(void *to, const void *from, size_t size);
  Outcome copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                   size_t width);
  Outcome joinStreams(const std::vector<Call> &calls, bool isBefore);
  std::unique_ptr<Plan> makePlan() const {
    return std::unique_ptr<Plan>(new Plan{comm.gate, isCaptured, {}, {}, {}});
  }

  ncclComm &comm;
  const cudaStream_t stream;
  bool isCaptured = false;
  unsigned long long capture = 0;
  cudaGraph_t graph = nullptr; ///< That is captured into.
  const std::vector<Call> *all = nullptr;
};

/// Streams that a group names beside the first: what was in them comes first, and what
/// comes to them waits.
Outcome Enqueuing::joinStreams(const std::vector<Call> &calls, bool isBefore) {
  std::vector<cudaStream_t> done = {stream};
  for (const Call &call : calls) {
    if (std::find(done.begin(), done.end(), call.stream) != done.end())
      continue;
    done.push_back(call.stream);
    cudaEvent_t event;
    cudaError_t error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    if (error == cudaSuccess) {
      error = cudaEventRecord(event, isBefore ? call.stream : stream);
      if (error == cudaSuccess)
        error = cudaStreamWaitEvent(isBefore ? stream : call.stream, event, 0);
      (void)cudaEventDestroy(event);
    }
    if (error != cudaSuccess)
      return cudaFailure(error, "streams of one group");
  }
  return {};
}

Outcome Enqueuing::begin(const std::vector<Call> &calls) {
  all = &calls;
  if (Outcome outcome = joinStreams(calls, true); !outcome.ok())
    return outcome;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaError_t error = cudaStreamGetCaptureInfo_v2(stream, &status, &capture, &graph))
    return cudaFailure(error, "the stream");
  isCaptured = status == cudaStreamCaptureStatusActive;
  const StreamOrder &order = isCaptured ? comm.captured : comm.eager;
  if (!order.isUsed || (isCaptured && order.capture != capture))
    return {};
  return cudaFailure(cudaStreamWaitEvent(stream, order.event, 0),
                     "waiting for the communicator's operations before");
}

Outcome Enqueuing::end() {
  StreamOrder &order = isCaptured ? comm.captured : comm.eager;
  if (!order.event)
    if (cudaError_t error =
            cudaEventCreateWithFlags(&order.event, cudaEventDisableTiming))
      return cudaFailure(error, "an event");
  if (cudaError_t error = cudaEventRecord(order.event, stream))
    return cudaFailure(error, "an event");
  order.isUsed = true;
  order.capture = capture;
  return joinStreams(*all, false);
}

/// The graph, its clones and instances have the object, and the last of them destroys it.
template <class Object> Outcome Enqueuing::keepInGraph(std::unique_ptr<Object> object) {
  cudaUserObject_t kept = nullptr;
  const auto destroy = [](void *own) { delete static_cast<Object *>(own); };
  cudaError_t error = cudaUserObjectCreate(&kept, object.get(), destroy, 1,
                                           cudaUserObjectNoDestructorSync);
  if (error == cudaSuccess) {
    (void)object.release();
    error = cudaGraphRetainUserObject(graph, kept, 1, cudaGraphUserObjectMove);
    if (error != cudaSuccess)
      (void)cudaUserObjectRelease(kept, 1);
  }
  return cudaFailure(error, "an operation in a graph");
}

Outcome Enqueuing::give(std::unique_ptr<Plan> plan) {
  Plan *own = plan.get();
  if (isCaptured) {
    if (Outcome outcome = keepInGraph(std::move(plan)); !outcome.ok())
      return outcome;
  } else {
    std::lock_guard<std::mutex> lock(comm.plansMutex);
    comm.plans.push_back(std::move(plan));
  }
  const cudaError_t error =
      cudaLaunchHostFunc(stream, static_cast<cudaHostFn_t>(carryOut), own);
  if (error == cudaSuccess)
    return {};
  std::lock_guard<std::mutex> lock(comm.plansMutex);
  comm.plans.remove_if([&](const auto &one) { return one.get() == own; });
  return cudaFailure(error, "an operation's turn in the stream");
}

Outcome Enqueuing::addDirect(const std::vector<Call> &calls) {
  std::unique_ptr<Plan> plan = makePlan();
  for (const Call &call : calls)
    if (!call.isTransfer)
      plan->steps.push_back({call.collective, call.factor, call.factorPlace});
    else if (call.isSend)
      plan->outgoing.push_back(call.outgoing);
    else
      plan->incoming.push_back(call.incoming);
  return give(std::move(plan));
}

Outcome Enqueuing::addStaged(const std::vector<Call> &calls) {
  bool hasTransfers = false;
  for (const Call &call : calls) {
    hasTransfers |= call.isTransfer;
    if (call.isTransfer)
      continue;
    if (Outcome outcome = stageCollective(call); !outcome.ok())
      return outcome;
  }
  return hasTransfers ? stageTransfers(calls) : Outcome();
}

/// Memory of the host's for this plan; one that is captured has its own.
Outcome Enqueuing::takeStage(size_t size, char *&stage) {
  stage = nullptr;
  if (!size)
    return {};
  if (isCaptured) {
    auto own = std::make_unique<GraphStage>();
    if (cudaError_t error = own->take(size))
      return cudaFailure(error, "memory for copies");
    stage = own->get();
    return keepInGraph(std::move(own));
  }
  if (size > comm.stageSize) {
    const size_t room = std::max(size, 2 * comm.stageSize);
    void *made = nullptr;
    if (cudaError_t error = cudaHostAlloc(&made, room, cudaHostAllocPortable))
      return cudaFailure(error, "memory for copies");
    comm.stages.push_back(made); // streams may still use the one before
    comm.stageSize = room;
  }
  stage = static_cast<char *>(comm.stages.back());
  return {};
}

Outcome Enqueuing::copy(void *to, const void *from, size_t size) {
  return size ? cudaFailure(cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream),
                            "a copy")
              : Outcome();
}

/// One row for each rank.
Outcome Enqueuing::copyRows(void *to, size_t toPitch, const void *from, size_t fromPitch,
                            size_t width) {
  return cudaFailure(cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, comm.ranks,
                                       cudaMemcpyDefault, stream),
                     "a copy");
}

Outcome Enqueuing::stageCollective(const Call &call) {
  const Collective &whole = call.collective;
  const size_t most = elementsAtOnce(comm, whole);
  const size_t width = sizeOf(whole.reduction.type);
  constexpr size_t head = 64; // for the factor
  const bool isByRank = whole.kind == Collective::Kind::AllGather ||
                        whole.kind == Collective::Kind::ReduceScatter;
  const size_t room = std::min(most, whole.count) * width * (isByRank ? comm.ranks : 1);
  char *stage = nullptr;
  if (Outcome outcome = takeStage(head + room, stage); !outcome.ok())
    return outcome;
  auto *factor = reinterpret_cast<Scalar *>(stage);
  if (call.factorPlace)
    if (Outcome outcome = copy(factor, call.factorPlace, width); !outcome.ok())
      return outcome;
  for (size_t first = 0; first < whole.count; first += most) {
    const size_t count = std::min(most, whole.count - first);
    Outcome outcome = stagePiece({part(whole, first, count), call.factor}, stage + head,
                                 call.factorPlace ? factor : nullptr);
    if (!outcome.ok())
      return outcome;
  }
  return {};
}

/// Copies what this rank gives, lets the host work on it, and copies what it gets.
Outcome Enqueuing::stagePiece(Step step, char *stage, Scalar *factor) {
  using Kind = Collective::Kind;
  const Collective there = step.collective;
  const size_t size = there.bytes();
  const bool isRoot = there.root == comm.rank;
  std::unique_ptr<Plan> plan = makePlan();
  Collective &here = step.collective;
  here.send = here.receive = stage;
  here.stride = size;
  step.factorPlace = factor;
  Outcome outcome;
  if (there.kind == Kind::AllGather) {
    here.send = stage + comm.rank * size;
    outcome = copy(stage + comm.rank * size, there.send, size);
  } else if (there.kind == Kind::ReduceScatter) {
    here.receive = stage + comm.rank * size;
    outcome = copyRows(stage, size, there.send, there.stride, size);
  } else if (there.kind != Kind::Broadcast || isRoot) {
    outcome = copy(stage, there.send, size);
  }
  plan->steps.push_back(step);
  if (outcome.ok())
    outcome = give(std::move(plan));
  if (!outcome.ok())
    return outcome;
  if (there.kind == Kind::AllGather)
    return copyRows(there.receive, there.stride, stage, size, size);
  if (there.kind == Kind::Reduce && !isRoot)
    return {};
  return copy(there.receive, here.receive, size);
}

Outcome Enqueuing::stageTransfers(const std::vector<Call> &calls) {
  size_t size = 0;
  for (const Call &call : calls)
    if (call.isTransfer)
      size += call.isSend ? call.outgoing.size : call.incoming.size;
  char *stage = nullptr;
  if (Outcome outcome = takeStage(size, stage); !outcome.ok())
    return outcome;
  std::unique_ptr<Plan> plan = makePlan();
  std::vector<Incoming> results;
  for (const Call &call : calls) {
    if (!call.isTransfer)
      continue;
    if (call.isSend) {
      const Outgoing &out = call.outgoing;
      if (Outcome outcome = copy(stage, out.data, out.size); !outcome.ok())
        return outcome;
      plan->outgoing.push_back({out.peer, stage, out.size});
      stage += out.size;
    } else {
      plan->incoming.push_back({call.incoming.peer, stage, call.incoming.size});
      results.push_back(call.incoming);
      results.back().data = stage;
      stage += call.incoming.size;
    }
  }
  if (Outcome outcome = give(std::move(plan)); !outcome.ok())
    return outcome;
  for (const Incoming &result : results)
    if (Outcome outcome = copy(result.buffer, result.data, result.size); !outcome.ok())
      return outcome;
  return {};
}

} // namespace

Outcome enqueue(ncclComm &comm, const std::vector<Call> &calls) {
  const DeviceScope scope(comm.device);
  const libs::RelaxedCapture relaxed;
  Enqueuing enqueuing(comm, calls.front().stream);
  Outcome outcome = enqueuing.begin(calls);
  if (outcome.ok())
    outcome = comm.isDirect ? enqueuing.addDirect(calls) : enqueuing.addStaged(calls);
  // What a failure left in the stream is waited for, too.
  const Outcome ended = enqueuing.end();
  return outcome.ok() ? ended : outcome;
}

Outcome noteWork(ncclComm &comm, cudaStream_t stream) {
  const DeviceScope scope(comm.device);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (cudaError_t error = cudaStreamIsCapturing(stream, &status))
    return cudaFailure(error, "the stream");
  if (status != cudaStreamCaptureStatusNone)
    return {};
  StreamOrder &order = comm.eager;
  if (!order.event)
    if (cudaError_t error =
            cudaEventCreateWithFlags(&order.event, cudaEventDisableTiming))
      return cudaFailure(error, "an event");
  order.isUsed = true;
  return cudaFailure(cudaEventRecord(order.event, stream), "an event");
}

Outcome waitForStreams(ncclComm &comm) {
  if (!comm.eager.isUsed)
    return {};
  return cudaFailure(cudaEventSynchronize(comm.eager.event), "the operations before");
}

} // namespace het::nccl
