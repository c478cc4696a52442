// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank of a communicator: where it lies, how it reaches the others, and what it keeps
// for its operations.

#ifndef HET_LIBS_NCCL_COMMUNICATOR_H
#define HET_LIBS_NCCL_COMMUNICATOR_H

#include "Algorithms.h"
#include "Session.h"
#include "Vendor.h"
#include "Watcher.h"
#include "common/Aside.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace het::nccl {

using libs::DeviceScope;

/// An operation of the program's: a sum of numbers with factors.
struct OwnOperation {
  bool isThere = false;
  ncclDataType_t type = ncclFloat32;
  Scalar factor;
  const void *place = nullptr; ///< Of the factor on the device; null: it is `factor`.
};

struct Plan;

/// By what a plan knows its communicator: a graph may be launched when that is gone.
struct Gate {
  std::mutex executing; ///< Held while a plan is carried out; guards what follows.
  ncclComm *comm;       ///< Null: it is gone.
};

/// Orders a communicator's operations, which may come in several streams.
struct StreamOrder {
  cudaEvent_t event = nullptr;
  bool isUsed = false;
  unsigned long long capture = 0; ///< Of a captured stream: which capture.
};

} // namespace het::nccl

/// What the program has a pointer to.
struct ncclComm {
  /// Abandoned: aborted while a thread initialises it, which then deletes it.
  enum class State { Initialising, Ready, Finalised, Failed, Abandoned };

  int rank = 0, ranks = 0, device = 0;
  bool isBlocking = true;
  std::atomic<State> state{State::Initialising};
  std::atomic<bool> isAborted{false};

  std::unique_ptr<het::nccl::Session> session;
  std::unique_ptr<het::nccl::Links> links;
  std::unique_ptr<het::nccl::VendorComm> vendor; ///< Null: operations are ours.
  het::nccl::Watcher watcher;                    ///< For NVIDIA's.
  /// Operations work on device memory itself; else they go through memory of the host's.
  bool isDirect = false;
  /// The most bytes of an array that are worked on at once; the same for all ranks.
  size_t piece = 0;

  const std::shared_ptr<het::nccl::Gate> gate{new het::nccl::Gate{{}, this}};
  het::nccl::Scratch scratch;
  std::chrono::steady_clock::time_point lostSince{};

  /// What streams have been given and have not done. Graphs have their own.
  std::mutex plansMutex;
  std::list<std::unique_ptr<het::nccl::Plan>> plans;
  /// Pinned memory for devices whose memory the host does not see; the last is the one in
  /// use. Graphs have their own.
  std::vector<void *> stages;
  size_t stageSize = 0;
  het::nccl::StreamOrder eager, captured;
  std::vector<het::nccl::OwnOperation> operations;

  ~ncclComm();
  /// The failure that ended the communicator's operations; in progress while it is
  /// initialised.
  het::nccl::Outcome failure();
  void fail(const het::nccl::Outcome &outcome);
  /// Ends the initialisation in one of the later states. False: it has been ended
  /// otherwise.
  bool settle(State end) {
    State expected = State::Initialising;
    return state.compare_exchange_strong(expected, end);
  }
  /// Why an operation that waits is to give up.
  het::nccl::Outcome watch();

private:
  std::mutex failureMutex;
  bool isFailing = false;
  het::nccl::Outcome failed;
};

namespace het::nccl {

/// Initialises a communicator that the program has already.
Outcome initialise(ncclComm &comm, const ncclUniqueId &id, int ranks, int rank);

/// Whether it is one that was made and has not been destroyed.
bool isLive(ncclComm_t comm);
void addLive(ncclComm_t comm);
/// False: it was not there.
bool removeLive(ncclComm_t comm);

/// A communicator that can be used, or why not.
Outcome check(ncclComm_t comm, const char *function);
Outcome argument(const char *function, const std::string &what);

/// Puts what a group has for one communicator into its streams.
struct Call {
  ncclComm_t comm;
  cudaStream_t stream;
  bool isTransfer;
  Collective collective;
  Scalar factor;                     ///< The collective's; or where it is:
  const void *factorPlace = nullptr; ///< on the device.
  Outgoing outgoing;                 ///< Of a transfer, if `isSend`.
  Incoming incoming;
  bool isSend;
};
Outcome enqueue(ncclComm &comm, const std::vector<Call> &calls);
/// A stream has got work of the communicator's that is waited for in the end.
Outcome noteWork(ncclComm &comm, cudaStream_t stream);
/// Waits until the streams have done what they were given.
Outcome waitForStreams(ncclComm &comm);

} // namespace het::nccl

#endif // HET_LIBS_NCCL_COMMUNICATOR_H
