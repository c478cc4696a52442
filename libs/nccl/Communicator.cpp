// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communicators: their initialisation, and what ends them.

#include "Communicator.h"
#include "Hub.h"
#include "Plan.h"

#include "het/Base/Log.h"

#include <cstring>
#include <het/native.h>
#include <map>
#include <set>

using namespace het::nccl;

namespace {

/// The parts of an array that leave a process, or are copied for a device, at once.
constexpr size_t pieceSize = 8u << 20;
/// How long operations go on that may not need a rank that is lost: its last messages may
/// be on their way.
constexpr auto graceTime = std::chrono::seconds(2);

std::mutex liveMutex;
std::set<ncclComm_t> &live() {
  static auto &all = *new std::set<ncclComm_t>;
  return all;
}

/// Mailboxes of a communicator, for all of its ranks in this process.
std::shared_ptr<Mailboxes> mailboxesOf(const ncclUniqueId &id) {
  static std::mutex mutex;
  static auto &all = *new std::map<std::string, std::weak_ptr<Mailboxes>>;
  std::lock_guard<std::mutex> lock(mutex);
  for (auto at = all.begin(); at != all.end();)
    at = at->second.expired() ? all.erase(at) : std::next(at);
  std::weak_ptr<Mailboxes> &place = all[std::string(id.internal, sizeof(id.internal))];
  std::shared_ptr<Mailboxes> found = place.lock();
  if (!found)
    place = found = std::make_shared<Mailboxes>();
  return found;
}

/// What a rank tells the others of itself.
struct RankInfo {
  unsigned char process[16];
  int32_t device;
  int32_t isDirect;
  int32_t hasVendor; ///< NVIDIA's library may be its back end.
};

/// Whether the device's memory is the process's, for good.
Outcome findDirect(int device, bool &isDirect) {
  int mayMove = 0, isSeen = 0;
  cudaError_t error = hetGetNativeTarget(device, nullptr, &mayMove);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&isSeen, cudaDevAttrDirectManagedMemAccessFromHost,
                                   device);
  isDirect = isSeen && !mayMove;
  return cudaFailure(error, "the rank's device");
}

class Initialisation {
public:
  Initialisation(ncclComm &comm, const ncclUniqueId &id) : comm(comm), id(id) {}

  Outcome run() {
    Outcome outcome = VendorComm::find(comm.device, hasVendor);
    if (outcome.ok())
      outcome = findDirect(comm.device, comm.isDirect);
    if (outcome.ok())
      outcome = Session::join(id, comm.ranks, comm.rank, comm.session);
    if (outcome.ok())
      outcome = meet();
    if (outcome.ok() && isAllVendors)
      outcome = meetAtVendor();
    if (outcome.ok())
      outcome = link();
    if (!outcome.ok() && comm.session)
      comm.session->leave(false);
    return outcome;
  }

private:
  Outcome gather(const std::string &part, std::vector<std::string> &parts) {
    return comm.session->gather({}, part, parts, [&] { return comm.isAborted.load(); });
  }

  /// Learns where the others are.
  Outcome meet() {
    RankInfo own = {};
    std::memcpy(own.process, processNumber().data(), sizeof(own.process));
    own.device = comm.device;
    own.isDirect = comm.isDirect;
    own.hasVendor = hasVendor;
    std::vector<std::string> parts;
    Outcome outcome =
        gather(std::string(reinterpret_cast<const char *>(&own), sizeof(own)), parts);
    if (!outcome.ok())
      return outcome;
    for (int rank = 0; rank < comm.ranks; ++rank) {
      RankInfo other;
      if (parts[rank].size() != sizeof(other))
        return {ncclInternalError, "a rank's description is not one"};
      std::memcpy(&other, parts[rank].data(), sizeof(other));
      const bool isHere =
          std::memcmp(other.process, own.process, sizeof(own.process)) == 0;
      if (isHere && rank != comm.rank && other.device == own.device)
        return {ncclInvalidUsage, "rank " + std::to_string(comm.rank) + " and rank " +
                                      std::to_string(rank) +
                                      " are of one process and have the same device " +
                                      std::to_string(own.device)};
      isLocal.push_back(isHere);
      isAllHere &= isHere;
      isAllDirect &= other.isDirect != 0;
      isAllVendors &= other.hasVendor != 0;
    }
    return {};
  }

  /// Ranks meet in NVIDIA's library as well; unless all of them do, none has it.
  Outcome meetAtVendor() {
    std::string own;
    std::vector<std::string> parts;
    if (comm.rank == 0)
      if (Outcome outcome = VendorComm::makeId(comm.device, own); !outcome.ok())
        (void)report(outcome); // all hear of it by a part that is none
    if (Outcome outcome = gather(own, parts); !outcome.ok())
      return outcome;
    const Outcome joined =
        VendorComm::join(comm.device, parts[0], comm.ranks, comm.rank, comm.vendor);
    if (!joined.ok())
      (void)report(joined);
    if (Outcome outcome = gather(joined.ok() ? "1" : "", parts); !outcome.ok())
      return outcome;
    for (const std::string &part : parts)
      if (part.empty() && comm.vendor) {
        comm.vendor->abort();
        comm.vendor.reset();
      }
    const auto look = [own = &comm] {
      const Outcome outcome = own->watch();
      if (!outcome.ok())
        own->fail(outcome);
      return outcome.ok();
    };
    return !comm.vendor || comm.watcher.start(look)
               ? Outcome()
               : Outcome{ncclSystemError, "a communicator: found no thread for it"};
  }

