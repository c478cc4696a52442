// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing launches, stream by stream, and the states of their blocks.

#include "Diff.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace het {

/// How much of the states is read at once.
static constexpr uint64_t batchBytes = uint64_t(1) << 24;

using Shape = std::array<uint32_t, 3>;

static std::string shapeText(const Shape &shape) {
  return std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" +
         std::to_string(shape[2]);
}

namespace {

/// One launch of a checkpoint.
struct Side {
  const Checkpoint &checkpoint;
  size_t number;

  const CheckpointLaunch &launch() const {
    return checkpoint.contents().launches[number];
  }
  Digest package() const {
    return checkpoint.packageDigest(
        checkpoint.contents().modules[launch().module].package);
  }
};

/// Compares two launches at the same place of the same stream.
class LaunchDiff {
public:
  LaunchDiff(Side a, Side b, std::string where, Findings &findings)
      : a(a), b(b), where(std::move(where)), findings(findings) {}

  Status run();

private:
  void differ(const std::string &what, const std::string &x, const std::string &y) {
    findings.add(where + ": " + what + ": " + x + ", " + y);
  }
  template <typename T> bool same(const char *what, T x, T y) {
    if (x != y)
      differ(what, std::to_string(x), std::to_string(y));
    return x == y;
  }

  bool sameShapes();
  bool sameBlocks();
  void diffArguments();
  Status diffStates();
  Status diffRun(uint64_t block, uint64_t parked, uint64_t count);
  void diffBlock(uint64_t block, ByteView x, ByteView y);
  void diffPart(uint64_t block, const char *what, ByteView x, ByteView y);

  const Side a, b;
  const std::string where;
  Findings &findings;
};

} // namespace

static std::string indexText(uint64_t number, const Shape &shape) {
  uint64_t x = number % shape[0], rest = number / shape[0];
  std::string text = std::to_string(number);
  if (shape[1] == 1 && shape[2] == 1)
    return text;
  return text + " (" + std::to_string(x) + "," + std::to_string(rest % shape[1]) + "," +
         std::to_string(rest / shape[1]) + ")";
}

/// Whether blocks can be held against each other.
bool LaunchDiff::sameShapes() {
  const CheckpointLaunch &x = a.launch(), &y = b.launch();
  bool shapes = x.grid == y.grid && x.block == y.block;
  if (x.grid != y.grid)
    differ("grid", shapeText(x.grid), shapeText(y.grid));
  if (x.block != y.block)
    differ("threads of a block", shapeText(x.block), shapeText(y.block));
  bool dynamic =
      same("bytes of dynamic shared memory", x.dynamicSharedBytes, y.dynamicSharedBytes);
  same("cooperative", unsigned(x.cooperative), unsigned(y.cooperative));
  return shapes && dynamic;
}

void LaunchDiff::diffArguments() {
  const Bytes &x = a.launch().arguments, &y = b.launch().arguments;
  if (!same("bytes of arguments", x.size(), y.size()))
    return;
  auto [at, other] = std::mismatch(x.begin(), x.end(), y.begin());
  if (at != x.end())
    differ("byte " + std::to_string(at - x.begin()) + " of the arguments",
           std::to_string(*at), std::to_string(*other));
}

static const char *statusText(uint8_t status) {
  static const char *const words[] = {"not started", "parked", "ended"};
  return words[status];
}

/// Whether each block stands alike, but for its state.
bool LaunchDiff::sameBlocks() {
  const std::vector<BlockRun> &x = a.launch().blocks, &y = b.launch().blocks;
  uint64_t block = 0, usedX = 0, usedY = 0, first = 0, count = 0;
  std::string words[2];
  for (auto i = x.begin(), j = y.begin(); i != x.end() && j != y.end();) {
    uint64_t part = std::min(i->count - usedX, j->count - usedY);
    if (i->status != j->status) {
      if (count == 0) {
        first = block;
        words[0] = statusText(i->status);
        words[1] = statusText(j->status);
      }
      count += part;
    }
    block += part;
    usedX += part;
    usedY += part;
    if (usedX == i->count) {
      ++i;
      usedX = 0;
    }
    if (usedY == j->count) {
      ++j;
      usedY = 0;
    }
  }
  if (count != 0)
    differ("block " + indexText(first, a.launch().grid), words[0],
           words[1] + "; blocks that differ: " + std::to_string(count));
  return count == 0;
}

/// One part of a block's state, without its padding.
void LaunchDiff::diffPart(uint64_t block, const char *what, ByteView x, ByteView y) {
  const uint8_t *at = std::mismatch(x.begin(), x.end(), y.begin()).first;
  if (at != x.end())
    differ("block " + indexText(block, a.launch().grid) + ", byte " +
               std::to_string(at - x.begin()) + " of " + what,
           std::to_string(*at), std::to_string(y.data[at - x.begin()]));
}

static std::string pcText(uint32_t pc) {
  return pc == 0xffffffff ? "ended" : std::to_string(pc);
}

