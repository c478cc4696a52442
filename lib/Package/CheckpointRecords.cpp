// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a checkpoint's records. Their rules are in CheckpointRules.cpp.

#include "CheckpointRecords.h"

#include "CheckpointFormat.h"

using namespace het;
using namespace het::checkpoint;

template <typename T, typename Write>
static void writeList(ByteWriter &writer, const std::vector<T> &list, Write write) {
  writer.u32(static_cast<uint32_t>(list.size()));
  for (const T &one : list)
    write(one);
}

/// Reads a list of records of at least `least` bytes each.
template <typename T, typename Read>
static std::vector<T> readList(ByteReader &reader, size_t least, Read read) {
  uint32_t count = reader.count(least);
  std::vector<T> list;
  for (uint32_t i = 0; i < count && !reader.failed(); ++i)
    list.push_back(read());
  return list;
}

static Bytes readBytes(ByteReader &reader) { return reader.bytes(reader.u32()).copy(); }

static Status notRecords(const char *what) {
  return invalid(std::string("found bytes that do not form one, expected a "
                             "list of ") +
                 what);
}

//===----------------------------------------------------------------------===//
// Devices and modules
//===----------------------------------------------------------------------===//

Bytes het::writeDevices(const std::vector<CheckpointDevice> &devices) {
  ByteWriter writer;
  writeList(writer, devices, [&](const CheckpointDevice &device) {
    writer.string(device.name);
    writer.u32(device.propertiesVersion);
    writer.string(ByteView(device.properties).text());
  });
  return writer.take();
}

Result<std::vector<CheckpointDevice>> het::readDevices(ByteView section) {
  ByteReader reader(section);
  auto devices = readList<CheckpointDevice>(reader, 12, [&] {
    CheckpointDevice device;
    device.name = reader.string();
    device.propertiesVersion = reader.u32();
    device.properties = readBytes(reader);
    return device;
  });
  if (!reader.finished())
    return notRecords("devices");
  return devices;
}

Bytes het::writeModules(const std::vector<CheckpointModule> &modules) {
  ByteWriter writer;
  writeList(writer, modules, [&](const CheckpointModule &module) {
    writer.u32(module.package);
    writer.u32(module.device);
    writeList(writer, module.variables, [&](const CheckpointVariable &one) {
      writer.u32(one.variable);
      writer.u64(one.address);
    });
  });
  return writer.take();
}

Result<std::vector<CheckpointModule>> het::readModules(ByteView section) {
  ByteReader reader(section);
  auto modules = readList<CheckpointModule>(reader, 12, [&] {
    CheckpointModule module;
    module.package = reader.u32();
    module.device = reader.u32();
    module.variables = readList<CheckpointVariable>(reader, 12, [&] {
      CheckpointVariable one;
      one.variable = reader.u32();
      one.address = reader.u64();
      return one;
    });
    return module;
  });
  if (!reader.finished())
    return notRecords("modules");
  return modules;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Its fields of fixed size, and the counts of its three lists.
static constexpr size_t leastLaunch = 4 + 4 + 4 + 12 + 12 + 4 + 4 + 4 + 20 + 4;

Bytes het::writeLaunches(const std::vector<CheckpointLaunch> &launches) {
  ByteWriter writer;
  writeList(writer, launches, [&](const CheckpointLaunch &launch) {
    writer.u32(launch.stream);
    writer.u32(launch.module);
    writer.string(launch.kernel);
    for (uint32_t size : launch.grid)
      writer.u32(size);
    for (uint32_t size : launch.block)
      writer.u32(size);
    writer.u32(launch.dynamicSharedBytes);
    writer.u32(launch.cooperative ? Cooperative : 0);
    writer.string(ByteView(launch.arguments).text());
    writer.u64(launch.layout);
    writer.u64(launch.threadBytes);
    writer.u32(launch.sharedBytes);
    writeList(writer, launch.blocks, [&](const BlockRun &run) {
      writer.u8(run.status);
      writer.u64(run.count);
    });
  });
  return writer.take();
}

static CheckpointLaunch readLaunch(ByteReader &reader) {
  CheckpointLaunch launch;
  launch.stream = reader.u32();
  launch.module = reader.u32();
  launch.kernel = reader.string();
  for (uint32_t &size : launch.grid)
    size = reader.u32();
  for (uint32_t &size : launch.block)
    size = reader.u32();
  launch.dynamicSharedBytes = reader.u32();
  uint32_t flags = reader.u32();
  launch.cooperative = flags & Cooperative;
  if (flags > Cooperative)
    reader.fail();
  launch.arguments = readBytes(reader);
  launch.layout = reader.u64();
  launch.threadBytes = reader.u64();
  launch.sharedBytes = reader.u32();
  launch.blocks = readList<BlockRun>(reader, 9, [&] {
    BlockRun run;
    run.status = reader.u8();
    run.count = reader.u64();
    return run;
  });
  return launch;
}

Result<std::vector<CheckpointLaunch>> het::readLaunches(ByteView section) {
  ByteReader reader(section);
  auto launches =
      readList<CheckpointLaunch>(reader, leastLaunch, [&] { return readLaunch(reader); });
  if (!reader.finished())
    return notRecords("launches");
  return launches;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Bytes het::writeRegions(const std::vector<CheckpointRegion> &regions,
                        uint32_t chunkBytes) {
  ByteWriter writer;
  writer.u32(chunkBytes);
  writeList(writer, regions, [&](const CheckpointRegion &region) {
    writer.u64(region.address);
    writer.u64(region.size);
    writer.u32(region.device);
    writer.u8(static_cast<uint8_t>(region.kind));
    writeList(writer, region.allocations, [&](const CheckpointAllocation &one) {
      writer.u64(one.address);
      writer.u64(one.size);
    });
  });
  return writer.take();
}

Result<std::vector<CheckpointRegion>> het::readRegions(ByteView section,
                                                       uint64_t &chunkBytes) {
  ByteReader reader(section);
  chunkBytes = reader.u32();
  auto regions = readList<CheckpointRegion>(reader, 25, [&] {
    CheckpointRegion region;
    region.address = reader.u64();
    region.size = reader.u64();
    region.device = reader.u32();
    uint8_t kind = reader.u8();
    if (kind > static_cast<uint8_t>(RegionKind::Host))
      reader.fail();
    region.kind = static_cast<RegionKind>(kind);
    region.allocations = readList<CheckpointAllocation>(reader, 16, [&] {
      CheckpointAllocation one;
      one.address = reader.u64();
      one.size = reader.u64();
      return one;
    });
    return region;
  });
  if (!reader.finished())
    return notRecords("regions");
  return regions;
}
