// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts copies and fills into a target's queue, with the target's own function for each
// kind.

#include "core/DeviceWork.h"
#include "core/trace/StreamTrace.h"

namespace het::core {

static uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

DeviceWork DeviceWork::copy(const void *to, const void *from, size_t size) {
  DeviceWork work;
  work.to = addressOf(to);
  work.from = addressOf(from);
  work.width = work.toPitch = work.fromPitch = size;
  return work;
}

DeviceWork DeviceWork::copyRows(const void *to, size_t toPitch, const void *from,
                                size_t fromPitch, size_t width, size_t rows) {
  DeviceWork work;
  work.kind = Kind::CopyRows;
  work.to = addressOf(to);
  work.from = addressOf(from);
  work.toPitch = toPitch;
  work.fromPitch = fromPitch;
  work.width = width;
  work.rows = rows;
  return work;
}

DeviceWork DeviceWork::fill(const void *to, uint32_t pattern, unsigned patternBytes,
                            size_t size) {
  DeviceWork work;
  work.kind = Kind::Fill;
  work.to = addressOf(to);
  work.pattern = pattern;
  work.patternBytes = patternBytes;
  work.width = size;
  return work;
}

int32_t DeviceWork::enqueue(const HetDeviceABI &abi, HetQueue *onto,
                            HetStatus *status) const {
  if (kind == Kind::Fill)
    return abi.enqueueFill(onto, to, pattern, patternBytes, width, status);
  if (kind == Kind::CopyRows && abi.enqueueCopyRows)
    return abi.enqueueCopyRows(onto, to, toPitch, from, fromPitch, width, rows, status);
  int32_t code = HET_OK;
  for (size_t row = 0; row < rows && code == HET_OK; ++row)
    code =
        abi.enqueueCopy(onto, to + row * toPitch, from + row * fromPitch, width, status);
  return code;
}

const char *DeviceWork::name() const {
  return kind == Kind::Fill ? "fill" : kind == Kind::Copy ? "copy" : "copy rows";
}

TraceArguments DeviceWork::traced() const {
  return copyArguments(reinterpret_cast<const void *>(to),
                       reinterpret_cast<const void *>(from), bytes());
}

DeviceWork DeviceWork::packedTo(void *bytes) const {
  DeviceWork work = *this;
  work.to = addressOf(bytes);
  work.toPitch = width;
  return work;
}

DeviceWork DeviceWork::packedFrom(const void *bytes) const {
  DeviceWork work = *this;
  work.from = addressOf(bytes);
  work.fromPitch = width;
  return work;
}

} // namespace het::core
