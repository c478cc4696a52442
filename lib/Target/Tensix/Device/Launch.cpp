// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch: what each core needs is written to its memory, the cores are let go, and
// their mailboxes are watched until all are done.

#include "Mirrors.h"
#include "Parking.h"

#include "../../Support/BarrierFaults.h"
#include "../../Support/LaunchShape.h"
#include "../../Support/ServiceRecords.h"
#include "het/Base/Log.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <utility>

using het::target::success;

namespace het::tensix {
namespace {

/// A launch with its arguments copied.
class Launch {
public:
  Launch(HetDevice &device, const HetLaunch &shape)
      : device(device), artifact(*shape.artifact), shape(shape) {
    auto *bytes = static_cast<const uint8_t *>(shape.arguments);
    arguments.assign(bytes, bytes + shape.argumentBytes);
    arguments.resize(std::max<size_t>(arguments.size(), artifact.header.argumentBytes));
    layout = layOut(artifact, threads(), shape.dynamicSharedBytes);
    blocksLeft = blocks();
  }

  /// Makes it one that can be suspended; after check().
  void park(HetLaunchState &state, bool byItself) {
    parking = std::make_unique<Parking>(device, artifact, shape, state, byItself);
    blocksLeft = parking->blocksLeft();
  }

  /// Refuses what is known to be wrong before it runs.
  int32_t check(HetStatus *status) const;
  void run();
  /// In the last run.
  uint64_t parkedNow() const { return parking->parkedNow(); }
  /// Whether to run it once more would do anything.
  bool goesOn() const { return !device.hasFault() && !device.parking; }

private:
  uint64_t blocks() const {
    return uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  }
  /// Of one cluster; 0: there are none.
  uint64_t clusterBlocks() const {
    return uint64_t(shape.cluster[0]) * shape.cluster[1] * shape.cluster[2];
  }
  /// Places that may have blocks: in a cooperative launch those of as many clusters as
  /// have room, else those of one.
  uint32_t placesOfCore() const {
    const uint64_t cluster = clusterBlocks();
    if (!cluster)
      return layout.placeCount;
    return shape.cooperative ? layout.placeCount / cluster * cluster : cluster;
  }
  uint32_t threads() const { return shape.block[0] * shape.block[1] * shape.block[2]; }
  std::string name() const { return "kernel '" + artifact.name + "'"; }
  uint32_t mostCores() const {
    return std::min<uint64_t>(
        {device.chip->cores().size(), device.mostCores, blocksLeft});
  }
  HetTensixMailbox makeMailbox(const std::vector<HetTensixRange> &ranges) const;
  void load(uint32_t node, const HetTensixMailbox &mailbox);
  void runOnChip();
  void watch(Mirrors &mirrors);
  bool answerFences(Mirrors &mirrors);
  bool poll(uint32_t &progress);
  void settle(uint32_t node);
  void reportStuck(uint32_t node);
  std::string describe(const HetTensixMailbox &mailbox) const;
  HetTensixMailbox readMailbox(uint32_t node);
  void resetServices();
  void collectServices();

