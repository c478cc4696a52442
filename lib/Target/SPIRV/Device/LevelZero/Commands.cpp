// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An immediate command list that keeps its order; what is put into it is waited for.

#include "../../../Support/SoftwareQueueFunctions.h"
#include "Addresses.h"
#include "LevelZeroDoor.h"

#include <algorithm>
#include <cstring>

namespace het::spirv {
namespace {

constexpr size_t stagingBytes = 4 << 20;

void copyOnHost(const Rows &rows) {
  for (size_t row = 0; row < rows.count; ++row)
    std::memmove(pointerOf(rows.to + row * rows.toPitch),
                 pointerOf(rows.from + row * rows.fromPitch), rows.width);
}

} // namespace

LevelZeroCommands::~LevelZeroCommands() { door.context.ze.zeCommandListDestroy(list); }

/// Waits where the result is that something was put into the list.
std::string LevelZeroCommands::finish(ze_result_t result, const char *what) {
  if (result == ZE_RESULT_SUCCESS) {
    what = "zeCommandListHostSynchronize";
    result = door.context.ze.zeCommandListHostSynchronize(list, UINT64_MAX);
  }
  return door.context.failed(result) ? std::string(what) + ": " + resultText(result) : "";
}

ze_result_t LevelZeroCommands::append(LevelZeroCode &code, const void *record,
                                      size_t sharedBytes, const Items &items,
                                      const char *&what) {
  const LevelZero &ze = door.context.ze;
  std::lock_guard<std::mutex> lock(code.mutex);
  what = "zeKernelSetGroupSize";
  if (ze_result_t result = ze.zeKernelSetGroupSize(code.kernel, items.group[0],
                                                   items.group[1], items.group[2]))
    return result;
  what = "zeKernelSetArgumentValue";
  if (ze_result_t result =
          ze.zeKernelSetArgumentValue(code.kernel, 0, sizeof(record), &record))
    return result;
  if (!code.isSegmented)
    if (ze_result_t result =
            ze.zeKernelSetArgumentValue(code.kernel, 1, sharedBytes, nullptr))
      return result;
  what = "zeCommandListAppendLaunchKernel";
  const ze_group_count_t groups = {items.groups[0], items.groups[1], items.groups[2]};
  return ze.zeCommandListAppendLaunchKernel(list, code.kernel, &groups, nullptr, 0,
                                            nullptr);
}

std::string LevelZeroCommands::run(Code &code, const void *record, size_t sharedBytes,
                                   const Items &items) {
  const char *what = nullptr;
  ze_result_t result =
      append(static_cast<LevelZeroCode &>(code), record, sharedBytes, items, what);
  return finish(result, what);
}

/// Puts the rows into the list one by one, and waits for all.
std::string LevelZeroCommands::copyReached(const Rows &rows) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  size_t row = 0;
  for (; row < rows.count && !result; ++row)
    result = door.context.ze.zeCommandListAppendMemoryCopy(
        list, pointerOf(rows.to + row * rows.toPitch),
        pointerOf(rows.from + row * rows.fromPitch), rows.width, nullptr, 0, nullptr);
  if (result && row > 1) // what is in the list still uses the memory
    door.context.failed(door.context.ze.zeCommandListHostSynchronize(list, UINT64_MAX));
  return finish(result, "zeCommandListAppendMemoryCopy");
}

/// One side is memory that the device does not reach: it goes through memory that both
/// reach, as many rows at a time as there is room for. A row has room.
std::string LevelZeroCommands::copyStaged(const Rows &rows, bool toDevice) {
  if (!staging)
    staging = allocate(door, stagingBytes);
  if (!staging)
    return "no memory to copy through";
  const auto stage = reinterpret_cast<uint64_t>(staging.get());
  const size_t most = stagingBytes / rows.width;
  for (size_t first = 0; first < rows.count; first += most) {
    Rows part = rows, host = rows;
    part.to = host.to = rows.to + first * rows.toPitch;
    part.from = host.from = rows.from + first * rows.fromPitch;
    part.count = host.count = std::min(most, rows.count - first);
    (toDevice ? part.from : part.to) = (toDevice ? host.to : host.from) = stage;
    (toDevice ? part.fromPitch : part.toPitch) = rows.width;
    (toDevice ? host.toPitch : host.fromPitch) = rows.width;
    if (toDevice)
      copyOnHost(host);
    if (std::string wrong = copyReached(part); !wrong.empty())
      return wrong;
    if (!toDevice)
      copyOnHost(host);
  }
  return "";
}

/// All of them lie in one range that the device reaches.
bool LevelZeroCommands::reachesRows(uint64_t address, size_t pitch, const Rows &rows) {
  return door.reaches(address, (rows.count - 1) * pitch + rows.width);
}

std::string LevelZeroCommands::copyRows(const Rows &rows) {
  if (!rows.width || !rows.count)
    return "";
  const bool toDevice = reachesRows(rows.to, rows.toPitch, rows);
  const bool fromDevice = reachesRows(rows.from, rows.fromPitch, rows);
  if (toDevice && fromDevice)
    return copyReached(rows);
  if (!toDevice && !fromDevice)
    copyOnHost(rows);
  else if (rows.width <= stagingBytes)
    return copyStaged(rows, toDevice);
  else
    return Commands::copyRows(rows);
  return "";
}

/// Copies bytes; more than the room takes is made of rows that have room.
std::string LevelZeroCommands::copy(uint64_t to, uint64_t from, size_t size) {
  if (size <= stagingBytes || (door.reaches(to, size) && door.reaches(from, size)))
    return copyRows({to, size, from, size, size, 1});
  const size_t count = size / stagingBytes, rest = count * stagingBytes;
  std::string wrong =
      copyRows({to, stagingBytes, from, stagingBytes, stagingBytes, count});
  return wrong.empty() ? copy(to + rest, from + rest, size - rest) : wrong;
}

std::string LevelZeroCommands::fill(uint64_t to, uint32_t pattern, uint32_t patternBytes,
                                    size_t size) {
  if (!size)
    return "";
  if (door.reaches(to, size))
    return finish(
        door.context.ze.zeCommandListAppendMemoryFill(
            list, pointerOf(to), &pattern, patternBytes, size, nullptr, 0, nullptr),
        "zeCommandListAppendMemoryFill");
  target::fillMemory(to, pattern, patternBytes, size);
  return "";
}

} // namespace het::spirv
