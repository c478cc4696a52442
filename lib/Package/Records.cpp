// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes the records of kernels and variables.

#include "Records.h"

#include "Format.h"

#include <algorithm>
#include <charconv>

using namespace het;

namespace {
enum KernelFlags : uint32_t { DynamicShared = 1, Cooperative = 2 };
enum VariableFlags : uint8_t { External = 1 };
} // namespace

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

std::string het::quoted(std::string_view text) {
  static const char digits[] = "0123456789abcdef";
  constexpr size_t longest = 200;
  std::string result = "'";
  for (unsigned char c : text.substr(0, longest)) {
    if (c >= 0x20 && c != 0x7f) {
      result += static_cast<char>(c);
      continue;
    }
    result += "\\x";
    result += digits[c >> 4];
    result += digits[c & 15];
  }
  return result + (text.size() > longest ? "…'" : "'");
}

static bool powerOfTwo(uint32_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

static Status checkAlignment(const std::string &what, uint32_t alignment) {
  if (powerOfTwo(alignment) && alignment <= format::maxAlignment)
    return Status::success();
  return invalid(what + ": found " + std::to_string(alignment) +
                 ", expected a power of two up to " +
                 std::to_string(format::maxAlignment));
}

Status het::checkName(const char *what, std::string_view name) {
  if (name.empty() || name.size() > format::maxNameSize)
    return invalid(std::string(what) + ": found " + std::to_string(name.size()) +
                   " bytes, expected 1 to " + std::to_string(format::maxNameSize));
  for (unsigned char c : name)
    if (c < 0x20 || c == 0x7f)
      return invalid(std::string(what) + ": found " + quoted(name) +
                     ", expected no control characters");
  return Status::success();
}

static Status checkParameters(const KernelInfo &kernel) {
  uint64_t end = 0;
  for (const Parameter &parameter : kernel.parameters) {
    std::string what = "parameters of kernel " + quoted(kernel.name);
    if (Status status = checkAlignment(what + ", alignment", parameter.alignment);
        !status.ok())
      return status;
    if (parameter.offset < end || parameter.offset % parameter.alignment != 0)
      return invalid(what + ", offset: found " + std::to_string(parameter.offset) +
                     ", expected a multiple of " + std::to_string(parameter.alignment) +
                     " from " + std::to_string(end) + " on");
    end = uint64_t(parameter.offset) + parameter.size;
    if (end > format::maxArgumentBytes)
      return invalid(what + ", total size: found " + std::to_string(end) +
                     " bytes, expected at most " +
                     std::to_string(format::maxArgumentBytes));
  }
  return Status::success();
}

bool KernelInfo::usesClusters() const {
  return std::find(capabilities.begin(), capabilities.end(), clusterCapability) !=
         capabilities.end();
}

/// "2,1,1"; nothing where it is something else.
static std::optional<std::array<uint32_t, 3>> readSize(std::string_view text) {
  std::array<uint32_t, 3> size;
  const char *at = text.data(), *end = at + text.size();
  for (size_t dim = 0; dim < size.size(); ++dim) {
    if (dim && (at == end || *at++ != ','))
      return std::nullopt;
    auto [behind, error] = std::from_chars(at, end, size[dim]);
    if (error != std::errc())
      return std::nullopt;
    at = behind;
  }
  const bool isNone = !size[0] && !size[1] && !size[2];
  if (at != end || (!isNone && (!size[0] || !size[1] || !size[2])))
    return std::nullopt;
  return size;
}

static bool isClusterSize(const std::string &capability) {
  return capability.compare(0, clusterSizeCapability.size(), clusterSizeCapability) == 0;
}

std::optional<std::array<uint32_t, 3>> KernelInfo::clusterSize() const {
  for (const std::string &capability : capabilities)
    if (isClusterSize(capability))
      return readSize(std::string_view(capability).substr(clusterSizeCapability.size()));
  return std::nullopt;
}

static Status checkClusters(const KernelInfo &kernel) {
  for (const std::string &capability : kernel.capabilities)
    if (isClusterSize(capability) &&
        !readSize(std::string_view(capability).substr(clusterSizeCapability.size())))
      return invalid("capabilities of kernel " + quoted(kernel.name) + ": found " +
                     quoted(capability) +
                     ", expected 'cluster=X,Y,Z' with three numbers of blocks");
  return Status::success();
}

Status het::checkKernel(const KernelInfo &kernel) {
  if (Status status = checkName("kernel name", kernel.name); !status.ok())
    return status;
  for (const std::string &capability : kernel.capabilities)
    if (Status status = checkName("capability", capability); !status.ok())
      return status;
  if (kernel.architecture == 0 || kernel.architecture > format::maxArchitecture)
    return invalid("architecture of kernel " + quoted(kernel.name) + ": found " +
                   std::to_string(kernel.architecture) + ", expected 1 to " +
                   std::to_string(format::maxArchitecture));
  if (Status status = checkClusters(kernel); !status.ok())
    return status;
  for (const Slot &slot : kernel.slots)
    if (Status status = checkAlignment(
            "slots of kernel " + quoted(kernel.name) + ", alignment", slot.alignment);
        !status.ok())
      return status;
  return checkParameters(kernel);
}

Status het::checkVariable(const VariableInfo &variable) {
  if (Status status = checkName("variable name", variable.name); !status.ok())
    return status;
  std::string what = "variable " + quoted(variable.name);
  if (Status status = checkAlignment(what + ", alignment", variable.alignment);
      !status.ok())
    return status;
  if (variable.size > format::maxVariableSize)
    return invalid(what + ", size: found " + std::to_string(variable.size) +
                   ", expected at most " + std::to_string(format::maxVariableSize));
  uint64_t next = 0;
  for (const Relocation &relocation : variable.relocations) {
    if (relocation.offset < next || variable.size < 8 ||
        relocation.offset > variable.size - 8)
      return invalid(what + ", relocation: found offset " +
                     std::to_string(relocation.offset) +
                     ", expected 8 bytes inside its " + std::to_string(variable.size) +
                     ", from " + std::to_string(next) + " on");
    next = relocation.offset + 8;
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void het::writeKernel(ByteWriter &writer, const KernelInfo &kernel) {
  writer.string(kernel.name);
  writer.string(kernel.displayName);
  writer.u32(kernel.section);
  writer.u32((kernel.dynamicShared ? DynamicShared : 0) |
             (kernel.cooperative ? Cooperative : 0));
  writer.u64(kernel.staticSharedBytes);
  writer.u32(kernel.localBytes);
  writer.u32(kernel.maxThreadsPerBlock);
  writer.u32(kernel.minBlocksPerMultiprocessor);
  writer.string(kernel.unparkable);
  writer.u32(static_cast<uint32_t>(kernel.parameters.size()));
  for (const Parameter &parameter : kernel.parameters) {
    writer.u32(parameter.offset);
    writer.u32(parameter.size);
    writer.u32(parameter.alignment);
  }
  writer.u32(static_cast<uint32_t>(kernel.variables.size()));
  for (uint32_t variable : kernel.variables)
    writer.u32(variable);
  writer.u32(static_cast<uint32_t>(kernel.capabilities.size()));
  for (const std::string &capability : kernel.capabilities)
    writer.string(capability);
  writer.u32(static_cast<uint32_t>(kernel.safePoints.size()));
  for (const SafePoint &point : kernel.safePoints) {
    writer.u32(point.id);
    writer.u8(static_cast<uint8_t>(point.reason));
    writer.u32(point.slots);
    writer.string(point.location);
  }
  writer.u32(static_cast<uint32_t>(kernel.slots.size()));
  for (const Slot &slot : kernel.slots) {
    writer.u32(slot.id);
    writer.u32(slot.size);
    writer.u32(slot.alignment);
    writer.u8(static_cast<uint8_t>(slot.level));
  }
}

/// A byte that must be at most `last`.
template <typename Enum> static Enum readEnum(ByteReader &reader, Enum last) {
  uint8_t value = reader.u8();
  if (value > static_cast<uint8_t>(last))
    reader.fail();
  return static_cast<Enum>(value);
}

/// The lists at the end of a kernel record.
static void readLists(ByteReader &reader, KernelInfo &kernel) {
  kernel.parameters.resize(reader.count(12));
  for (Parameter &parameter : kernel.parameters) {
    parameter.offset = reader.u32();
    parameter.size = reader.u32();
    parameter.alignment = reader.u32();
  }
  kernel.variables.resize(reader.count(4));
  for (uint32_t &variable : kernel.variables)
    variable = reader.u32();
  kernel.capabilities.resize(reader.count(4));
  for (std::string &capability : kernel.capabilities)
    capability = reader.string();
  kernel.safePoints.resize(reader.count(13));
  for (SafePoint &point : kernel.safePoints) {
    point.id = reader.u32();
    point.reason = readEnum(reader, SafePointReason::Loop);
    point.slots = reader.u32();
    point.location = reader.string();
  }
  kernel.slots.resize(reader.count(13));
  for (Slot &slot : kernel.slots) {
    slot.id = reader.u32();
    slot.size = reader.u32();
    slot.alignment = reader.u32();
    slot.level = readEnum(reader, SlotLevel::Lane);
  }
}

Result<KernelInfo> het::readKernel(ByteView record) {
  ByteReader reader(record);
  KernelInfo kernel;
  kernel.name = reader.string();
  kernel.displayName = reader.string();
  kernel.section = reader.u32();
  uint32_t flags = reader.u32();
  kernel.dynamicShared = flags & DynamicShared;
  kernel.cooperative = flags & Cooperative;
  kernel.staticSharedBytes = reader.u64();
  kernel.localBytes = reader.u32();
  kernel.maxThreadsPerBlock = reader.u32();
  kernel.minBlocksPerMultiprocessor = reader.u32();
  kernel.unparkable = reader.string();
  readLists(reader, kernel);
  if (!reader.finished() || flags > (DynamicShared | Cooperative))
    return invalid("record of kernel " + quoted(kernel.name) + ": found " +
                   std::to_string(record.size) +
                   " bytes that do not form one, expected a kernel record");
  if (Status status = checkKernel(kernel); !status.ok())
    return status;
  return kernel;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void het::writeVariable(ByteWriter &writer, const VariableInfo &variable,
                        uint32_t initialSection) {
  writer.string(variable.name);
  writer.u64(variable.size);
  writer.u32(variable.alignment);
  writer.u8(static_cast<uint8_t>(variable.kind));
  writer.u8(variable.external ? External : 0);
  writer.u32(initialSection);
  writer.u32(static_cast<uint32_t>(variable.relocations.size()));
  for (const Relocation &relocation : variable.relocations) {
    writer.u64(relocation.offset);
    writer.u32(relocation.variable);
    writer.i64(relocation.addend);
  }
}

Result<VariableRecord> het::readVariable(ByteReader &reader) {
  VariableRecord record;
  VariableInfo &variable = record.info;
  variable.name = reader.string();
  variable.size = reader.u64();
  variable.alignment = reader.u32();
  variable.kind = readEnum(reader, VariableKind::Launches);
  uint8_t flags = reader.u8();
  variable.external = flags & External;
  record.initialSection = reader.u32();
  variable.relocations.resize(reader.count(20));
  for (Relocation &relocation : variable.relocations) {
    relocation.offset = reader.u64();
    relocation.variable = reader.u32();
    relocation.addend = reader.i64();
  }
  if (reader.failed() || flags > External)
    return invalid("record of variable " + quoted(variable.name) +
                   ": found bytes that do not form one, expected a variable "
                   "record");
  if (Status status = checkVariable(variable); !status.ok())
    return status;
  if (!variable.relocations.empty() && record.initialSection == format::noSection)
    return invalid("variable " + quoted(variable.name) +
                   ": found relocations without an initial value, expected "
                   "one");
  return record;
}
