// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activity records: kept as they come, and handed over in the tool's own buffers when it
// flushes, or when there are many.

#include "Cupti.h"

#include "het/Base/Log.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace het::cupti;

namespace {

using het::core::TraceWork;

/// When the records are so large they are handed over unasked.
constexpr size_t manyBytes = 1 << 20;

std::atomic<bool> isWanted[CUPTI_ACTIVITY_KIND_COUNT];
std::atomic<CUpti_BuffersCallbackRequestFunc> requestBuffer{nullptr};
std::atomic<CUpti_BuffersCallbackCompleteFunc> completeBuffer{nullptr};

/// Never destroyed: work may end in the program's own destructors.
struct Kept {
  std::mutex mutex; ///< Guards what follows.
  std::vector<uint8_t> bytes;
  std::vector<size_t> sizes;
  std::set<std::string> names; ///< Of kernels: records point there.
  size_t dropped = 0;
};
Kept &kept() {
  static auto &one = *new Kept;
  return one;
}

thread_local std::map<CUpti_ExternalCorrelationKind, std::vector<uint64_t>> externalIds;

bool isKind(CUpti_ActivityKind kind) {
  switch (kind) {
  case CUPTI_ACTIVITY_KIND_MEMCPY:
  case CUPTI_ACTIVITY_KIND_MEMSET:
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
  case CUPTI_ACTIVITY_KIND_DRIVER:
  case CUPTI_ACTIVITY_KIND_RUNTIME:
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    return true;
  default:
    return false;
  }
}

/// The context's number: that of its device, from 1 on.
uint32_t contextOf(const TraceWork &work) { return work.device + 1; }

void recordKernel(const TraceWork &work, CUpti_ActivityKind kind) {
  CUpti_ActivityKernel9 record = {};
  record.kind = kind;
  record.start = static_cast<uint64_t>(work.begin);
  record.end = record.completed = static_cast<uint64_t>(work.end);
  record.deviceId = work.device;
  record.contextId = contextOf(work);
  record.streamId = work.stream;
  record.gridX = static_cast<int32_t>(work.grid[0]);
  record.gridY = static_cast<int32_t>(work.grid[1]);
  record.gridZ = static_cast<int32_t>(work.grid[2]);
  record.blockX = static_cast<int32_t>(work.block[0]);
  record.blockY = static_cast<int32_t>(work.block[1]);
  record.blockZ = static_cast<int32_t>(work.block[2]);
  record.dynamicSharedMemory = static_cast<int32_t>(work.sharedBytes);
  record.correlationId = work.correlation;
  {
    std::lock_guard lock(kept().mutex);
    record.name = kept().names.insert(work.name).first->c_str();
  }
  keep(&record, sizeof(record));
}

uint8_t placeOf(bool isOnDevice) {
  return isOnDevice ? CUPTI_ACTIVITY_MEMORY_KIND_DEVICE
                    : CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE;
}

void recordCopy(const TraceWork &work) {
  static constexpr uint8_t kinds[2][2] = {
      {CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, CUPTI_ACTIVITY_MEMCPY_KIND_HTOD},
      {CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_ACTIVITY_MEMCPY_KIND_DTOD}};
  CUpti_ActivityMemcpy5 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  record.copyKind = kinds[work.isFromDevice][work.isToDevice];
  record.srcKind = placeOf(work.isFromDevice);
  record.dstKind = placeOf(work.isToDevice);
  record.bytes = work.bytes;
  record.start = static_cast<uint64_t>(work.begin);
  record.end = static_cast<uint64_t>(work.end);
  record.deviceId = work.device;
  record.contextId = contextOf(work);
  record.streamId = work.stream;
  record.correlationId = work.correlation;
  keep(&record, sizeof(record));
}

void recordFill(const TraceWork &work) {
  CUpti_ActivityMemset4 record = {};
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  record.value = work.pattern;
  record.bytes = work.bytes;
  record.start = static_cast<uint64_t>(work.begin);
  record.end = static_cast<uint64_t>(work.end);
  record.deviceId = work.device;
  record.contextId = contextOf(work);
  record.streamId = work.stream;
  record.correlationId = work.correlation;
  record.memoryKind = placeOf(work.isToDevice);
  keep(&record, sizeof(record));
}

/// What a device has done. Called with a stream's lock held, so only kept.
void observe(const TraceWork &work) {
  if (work.kind == TraceWork::Kind::Launch) {
    for (CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL})
      if (isRecorded(kind))
        return recordKernel(work, kind);
  } else if (work.kind == TraceWork::Kind::Copy) {
    if (isRecorded(CUPTI_ACTIVITY_KIND_MEMCPY))
      recordCopy(work);
  } else if (work.kind == TraceWork::Kind::Fill) {
    if (isRecorded(CUPTI_ACTIVITY_KIND_MEMSET))
      recordFill(work);
  }
}