  Outcome link() {
    comm.piece = isAllHere && isAllDirect ? SIZE_MAX : pieceSize;
    comm.links = std::make_unique<Links>(comm.rank, isLocal, mailboxesOf(id));
    comm.links->setWatch([own = &comm] { return own->watch(); });
    std::unique_ptr<Network> network;
    std::vector<std::string> addresses;
    if (!isAllHere) {
      if (Outcome outcome = openNetwork(comm.rank, network); !outcome.ok())
        return outcome;
      if (Outcome outcome = gather(network->address(), addresses); !outcome.ok())
        return outcome;
      for (int rank = 0; rank < comm.ranks; ++rank)
        if (isLocal[rank])
          addresses[rank].clear();
      if (Outcome outcome = network->connect(addresses); !outcome.ok())
        return outcome;
      comm.links->setNetwork(std::move(network));
    }
    // Nobody sends before all are there to receive.
    if (Outcome outcome = gather("", addresses); !outcome.ok() || isAllHere)
      return outcome;
    return greetAll();
  }

  /// The first message of each rank to each other one of another process opens the way,
  /// which both work on. None is left alone with it.
  Outcome greetAll() {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    std::vector<char> heard(comm.ranks);
    for (int rank = 0; rank < comm.ranks; ++rank)
      if (!isLocal[rank]) {
        outgoing.push_back({rank, &heard[comm.rank], 1});
        incoming.push_back({rank, &heard[rank], 1});
      }
    Outcome outcome = comm.links->exchange(outgoing, incoming);
    if (outcome.ok())
      outcome = comm.links->finish();
    std::vector<std::string> parts;
    return outcome.ok() ? comm.session->gather({}, "", parts,
                                               [&] {
                                                 comm.links->progress();
                                                 return comm.isAborted.load();
                                               })
                        : outcome;
  }

  ncclComm &comm;
  const ncclUniqueId id;
  std::vector<bool> isLocal;
  bool isAllHere = true, isAllDirect = true, isAllVendors = true, hasVendor = false;
};

} // namespace

ncclComm::~ncclComm() {
  watcher.stop();
  {
    const std::lock_guard<std::mutex> lock(gate->executing);
    gate->comm = nullptr;
  }
  const DeviceScope scope(device);
  for (void *stage : stages)
    (void)cudaFreeHost(stage);
  for (StreamOrder *order : {&eager, &captured})
    if (order->event)
      (void)cudaEventDestroy(order->event);
}

Outcome ncclComm::failure() {
  if (isAborted)
    return {ncclInvalidUsage, "the communicator was aborted"};
  std::lock_guard<std::mutex> lock(failureMutex);
  if (failed.ok() && state == State::Initialising)
    return {ncclInProgress, "the communicator is still being initialised"};
  return failed;
}

void ncclComm::fail(const Outcome &outcome) {
  {
    std::lock_guard<std::mutex> lock(failureMutex);
    if (isFailing)
      return;
    isFailing = true;
  }
  if (!isAborted)
    report(outcome);
  if (session)
    session->giveUp();
  if (vendor)
    vendor->abort();
  // Last, for whoever sees it may delete the communicator.
  std::lock_guard<std::mutex> lock(failureMutex);
  failed = outcome;
}

Outcome ncclComm::watch() {
  if (isAborted)
    return {ncclInvalidUsage, "the communicator was aborted"};
  {
    std::lock_guard<std::mutex> lock(failureMutex);
    if (!failed.ok())
      return failed;
  }
  std::string who;
  if (!session->hasLost(who))
    return {};
  const auto now = std::chrono::steady_clock::now();
  if (lostSince == decltype(lostSince)())
    lostSince = now;
  return now - lostSince < graceTime
             ? Outcome()
             : Outcome{ncclRemoteError, "rank " + std::to_string(rank) + ": " + who};
}

Outcome het::nccl::initialise(ncclComm &comm, const ncclUniqueId &id, int ranks,
                              int rank) {
  comm.ranks = ranks;
  comm.rank = rank;
  const DeviceScope scope(comm.device);
  Outcome outcome = Initialisation(comm, id).run();
  if (outcome.ok()) {
    log(Level::Info, "NCCL: rank %d of %d on device %d, %s", rank, ranks, comm.device,
        comm.vendor     ? "by NVIDIA's library"
        : comm.isDirect ? "in its memory"
                        : "by copies");
    if (!comm.settle(ncclComm::State::Ready))
      return {ncclInvalidUsage, "the communicator was aborted"};
  }
  return outcome;
}

bool het::nccl::isLive(ncclComm_t comm) {
  std::lock_guard<std::mutex> lock(liveMutex);
  return comm && live().count(comm);
}

void het::nccl::addLive(ncclComm_t comm) {
  std::lock_guard<std::mutex> lock(liveMutex);
  live().insert(comm);
}

bool het::nccl::removeLive(ncclComm_t comm) {
  std::lock_guard<std::mutex> lock(liveMutex);
  return live().erase(comm);
}

Outcome het::nccl::argument(const char *function, const std::string &what) {
  return {ncclInvalidArgument, std::string(function) + ": " + what};
}

Outcome het::nccl::check(ncclComm_t comm, const char *function) {
  if (!isLive(comm))
    return argument(function, "found a communicator that is none");
  Outcome failure = comm->failure();
  if (failure.code == ncclInProgress)
    return {ncclInvalidUsage, std::string(function) + ": " + failure.text};
  if (failure.ok() && comm->state == ncclComm::State::Finalised)
    return {ncclInvalidUsage,
            std::string(function) + ": the communicator has been finalised"};
  return failure;
}