  HetDevice &device;
  HetArtifact &artifact;
  HetLaunch shape;
  std::vector<uint8_t> arguments;
  Layout layout;
  std::unique_ptr<Parking> parking; ///< Null: it is not suspendable.
  uint64_t blocksLeft;              ///< That have not ended.
  HetTensixMailbox sent = {};       ///< As cores got it, but for their numbers.
  std::vector<uint32_t> running;    ///< Nodes of cores that have not ended.
  uint32_t ended = 0;               ///< Last progress of cores that have ended.
};

int32_t Launch::check(HetStatus *status) const {
  auto refuse = [&](int32_t code, const std::string &what) {
    return report(status, code, name() + ": " + what);
  };
  if (std::string wrong = target::checkShape(shape); !wrong.empty())
    return refuse(HET_INVALID, wrong);
  const uint32_t most = artifact.header.maxThreads ? artifact.header.maxThreads : 1024;
  if (threads() > most)
    return refuse(HET_INVALID, "found " + std::to_string(threads()) +
                                   " threads a block, expected at most " +
                                   std::to_string(most));
  const uint32_t memory = device.chip->architecture().coreBytes;
  if (!layout.placeCount)
    return refuse(HET_UNSUPPORTED,
                  "a block needs " + std::to_string(layout.wanted) +
                      " bytes of its core's memory (" +
                      std::to_string(layout.sharedBytes) + " shared, " +
                      std::to_string(artifact.header.frameBytesPerThread) +
                      " for each thread's state), of which there are " +
                      std::to_string(memory - layout.firstPlace));
  if (blocks() > UINT32_MAX / 2)
    return refuse(HET_UNSUPPORTED, "found " + std::to_string(blocks()) +
                                       " blocks, expected at most " +
                                       std::to_string(UINT32_MAX / 2));
  if (clusterBlocks() > layout.placeCount)
    return refuse(HET_UNSUPPORTED,
                  "found clusters of " + std::to_string(clusterBlocks()) +
                      " blocks, expected at most " + std::to_string(layout.placeCount) +
                      ": so many have room in a core's memory, with " +
                      std::to_string(layout.wanted) + " bytes each");
  uint64_t resident = uint64_t(mostCores()) * placesOfCore();
  if (shape.cooperative && blocks() > resident)
    return refuse(HET_INVALID,
                  "found " + std::to_string(blocks()) +
                      " blocks that are to run at once, expected at most " +
                      std::to_string(resident) +
                      (clusterBlocks() > 1
                           ? ": the blocks of a cluster, " +
                                 std::to_string(clusterBlocks()) + ", share a core"
                           : ""));
  return success(status);
}

HetTensixMailbox Launch::makeMailbox(const std::vector<HetTensixRange> &ranges) const {
  const Architecture &chip = device.chip->architecture();
  HetTensixMailbox mailbox = {};
  mailbox.coreCount = mostCores();
  mailbox.bankCount = device.chip->banks().size();
  mailbox.rangeCount = ranges.size();
  mailbox.blockCount = blocksLeft;
  mailbox.cooperative = shape.cooperative != 0;
  mailbox.clusterBlocks = clusterBlocks();
  mailbox.placeCount = placesOfCore();
  mailbox.firstPlace = layout.firstPlace;
  mailbox.placeBytes = layout.placeBytes;
  mailbox.sharedOffset = layout.sharedOffset;
  mailbox.frameOffset = layout.frameOffset;
  mailbox.memoryBytes = chip.coreBytes;
  mailbox.block.services = device.services;
  mailbox.block.arguments = layout.arguments;
  mailbox.block.variables = layout.variables;
  mailbox.block.sharedBytes = layout.sharedBytes;
  mailbox.block.dynamicSharedOffset = layout.dynamicSharedOffset;
  mailbox.block.threadCount = threads();
  mailbox.block.cooperative = shape.cooperative != 0;
  std::copy_n(shape.block, 3, mailbox.block.blockDim);
  std::copy_n(shape.grid, 3, mailbox.block.gridDim);
  std::copy_n(shape.cluster, 3, mailbox.block.clusterDim);
  mailbox.block.clusterGiven = shape.clusterGiven != 0;
  mailbox.block.clusterStride = layout.placeBytes;
  std::copy(device.chip->banks().begin(), device.chip->banks().end(), mailbox.banks);
  std::copy_n(device.chip->cores().begin(), mailbox.coreCount, mailbox.homes);
  std::copy(ranges.begin(), ranges.end(), mailbox.ranges);
  if (parking)
    parking->fillIn(mailbox);
  return mailbox;
}

void Launch::load(uint32_t node, const HetTensixMailbox &mailbox) {
  Chip &chip = *device.chip;
  const HetTensixHome home = {};
  chip.writeCore(node, HET_TENSIX_HOME, &home, sizeof(home));
  chip.writeCore(node, HET_TENSIX_MAILBOX, &mailbox, sizeof(mailbox));
  chip.writeCore(node, HET_TENSIX_IMAGE, artifact.image.data(), artifact.image.size());
  chip.writeCore(node, layout.arguments, arguments.data(), arguments.size());
  chip.writeCore(node, layout.variables, artifact.variables.data(),
                 artifact.variables.size() * 8);
  // The core begins at 0, with `jal zero` to the image: 20 bits of the distance.
  const uint32_t to = HET_TENSIX_IMAGE;
  const uint32_t jump = (to & 0x100000) << 11 | (to & 0x7FE) << 20 | (to & 0x800) << 9 |
                        (to & 0xFF000) | 0x6F;
  chip.writeCore(node, 0, &jump, sizeof(jump));
}

/// Reads what the core says; a kernel may have written over what the host has written
/// there.
HetTensixMailbox Launch::readMailbox(uint32_t node) {
  HetTensixMailbox mailbox;
  device.chip->readCore(node, HET_TENSIX_MAILBOX, &mailbox, sizeof(mailbox));
  std::memcpy(&mailbox, &sent, offsetof(HetTensixMailbox, parking));
  mailbox.core = std::find(sent.homes, sent.homes + sent.coreCount, node) - sent.homes;
  return mailbox;
}

std::string Launch::describe(const HetTensixMailbox &mailbox) const {
  std::string where = "block " + std::to_string(mailbox.current) + " in place " +
                      std::to_string(mailbox.currentPlace) + " of the core at " +
                      nameOf(mailbox.homes[mailbox.core]) + ", ";
  if (mailbox.segment == HET_TENSIX_NO_SEGMENT)
    return where + "before a segment";
  where += "in segment " + std::to_string(mailbox.segment);
  if (mailbox.team == HET_TENSIX_ALL_TEAMS)
    return where + " of all lanes that have not ended";
  return where + ", team " + std::to_string(mailbox.team) + ", lanes " +
         hexadecimal(mailbox.lanes);
}

/// The one that all targets have of this kind.
static uint32_t serviceFaultOf(uint32_t fault) {
  switch (fault) {
  case HET_TENSIX_FAULT_ASSERT:
    return HET_SERVICE_FAULT_ASSERT;
  case HET_TENSIX_FAULT_TRAP:
    return HET_SERVICE_FAULT_TRAP;
  case HET_TENSIX_FAULT_FREE:
    return HET_SERVICE_FAULT_FREE;
  default:
    return HET_SERVICE_FAULT_NONE;
  }
}

/// Settles a core that has stopped by itself.
void Launch::settle(uint32_t node) {
  const HetTensixMailbox mailbox = readMailbox(node);
  ended += mailbox.progress;
  if (parking)
    parking->collect(mailbox);
  if (mailbox.state != HET_TENSIX_FAULTED)
    return;
  const std::string where = name() + ", " + describe(mailbox) + ": ";
  if (uint32_t kind = serviceFaultOf(mailbox.fault)) {
    const target::ServiceFault fault = target::serviceFault(kind, artifact.name);
    return device.fail(fault.kind, fault.text);
  }
  switch (mailbox.fault) {
  case HET_TENSIX_FAULT_GRID_BARRIER:
    return device.fail(HET_FAULT_TRAP,
                       "a grid barrier in a launch that is not cooperative");
  case HET_TENSIX_FAULT_CLUSTER:
    return device.fail(HET_FAULT_DEADLOCK, name() + ": " + target::deadlockInCluster);
  case HET_TENSIX_FAULT_ADDRESS:
    return device.fail(HET_FAULT_ILLEGAL_ADDRESS, where + "there is no memory at " +
                                                      hexadecimal(mailbox.faultAddress));
  case HET_TENSIX_FAULT_STACK:
    return device.fail(HET_FAULT_ILLEGAL_ADDRESS,
                       where + "its calls need more than the " +
                           std::to_string(HET_TENSIX_STACK_TOP - HET_TENSIX_LOWEST_DATA) +
                           " bytes of the core's stack; recursion is too deep");
  case HET_TENSIX_FAULT_ALIGNMENT:
    return device.fail(HET_FAULT_MISALIGNED_ADDRESS,
                       where + "found an access of " +
                           std::to_string(mailbox.faultDetail) + " bytes at " +
                           hexadecimal(mailbox.faultAddress));
  default:
    break;
  }
  if (auto fault = target::barrierFault(mailbox.faultDetail))
    return device.fail(fault->kind, name() + ": " + fault->text);
  device.fail(HET_FAULT_DEADLOCK,
              mailbox.faultDetail == HET_TENSIX_DEADLOCK
                  ? name() + ": threads wait for threads that never come"
                  : where + "it returned " + std::to_string(mailbox.faultDetail));
}

/// Stops the cores that have ended. False: all have, or one has a fault.
bool Launch::poll(uint32_t &progress) {
  Chip &chip = *device.chip;
  progress = ended;
  std::vector<uint32_t> left;
  size_t idle = 0;
  for (uint32_t node : running) {
    const uint32_t words = HET_TENSIX_MAILBOX;
    uint32_t state = chip.readWord(node, words + offsetof(HetTensixMailbox, state));
    if (state == HET_TENSIX_DONE || state == HET_TENSIX_FAULTED) {
      chip.stop(node);
      settle(node);
      continue;
    }
    if (state > HET_TENSIX_FAULTED) {
      device.fail(HET_FAULT_LOST, name() + ": the core at " + nameOf(node) +
                                      " does not answer: found its state to be " +
                                      hexadecimal(state) + ", expected at most " +
                                      std::to_string(HET_TENSIX_FAULTED));
      return false;
    }
    left.push_back(node);
    idle += state == HET_TENSIX_IDLE;
    progress += chip.readWord(node, words + offsetof(HetTensixMailbox, progress));
  }
  running = std::move(left);
  if (idle && idle == running.size() && parking && parking->endsIdle())
    for (uint32_t node : std::exchange(running, {})) {
      chip.stop(node);
      settle(node);
    }
  return !running.empty() && !device.hasFault();
}

void Launch::reportStuck(uint32_t node) {
  std::string where = describe(readMailbox(node));
  if (std::optional<uint32_t> pc = device.chip->programCounter(node))
    where += ", at pc " + hexadecimal(*pc);
  if (running.size() > 1)
    where +=
        ", and " + std::to_string(running.size() - 1) + " more cores that have not ended";
  device.fail(HET_FAULT_LOST,
              name() + " does not go on: " + where + " (HET_TENSIX_TIMEOUT)");
}

/// Answers cores that wait for it at a fence of the system. True: there were some.
bool Launch::answerFences(Mirrors &mirrors) {
  std::vector<std::pair<uint32_t, uint32_t>> asked; // node, fences so far
  auto word = [&](uint32_t node, size_t offset) {
    return device.chip->readWord(node, HET_TENSIX_MAILBOX + offset);
  };
  {
    std::lock_guard<FairMutex> lock(device.chipMutex);
    for (uint32_t node : running)
      if (uint32_t count = word(node, offsetof(HetTensixMailbox, asked));
          count != word(node, offsetof(HetTensixMailbox, answered)))
        asked.emplace_back(node, count);
  }
  if (asked.empty()) {
    mirrors.exchangeIfDue();
    return false;
  }
  mirrors.exchange();
  std::lock_guard<FairMutex> lock(device.chipMutex);
  for (auto [node, count] : asked)
    device.chip->writeCore(node,
                           HET_TENSIX_MAILBOX + offsetof(HetTensixMailbox, answered),
                           &count, sizeof(count));
  return true;
}

void Launch::watch(Mirrors &mirrors) {
  using Clock = std::chrono::steady_clock;
  constexpr uint32_t fewest = 2000;
  const uint32_t most = parking ? 20000 : 200000; // the flag is to be seen soon
  uint32_t clocks = fewest, last = 0, now = 0;
  Clock::time_point since = Clock::now();
  for (;;) {
    if (mirrors.any() && answerFences(mirrors)) {
      since = Clock::now();
      clocks = fewest;
    }
    std::lock_guard<FairMutex> lock(device.chipMutex);
    if (parking && parking->tell(running))
      clocks = fewest;
    device.chip->pass(clocks);
    clocks = std::min(clocks * 2, device.parksByItself && parking ? fewest : most);
    if (!poll(now) || device.isLost())
      break;
    if (now != last)
      since = Clock::now();
    last = now;
    if (device.patience && Clock::now() - since > std::chrono::seconds(device.patience)) {
      reportStuck(running.front());
      break;
    }
  }
  std::lock_guard<FairMutex> lock(device.chipMutex);
  for (uint32_t node : running)
    device.chip->stop(node);
}

void Launch::resetServices() {
  HetServices services = {};
  services.output = device.services + servicesBytes;
  services.outputBytes = device.madeOutputBytes;
  copy(device, device.services, reinterpret_cast<uint64_t>(&services), sizeof(services));
}

void Launch::collectServices() {
  HetServices services = {};
  copy(device, reinterpret_cast<uint64_t>(&services), device.services, sizeof(services));
  std::vector<uint8_t> output(std::min(services.outputUsed, device.madeOutputBytes));
  copy(device, reinterpret_cast<uint64_t>(output.data()), device.services + servicesBytes,
       output.size());
  {
    std::lock_guard<FairMutex> lock(device.chipMutex);
    if (device.isLost()) // and what was read is none of its memory
      return;
  }
  target::carryOutRecords(output.data(), output.size());
}

void Launch::run() {
  std::lock_guard<std::mutex> lock(device.launchMutex);
  if (device.hasFault())
    return;
  if (!makeServices(device))
    return device.fail(HET_FAULT_LOST, "no memory for the output of kernels");
  if (!parking || parking->prepare())
    runOnChip();
  if (parking)
    parking->finish();
}

void Launch::runOnChip() {
  std::vector<HetTensixRange> ranges = rangesForCores(device);
  if (ranges.size() > HET_TENSIX_MOST_RANGES)
    return device.fail(HET_FAULT_UNSUPPORTED,
                       "found " + std::to_string(ranges.size()) +
                           " separate pieces of memory, expected at most " +
                           std::to_string(HET_TENSIX_MOST_RANGES));
  resetServices();
  Mirrors mirrors(device);
  {
    std::lock_guard<FairMutex> lock(device.chipMutex);
    sent = makeMailbox(ranges);
    sent.exchanges = mirrors.any();
    for (sent.core = 0; sent.core < sent.coreCount; ++sent.core) {
      load(sent.homes[sent.core], sent);
      running.push_back(sent.homes[sent.core]);
    }
    for (uint32_t node : running)
      device.chip->start(node);
  }
  watch(mirrors);
  mirrors.exchange();
  collectServices();
}

/// Parks it again and again, for tests of kernels' suspendable forms.
void runByItself(Launch &launch, HetLaunchState &state, uint64_t parks) {
  uint64_t parked = 0;
  for (uint64_t turn = 0; turn < parks && launch.goesOn(); ++turn) {
    launch.park(state, /*byItself=*/true);
    launch.run();
    parked += launch.parkedNow();
    if (std::count(state.blocks, state.blocks + state.blockCount, HET_BLOCK_ENDED) ==
        static_cast<int64_t>(state.blockCount))
      break;
  }
  if (parks)
    log(Level::Info, "a launch of %llu blocks: parked by themselves %llu times",
        static_cast<unsigned long long>(state.blockCount),
        static_cast<unsigned long long>(parked));
}

/// Null, with a status, where it can not run.
std::shared_ptr<Launch> makeLaunch(HetQueue *queue, const HetLaunch *shape,
                                   HetStatus *status) {
  auto launch = std::make_shared<Launch>(*queue->device, *shape);
  return launch->check(status) ? nullptr : launch;
}

} // namespace

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status) {
  std::shared_ptr<Launch> launch = makeLaunch(queue, shape, status);
  if (!launch)
    return status->code;
  return target::report(status, queue->queue.push([launch] { launch->run(); }));
}

int32_t enqueueParkable(HetQueue *queue, const HetLaunch *shape, HetLaunchState *state,
                        HetStatus *status) {
  std::shared_ptr<Launch> launch = makeLaunch(queue, shape, status);
  if (!launch)
    return status->code;
  const HetParkingInfo kernel = describe(*shape->artifact);
  if (std::string wrong = target::checkLaunchState(*state, kernel, *shape);
      !wrong.empty())
    return report(status, HET_INVALID, wrong);
  auto run = [launch, state, parks = queue->device->parksByItself] {
    runByItself(*launch, *state, parks);
    launch->park(*state, /*byItself=*/false);
    launch->run();
  };
  return target::report(status, queue->queue.push(run));
}

} // namespace het::tensix
