// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles, the memory that was shared, and the memory of others.

#include "IpcMemory.h"
#include "Context.h"
#include "Memory.h"

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace het::cuda {

static constexpr char magic[8] = {'h', 'e', 't', 'i', 'p', 'c', '1', 0};

namespace {

/// Memory of another process.
struct Opened {
  Device *device;
  uint64_t file;
  size_t size;
  unsigned count;
};

struct Table {
  std::mutex mutex;                                        ///< Guards what follows.
  std::map<uint64_t, std::unique_ptr<SharedPages>> shared; ///< By the file's number.
  std::atomic<size_t> sharedCount{0};                      ///< Their number.
  std::map<uintptr_t, Opened> opened;                      ///< By the first address.
};

Table &table() {
  static auto *instance = new Table;
  return *instance;
}

struct CloseFile {
  void operator()(FILE *file) const { std::fclose(file); }
};

/// A line of the process's list of mappings.
struct MapLine {
  uint64_t begin, end, offset, file; ///< `file`: its number; 0: none.
};

/// Hands each mapping of a file to `use`, until that returns true.
template <typename Use> void forEachMapping(Use use) {
  std::unique_ptr<FILE, CloseFile> maps(std::fopen("/proc/self/maps", "re"));
  char text[512];
  while (maps && std::fgets(text, sizeof(text), maps.get())) {
    MapLine line = {};
    if (std::sscanf(text, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %" SCNu64,
                    &line.begin, &line.end, &line.offset, &line.file) == 4 &&
        line.file && use(line))
      return;
  }
}

/// The number of the file that is mapped at an address, and where in it; 0: none is.
uint64_t fileAt(uintptr_t address, uint64_t &offset) {
  uint64_t file = 0;
  forEachMapping([&](const MapLine &line) {
    if (address < line.begin || address >= line.end)
      return false;
    offset = line.offset + (address - line.begin);
    file = line.file;
    return true;
  });
  return file;
}

bool isHandle(const IpcHandle &handle) {
  return std::memcmp(handle.magic, magic, sizeof(magic)) == 0;
}

uint64_t numberOf(const SharedPages &pages) {
  struct stat about = {};
  return fstat(pages.descriptor(), &about) ? 0 : about.st_ino;
}

/// The range of whole granules that holds an allocation.
MemoryRange granulesOf(const MemoryRange &range) {
  const uint64_t granule = deviceAt(range.device)->device.properties().memoryGranularity;
  const auto begin = reinterpret_cast<uintptr_t>(range.base) / granule * granule;
  const auto end = reinterpret_cast<uintptr_t>(range.base) + range.size;
  MemoryRange whole = range;
  whole.base = reinterpret_cast<char *>(begin);
  whole.size = (end - begin + granule - 1) / granule * granule;
  return whole;
}

/// Puts shared pages with the same bytes in the place of memory.
cudaError_t makeShared(const MemoryRange &whole) {
  Result<std::unique_ptr<SharedPages>> pages = SharedPages::create(whole.size);
  if (!pages.ok())
    return translate(pages.status(), cudaErrorMemoryAllocation);
  void *copy = mmap(nullptr, whole.size, PROT_READ | PROT_WRITE, MAP_SHARED,
                    (*pages)->descriptor(), 0);
  if (copy == MAP_FAILED)
    return cudaErrorMemoryAllocation;
  std::memcpy(copy, whole.base, whole.size);
  munmap(copy, whole.size);
  if (Status status = (*pages)->mapOver(whole.base, 0, whole.size); !status.ok())
    return translate(status, cudaErrorMemoryAllocation);
  const uint64_t number = numberOf(**pages);
  table().shared[number] = pages.take();
  table().sharedCount = table().shared.size();
  return cudaSuccess;
}

/// Reserves addresses and maps pages there.
cudaError_t mapPages(Device &device, const SharedPages &pages, void *&address) {
  core::MemoryManager &memory = device.device.memory();
  Result<void *> reserved = memory.reserve(pages.size(), 0);
  if (!reserved.ok())
    return translate(reserved.status(), cudaErrorMemoryAllocation);
  address = *reserved;
  Status mapped = memory.mapReserved(address, pages.size());
  if (mapped.ok()) {
    mapped = pages.mapOver(address, 0, pages.size());
    if (!mapped.ok())
      (void)translate(memory.free(address));
  }
  if (!mapped.ok())
    (void)translate(memory.giveBack(address, pages.size()));
  return translate(mapped, cudaErrorMemoryAllocation);
}

} // namespace

IpcHandle makeHandle(const SharedPages &pages, uint64_t offset, uint64_t size) {
  IpcHandle handle = {};
  std::memcpy(handle.magic, magic, sizeof(magic));
  handle.process = getpid();
  handle.descriptor = pages.descriptor();
  handle.file = numberOf(pages);
  handle.offset = offset;
  handle.size = size;
  return handle;
}

Result<std::unique_ptr<SharedPages>> openHandle(const IpcHandle &handle) {
  if (!isHandle(handle))
    return invalid("a handle of another process: found other bytes; pass on what "
                   "cudaIpcGetMemHandle or cudaIpcGetEventHandle has given");
  Result<std::unique_ptr<SharedPages>> pages =
      SharedPages::open(handle.process, handle.descriptor);
  if (pages.ok() && numberOf(**pages) != handle.file)
    return invalid("a handle of another process: its memory was freed");
  return pages;
}

cudaError_t shareMemory(void *pointer, IpcHandle &handle) {
  const MemoryRange range = findMemory(pointer);
  if (range.kind != MemoryKind::Device || range.isMapped)
    return cudaErrorInvalidValue;
  Device &device = *deviceAt(range.device);
  if (!takesSharedPages(device))
    HET_NOT_SUPPORTED("cudaIpcGetMemHandle on this device");
  if (cudaError_t error = device.synchronize())
    return error;
  const MemoryRange whole = granulesOf(range);
  std::lock_guard<std::mutex> lock(table().mutex);
  uint64_t offset = 0;
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (!table().shared.count(fileAt(address, offset)))
    if (cudaError_t error = makeShared(whole))
      return error;
  auto found = table().shared.find(fileAt(address, offset));
  if (found == table().shared.end()) { // without /proc
    HET_NOT_SUPPORTED("cudaIpcGetMemHandle without /proc");
  }
  handle = makeHandle(*found->second, offset,
                      range.size -
                          static_cast<size_t>(static_cast<char *>(pointer) - range.base));
  return cudaSuccess;
}

cudaError_t openMemory(const IpcHandle &handle, void *&pointer) {
  Device *device = nullptr;
  if (cudaError_t error = useCurrentDevice(device))
    return error;
  if (!isHandle(handle))
    return cudaErrorInvalidResourceHandle;
  if (handle.process == getpid())
    return cudaErrorDeviceUninitialized; // its own: as CUDA says it
  if (!takesSharedPages(*device))
    HET_NOT_SUPPORTED("cudaIpcOpenMemHandle on this device");
  std::lock_guard<std::mutex> lock(table().mutex);
  for (auto &[address, known] : table().opened)
    if (known.file == handle.file && known.device == device) {
      if (handle.offset >= known.size)
        return cudaErrorInvalidResourceHandle;
      ++known.count;
      pointer = reinterpret_cast<void *>(address + handle.offset);
      return cudaSuccess;
    }
  Result<std::unique_ptr<SharedPages>> pages = openHandle(handle);
  if (!pages.ok())
    return translate(pages.status(), cudaErrorInvalidResourceHandle);
  if (handle.offset >= (*pages)->size())
    return cudaErrorInvalidResourceHandle;
  void *base = nullptr;
  if (cudaError_t error = mapPages(*device, **pages, base))
    return error;
  table().opened[reinterpret_cast<uintptr_t>(base)] = {device, handle.file,
                                                       (*pages)->size(), 1};
  pointer = static_cast<char *>(base) + handle.offset;
  return cudaSuccess;
}

void dropFreed() {
  if (!table().sharedCount)
    return;
  std::set<uint64_t> mapped;
  std::lock_guard<std::mutex> lock(table().mutex);
  forEachMapping([&](const MapLine &line) {
    mapped.insert(line.file);
    return false;
  });
  auto &shared = table().shared;
  for (auto at = shared.begin(); at != shared.end();)
    at = mapped.count(at->first) ? std::next(at) : shared.erase(at);
  table().sharedCount = shared.size();
}

cudaError_t closeMemory(void *pointer) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  std::lock_guard<std::mutex> lock(table().mutex);
  auto found = table().opened.upper_bound(address);
  if (found == table().opened.begin())
    return cudaErrorInvalidValue;
  --found;
  if (address - found->first >= found->second.size)
    return cudaErrorInvalidValue;
  Opened &opened = found->second;
  if (--opened.count)
    return cudaSuccess;
  core::MemoryManager &memory = opened.device->device.memory();
  opened.device->device.synchronize();
  void *base = reinterpret_cast<void *>(found->first);
  Status status = memory.free(base);
  if (status.ok())
    status = memory.giveBack(base, opened.size);
  table().opened.erase(found);
  return translate(status);
}

void forgetShared(const Device &device) {
  std::lock_guard<std::mutex> lock(table().mutex);
  for (auto at = table().opened.begin(); at != table().opened.end();)
    at = at->second.device == &device ? table().opened.erase(at) : std::next(at);
}

} // namespace het::cuda