void LaunchDiff::diffBlock(uint64_t block, ByteView x, ByteView y) {
  const CheckpointLaunch &launch = a.launch();
  BlockStateLayout layout = blockStateLayout(launch);
  const uint64_t threads = threadsOfBlock(launch);
  ByteReader pcsX(*x.slice(0, threads * 4));
  ByteReader pcsY(*y.slice(0, threads * 4));
  for (uint64_t thread = 0; thread < threads; ++thread) {
    uint32_t pcX = pcsX.u32(), pcY = pcsY.u32();
    if (pcX == pcY)
      continue;
    differ("block " + indexText(block, launch.grid) + ", thread " +
               indexText(thread, launch.block) + ", pc",
           pcText(pcX), pcText(pcY));
    break;
  }
  auto part = [&](const char *what, uint64_t offset, uint64_t size) {
    diffPart(block, what, *x.slice(offset, size), *y.slice(offset, size));
  };
  uint64_t pcs = layout.paddedThreads * 4;
  part("its threads' slots and local objects", pcs, layout.threadsBytes - pcs);
  part("its static shared memory", layout.sharedOffset, launch.sharedBytes);
  part("its dynamic shared memory", layout.dynamicSharedOffset,
       launch.dynamicSharedBytes);
}

/// Compares the states of all parked blocks. Each stands alike in both.
Status LaunchDiff::diffStates() {
  const CheckpointLaunch &x = a.launch(), &y = b.launch();
  if (parkedBlocks(x) == 0)
    return Status::success();
  bool alike = x.layout == y.layout;
  if (!alike)
    differ("layout of states", addressText(x.layout), addressText(y.layout));
  alike &= same("bytes of a thread's state", x.threadBytes, y.threadBytes);
  alike &= same("bytes of static shared memory", x.sharedBytes, y.sharedBytes);
  if (!alike)
    return Status::success();
  uint64_t block = 0, parked = 0;
  for (const BlockRun &run : x.blocks) {
    if (run.status == 1) {
      if (Status status = diffRun(block, parked, run.count); !status.ok())
        return status;
      parked += run.count;
    }
    block += run.count;
  }
  return Status::success();
}

/// Compares the states of a run of parked blocks, the first of which is
/// `parked` of those. Reads many at a time, as chunks hold many.
Status LaunchDiff::diffRun(uint64_t block, uint64_t parked, uint64_t count) {
  uint64_t size = blockStateLayout(a.launch()).size;
  uint64_t most = std::max<uint64_t>(1, batchBytes / size);
  Bytes ours, theirs;
  for (uint64_t first = 0; first < count; first += most) {
    uint64_t some = std::min(most, count - first);
    ours.resize(static_cast<size_t>(some * size));
    theirs.resize(ours.size());
    uint64_t offset = (parked + first) * size;
    Status status = a.checkpoint.readStates(a.number, offset, ours.data(), ours.size());
    if (status.ok())
      status = b.checkpoint.readStates(b.number, offset, theirs.data(), ours.size());
    if (!status.ok())
      return status;
    for (uint64_t i = 0; i < some; ++i) {
      ByteView x = *ByteView(ours).slice(i * size, size);
      ByteView y = *ByteView(theirs).slice(i * size, size);
      if (!sameBytes(x, y))
        diffBlock(block + first + i, x, y);
    }
  }
  return Status::success();
}

Status LaunchDiff::run() {
  const CheckpointLaunch &x = a.launch(), &y = b.launch();
  if (x.kernel != y.kernel) {
    differ("kernel", x.kernel, y.kernel);
    return Status::success();
  }
  if (a.package() != b.package())
    differ("package", hex(a.package()), hex(b.package()));
  diffArguments();
  if (!sameShapes() || !sameBlocks())
    return Status::success();
  return diffStates();
}

/// The launches of each stream, in its order.
static std::map<uint32_t, std::vector<Side>> streamsOf(const Checkpoint &checkpoint) {
  std::map<uint32_t, std::vector<Side>> streams;
  const std::vector<CheckpointLaunch> &launches = checkpoint.contents().launches;
  for (size_t i = 0; i < launches.size(); ++i)
    streams[launches[i].stream].push_back({checkpoint, i});
  return streams;
}

Status diffLaunches(const Checkpoint &a, const Checkpoint &b, Findings &findings) {
  auto ours = streamsOf(a), theirs = streamsOf(b);
  for (auto &[stream, launches] : theirs)
    ours[stream]; // streams of one only have no launches in the other
  for (auto &[stream, launches] : ours) {
    std::vector<Side> &others = theirs[stream];
    for (size_t i = 0; i < std::max(launches.size(), others.size()); ++i) {
      bool first = i < launches.size(), second = i < others.size();
      const Side &one = first ? launches[i] : others[i];
      std::string where = "stream " + std::to_string(stream) + ", launch " +
                          std::to_string(i) + " (" + one.launch().kernel + ")";
      if (!first || !second) {
        findings.add(where + ": only in the " + (first ? "first" : "second"));
        continue;
      }
      Status status = LaunchDiff(launches[i], others[i], where, findings).run();
      if (!status.ok())
        return status;
    }
  }
  return Status::success();
}

} // namespace het