CUptiResult setKind(CUpti_ActivityKind kind, bool wanted) {
  static const het::Status logging = het::setUpLog("het");
  if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT)
    return remember(CUPTI_ERROR_INVALID_KIND);
  if (!isKind(kind))
    return refuse(("records of activity kind " + std::to_string(kind)).c_str());
  isWanted[kind] = wanted;
  if (wanted && !hetToolInterface()->observe(observe))
    return remember(CUPTI_ERROR_UNKNOWN);
  updateHooks();
  return CUPTI_SUCCESS;
}

/// Takes all records and puts them into buffers of the tool's. No lock is held while the
/// tool is called.
void handOver() {
  std::vector<uint8_t> bytes;
  std::vector<size_t> sizes;
  {
    std::lock_guard lock(kept().mutex);
    bytes.swap(kept().bytes);
    sizes.swap(kept().sizes);
  }
  const uint8_t *from = bytes.data();
  for (size_t at = 0; at < sizes.size();) {
    uint8_t *buffer = nullptr;
    size_t room = 0, mostRecords = 0, used = 0, records = 0;
    if (auto request = requestBuffer.load())
      request(&buffer, &room, &mostRecords);
    if (!buffer || sizes[at] > room) {
      std::lock_guard lock(kept().mutex);
      kept().dropped += sizes.size() - at;
      return;
    }
    while (at < sizes.size() && used + sizes[at] <= room &&
           (!mostRecords || records < mostRecords)) {
      std::memcpy(buffer + used, from, sizes[at]);
      used += sizes[at];
      from += sizes[at];
      ++records;
      ++at;
    }
    if (auto complete = completeBuffer.load())
      complete(nullptr, 0, buffer, room, used);
  }
}

size_t sizeOf(const CUpti_Activity &record) {
  switch (record.kind) {
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return sizeof(CUpti_ActivityMemcpy5);
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return sizeof(CUpti_ActivityMemset4);
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    return sizeof(CUpti_ActivityKernel9);
  case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
    return sizeof(CUpti_ActivityExternalCorrelation);
  case CUPTI_ACTIVITY_KIND_DRIVER:
  case CUPTI_ACTIVITY_KIND_RUNTIME:
    return sizeof(CUpti_ActivityAPI);
  default:
    return 0;
  }
}

} // namespace

