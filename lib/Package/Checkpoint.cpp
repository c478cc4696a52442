// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint: its records are read when it is opened; its packages, states and memory
// when they are asked for.

#include "het/Package/Checkpoint.h"

#include "CheckpointChunks.h"
#include "CheckpointRecords.h"
#include "CheckpointSections.h"
#include "FileParts.h"
#include "Records.h"
#include "Sections.h"
#include "Text.h"

#include "het/Package/Package.h"

using namespace het;
using namespace het::checkpoint;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Reads what the file says, and the size of its chunks.
static Status readRecords(const CheckpointSections &sections,
                          CheckpointContents &contents, uint64_t &chunkSize) {
  // Reads one section into a list of the contents, then checks it.
  auto take = [&](SectionType type, auto &list, auto read, auto check) -> Status {
    Bytes storage;
    Result<ByteView> view = sections.checked(sections.only(type), storage);
    if (!view.ok())
      return view.status();
    auto records = read(*view);
    Status status = records.status();
    if (status.ok()) {
      list = records.take();
      status = check();
    }
    return status.ok() ? status : sections.damaged(sections.only(type), status.message);
  };
  Status status = take(Devices, contents.devices, readDevices,
                       [&] { return checkDevices(contents); });
  if (status.ok())
    status = take(Modules, contents.modules, readModules,
                  [&] { return checkModules(contents, sections.packageCount()); });
  if (status.ok())
    status = take(Launches, contents.launches, readLaunches,
                  [&] { return checkLaunches(contents); });
  if (status.ok())
    status = take(
        Memory, contents.regions,
        [&](ByteView view) { return readRegions(view, chunkSize); },
        [&] {
          Status size = checkChunkBytes(chunkSize);
          return size.ok() ? checkRegions(contents) : size;
        });
  return status;
}

Result<Checkpoint> Checkpoint::open(const std::string &path) {
  Result<std::shared_ptr<FileParts>> file = FileParts::open(path);
  if (!file.ok())
    return file.status();
  return open(file.take(), path);
}

Result<Checkpoint> Checkpoint::open(ByteView bytes, const std::string &origin) {
  return open(std::make_shared<FileParts>(bytes), origin);
}

Result<Checkpoint> Checkpoint::open(std::shared_ptr<const FileParts> parts,
                                    const std::string &origin) {
  auto sections = std::make_shared<CheckpointSections>(std::move(parts), origin);
  if (Status status = sections->read(); !status.ok())
    return std::move(status).from(origin);
  auto said = std::make_shared<CheckpointContents>();
  uint64_t chunkSize = 0;
  if (Status status = readRecords(*sections, *said, chunkSize); !status.ok())
    return std::move(status).from(origin);
  auto chunks = std::make_shared<CheckpointChunks>(sections, chunkSize);
  if (Status status = chunks->read(*said); !status.ok())
    return std::move(status).from(origin);
  return Checkpoint(std::move(sections), std::move(said), std::move(chunks));
}

uint64_t Checkpoint::totalSize() const { return sections->file().size(); }

std::string Checkpoint::producer() const { return sections->producer(); }

const std::string &Checkpoint::origin() const { return sections->origin(); }

//===----------------------------------------------------------------------===//
// Packages, states and memory
//===----------------------------------------------------------------------===//

uint32_t Checkpoint::packageCount() const { return sections->packageCount(); }

Digest Checkpoint::packageDigest(uint32_t index) const {
  return sections->entry(sections->package(index)).digest;
}

Result<ByteView> Checkpoint::package(uint32_t index) const {
  if (index >= packageCount())
    return invalid(foundExpected("package", std::to_string(index),
                                 "less than " + std::to_string(packageCount()),
                                 "ask for one that is there"),
                   origin());
  uint32_t section = sections->package(index);
  return sections->file().keep(
      section, [&](Bytes &storage) { return sections->checked(section, storage); });
}

uint64_t Checkpoint::statesSize(size_t launch) const {
  return chunks->statesOf(launch).size;
}

Status Checkpoint::readStates(size_t launch, uint64_t offset, uint8_t *to,
                              uint64_t size) const {
  return chunks->readExtent(chunks->statesOf(launch), offset, to, size);
}

Status Checkpoint::readMemory(size_t region, uint64_t offset, uint8_t *to,
                              uint64_t size) const {
  return chunks->readExtent(chunks->memoryOf(region), offset, to, size);
}

Status Checkpoint::visitMemory(const Visitor &visitor, unsigned threads) const {
  return chunks->visitMemory(visitor, threads);
}

uint64_t Checkpoint::chunkBytes() const { return chunks->chunkBytes(); }

bool Checkpoint::isZero(size_t region, uint64_t offset) const {
  return chunks->isZero(chunks->memoryOf(region), offset);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Whether each module names what its package has.
static Status checkReferences(const CheckpointContents &contents, uint32_t index,
                              const het::Package &package) {
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
    std::string name = origin() + ", package " + std::to_string(i);
    Result<het::Package> opened = het::Package::open(*view, name);
    Status status = opened.ok() ? opened->verify() : opened.status();
    if (!status.ok())
      return status;
    status = checkReferences(*said, i, *opened);
    if (!status.ok())
      return sections->damaged(sections->package(i), status.message);
  }
  if (Status status = chunks->verifyStates(); !status.ok())
    return status;
  return visitMemory([](size_t, uint64_t, ByteView) { return Status::success(); },
                     threads);
}
