// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a checkpoint's packages, states and memory, beside its records.

#include "CheckpointFormat.h"
#include "Chunks.h"
#include "FileParts.h"
#include "Records.h"
#include "Sections.h"
#include "Text.h"

#include "het/Base/Parallel.h"
#include "het/Package/Checkpoint.h"
#include "het/Package/Package.h"

#include <algorithm>
#include <cstring>

using namespace het;

Status Checkpoint::damagedChunk(uint64_t chunk, const std::string &what) const {
  return damaged(only[checkpoint::ChunkData],
                 "chunk " + std::to_string(chunk) + ", " + what);
}

static Status outside(const std::string &thing, uint64_t offset, uint64_t size,
                      uint64_t all) {
  return invalid(
      foundExpected(thing, bytesText(size) + " from " + std::to_string(offset) + " on",
                    "a part of its " + bytesText(all), "ask for what is there"));
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

Digest Checkpoint::packageDigest(uint32_t index) const {
  return readSection(*head, packages[index]).digest;
}

Result<ByteView> Checkpoint::package(uint32_t index) const {
  if (index >= packageCount())
    return invalid(foundExpected("package", std::to_string(index),
                                 "less than " + std::to_string(packageCount()),
                                 "ask for one that is there"),
                   source);
  return parts->keep(packages[index], [&](Bytes &storage) {
    return checkedSection(packages[index], storage);
  });
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

uint64_t Checkpoint::rawSize(const Extent &extent, uint64_t index) const {
  return std::min(chunkSize, extent.size - index * chunkSize);
}

Status Checkpoint::loadChunk(uint64_t index, uint8_t *to, uint64_t rawSize) const {
  const Chunk &chunk = (*chunks)[static_cast<size_t>(index)];
  thread_local Bytes storage; // as large as the largest chunk
  Result<ByteView> stored = parts->read(chunk.offset, chunk.storedSize, storage);
  if (!stored.ok())
    return stored.status();
  Status status = unpackChunk(to, rawSize, *stored, chunk.checksum);
  return status.ok() ? status : damagedChunk(index, status.message);
}

Status Checkpoint::readExtent(const Extent &extent, uint64_t offset, uint8_t *to,
                              uint64_t size) const {
  if (offset > extent.size || size > extent.size - offset)
    return outside(source, offset, size, extent.size);
  Bytes whole;
  while (size != 0) {
    uint64_t index = offset / chunkSize, begin = offset % chunkSize;
    uint64_t raw = rawSize(extent, index);
    uint64_t part = std::min(size, raw - begin);
    bool all = part == raw;
    whole.resize(all ? 0 : static_cast<size_t>(raw));
    if (Status status =
            loadChunk(extent.firstChunk + index, all ? to : whole.data(), raw);
        !status.ok())
      return status;
    if (!all)
      std::memcpy(to, whole.data() + begin, static_cast<size_t>(part));
    to += part;
    offset += part;
    size -= part;
  }
  return Status::success();
}

uint64_t Checkpoint::statesSize(size_t launch) const { return states[launch].size; }

Status Checkpoint::readStates(size_t launch, uint64_t offset, uint8_t *to,
                              uint64_t size) const {
  return readExtent(states[launch], offset, to, size);
}

Status Checkpoint::readMemory(size_t region, uint64_t offset, uint8_t *to,
                              uint64_t size) const {
  return readExtent(memory[region], offset, to, size);
}

bool Checkpoint::isZero(size_t region, uint64_t offset) const {
  const Extent &extent = memory[region];
  if (offset >= extent.size)
    return false;
  uint64_t index = extent.firstChunk + offset / chunkSize;
  return (*chunks)[static_cast<size_t>(index)].storedSize == 0;
}

Status Checkpoint::visitMemory(const Visitor &visitor, unsigned threads) const {
  uint64_t first = memory.empty() ? chunks->size() : memory[0].firstChunk;
  uint64_t count = chunks->size() - first;
  return inParallel(count, threads, [&](const std::function<uint64_t()> &next) {
    Bytes raw(static_cast<size_t>(chunkSize));
    for (uint64_t i = next(); i != count; i = next()) {
      if ((*chunks)[static_cast<size_t>(first + i)].storedSize == 0)
        continue;
      auto behind = std::upper_bound(
          memory.begin(), memory.end(), first + i,
          [](uint64_t chunk, const Extent &one) { return chunk < one.firstChunk; });
      const Extent &extent = *std::prev(behind);
      uint64_t within = first + i - extent.firstChunk;
      uint64_t size = rawSize(extent, within);
      Status status = loadChunk(first + i, raw.data(), size);
      if (status.ok())
        status = visitor(static_cast<size_t>(&extent - memory.data()), within * chunkSize,
                         {raw.data(), static_cast<size_t>(size)});
      if (!status.ok())
        return status;
    }
    return Status::success();
  });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

Status Checkpoint::checkExtent(const Extent &extent) const {
  Bytes raw(static_cast<size_t>(std::min(chunkSize, extent.size)));
  for (uint64_t i = 0; i * chunkSize < extent.size; ++i)
    if (Status status = loadChunk(extent.firstChunk + i, raw.data(), rawSize(extent, i));
        !status.ok())
      return status;
  return Status::success();
}

/// Whether each module names what its package has.
static Status checkReferences(const CheckpointContents &contents, uint32_t index,
                              const Package &package) {
  std::string where = " of package " + std::to_string(index);
  for (size_t i = 0; i < contents.modules.size(); ++i) {
    const CheckpointModule &module = contents.modules[i];
    if (module.package != index)
      continue;
    for (const CheckpointVariable &one : module.variables)
      if (one.variable >= package.variableCount())
        return invalid("module " + std::to_string(i) + ": found variable " +
                       std::to_string(one.variable) + ", expected one of the " +
                       std::to_string(package.variableCount()) + where);
    for (const CheckpointLaunch &launch : contents.launches)
      if (launch.module == i && !package.findKernel(launch.kernel).ok())
        return invalid("launch: found kernel " + quoted(launch.kernel) +
                       ", expected one" + where);
  }
  return Status::success();
}

Status Checkpoint::verify(unsigned threads) const {
  for (uint32_t i = 0; i < packageCount(); ++i) {
    Result<ByteView> view = package(i);
    if (!view.ok())
      return view.status();
    std::string name = source + ", package " + std::to_string(i);
    Result<Package> opened = Package::open(*view, name);
    Status status = opened.ok() ? opened->verify() : opened.status();
    if (!status.ok())
      return status;
    status = checkReferences(*said, i, *opened);
    if (!status.ok())
      return damaged(packages[i], status.message);
  }
  for (const Extent &extent : states)
    if (Status status = checkExtent(extent); !status.ok())
      return status;
  return visitMemory([](size_t, uint64_t, ByteView) { return Status::success(); },
                     threads);
}