namespace het::cupti {

uint64_t now() {
  return static_cast<uint64_t>(core::Trace::Clock::now().time_since_epoch() /
                               std::chrono::nanoseconds(1));
}

bool isRecorded(CUpti_ActivityKind kind) {
  return isWanted[kind].load(std::memory_order_relaxed);
}

bool recordsAnything() {
  for (const std::atomic<bool> &wanted : isWanted)
    if (wanted.load())
      return true;
  return false;
}

void keep(const void *record, size_t size) {
  std::lock_guard lock(kept().mutex);
  const auto *bytes = static_cast<const uint8_t *>(record);
  kept().bytes.insert(kept().bytes.end(), bytes, bytes + size);
  kept().sizes.push_back(size);
}

static void recordExternal(uint32_t correlation) {
  for (const auto &[kind, ids] : externalIds) {
    if (ids.empty())
      continue;
    CUpti_ActivityExternalCorrelation record = {};
    record.kind = CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION;
    record.externalKind = kind;
    record.externalId = ids.back();
    record.correlationId = correlation;
    keep(&record, sizeof(record));
  }
}

void recordCall(const Function &function, uint64_t start, uint64_t end,
                uint32_t correlation, uint32_t result) {
  const CUpti_ActivityKind kind = function.domain == CUPTI_CB_DOMAIN_RUNTIME_API
                                      ? CUPTI_ACTIVITY_KIND_RUNTIME
                                      : CUPTI_ACTIVITY_KIND_DRIVER;
  if (isRecorded(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
    recordExternal(correlation);
  if (!isRecorded(kind))
    return;
  CUpti_ActivityAPI record = {};
  record.kind = kind;
  record.cbid = function.number;
  record.start = start;
  record.end = end;
  record.processId = static_cast<uint32_t>(getpid());
  record.threadId = static_cast<uint32_t>(syscall(SYS_gettid));
  record.correlationId = correlation;
  record.returnValue = result;
  keep(&record, sizeof(record));
}

void handOverIfMany() {
  {
    std::lock_guard lock(kept().mutex);
    if (kept().bytes.size() < manyBytes)
      return;
  }
  if (requestBuffer.load())
    handOver();
}

} // namespace het::cupti

extern "C" {

CUptiResult cuptiGetTimestamp(uint64_t *timestamp) {
  if (!timestamp)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *timestamp = now();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext context, uint32_t *device) {
  CUdevice found = 0;
  CUcontext before = nullptr;
  if (!device)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  if (context && cuCtxPushCurrent(context) != CUDA_SUCCESS)
    return remember(CUPTI_ERROR_INVALID_CONTEXT);
  const CUresult result = cuCtxGetDevice(&found);
  if (context)
    cuCtxPopCurrent(&before);
  *device = static_cast<uint32_t>(found);
  return result == CUDA_SUCCESS ? CUPTI_SUCCESS : remember(CUPTI_ERROR_INVALID_CONTEXT);
}

CUptiResult cuptiGetContextId(CUcontext context, uint32_t *number) {
  const CUptiResult result = cuptiGetDeviceId(context, number);
  if (result == CUPTI_SUCCESS)
    ++*number;
  return result;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) { return setKind(kind, true); }

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  hetToolInterface()->collect(false);
  return setKind(kind, false);
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                           CUpti_BuffersCallbackCompleteFunc completed) {
  if (!requested || !completed)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  requestBuffer = requested;
  completeBuffer = completed;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t size,
                                       CUpti_Activity **record) {
  if (!buffer || !record)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  uint8_t *next = buffer;
  if (*record) {
    const size_t length = sizeOf(**record);
    if (!length)
      return remember(CUPTI_ERROR_INVALID_KIND);
    next = reinterpret_cast<uint8_t *>(*record) + length;
  }
  if (next >= buffer + size)
    return remember(CUPTI_ERROR_MAX_LIMIT_REACHED);
  *record = reinterpret_cast<CUpti_Activity *>(next);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t *dropped) {
  if (!dropped)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  std::lock_guard lock(kept().mutex);
  *dropped = std::exchange(kept().dropped, 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  if (!requestBuffer.load())
    return remember(CUPTI_ERROR_INVALID_OPERATION);
  hetToolInterface()->collect(flag & CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  handOver();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlush(CUcontext, uint32_t, uint32_t flag) {
  return cuptiActivityFlushAll(flag);
}

CUptiResult cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                   uint64_t id) {
  if (kind <= CUPTI_EXTERNAL_CORRELATION_KIND_INVALID ||
      kind >= CUPTI_EXTERNAL_CORRELATION_KIND_SIZE)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  externalIds[kind].push_back(id);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind kind,
                                                  uint64_t *last) {
  if (kind <= CUPTI_EXTERNAL_CORRELATION_KIND_INVALID ||
      kind >= CUPTI_EXTERNAL_CORRELATION_KIND_SIZE)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  std::vector<uint64_t> &ids = externalIds[kind];
  if (ids.empty())
    return remember(CUPTI_ERROR_QUEUE_EMPTY);
  if (last)
    *last = ids.back();
  ids.pop_back();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiFinalize() {
  for (std::atomic<bool> &wanted : isWanted)
    wanted = false;
  hetToolInterface()->observe(nullptr);
  for (unsigned index = 0; index < functionCount; ++index)
    functions[index].calls = false;
  updateHooks();
  return CUPTI_SUCCESS;
}

} // extern "C"
