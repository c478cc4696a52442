// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's device plug-in: probes, opens and describes devices, and fills TargetABI.h's
// table.

#include "KernelLibrary.h"
#include "Loss.h"
#include "LoweringVersion.h"
#include "Parking.h"
#include "Signals.h"

#include "../../Support/LaunchShape.h"
#include "../../Support/SoftwareQueueFunctions.h"
#include "het/Base/Environment.h"
#include "het/Base/Log.h"
#include "het/Base/MemoryLimit.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace het::host;
using het::Variable;
using het::target::report;
using het::target::success;

void HetDevice::fail(int32_t kind, const std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (faultKind.load())
    return;
  faultMessage = message;
  faultKind = kind;
}

namespace {

namespace environment = het::environment;

int32_t failWithErrno(HetStatus *status, const char *what) {
  std::string text = std::string(what) + ": " + std::strerror(errno);
  return report(status, HET_UNAVAILABLE, text.c_str());
}

int32_t probe(uint32_t *count, HetStatus *status) {
  *count = 0;
  static_cast<void>(het::setUpLog("het")); // the runtime reports a bad value
  for (const het::Status &setting :
       {readThreadCount().status(), readParksByItself().status(),
        environment::choice(Variable::HostTeams).status()})
    if (!setting.ok())
      return report(status, setting);
  *count = UINT32_MAX; // as many separate devices as are asked for
  return success(status);
}

int32_t open(uint32_t ordinal, HetDevice **device, HetStatus *status) {
  *device = new HetDevice;
  (*device)->ordinal = ordinal;
  return success(status);
}

void close(HetDevice *device) {
  noteClosing(*device);
  delete device;
}

/// The value behind "name :" in /proc/cpuinfo.
std::string cpuInfo(const char *name) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name, 0) == 0)
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "";
}

int32_t properties(HetDevice *, HetDeviceProperties *out, HetStatus *status) {
  *out = {};
  std::string model = cpuInfo("model name"), features = cpuInfo("flags");
  std::snprintf(out->name, sizeof(out->name), "hetcc host (%s)",
                model.empty() ? "CPU" : model.c_str());
  uint64_t hash = 1469598103934665603ull; // FNV-1a
  for (char c : model + features)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  std::snprintf(out->arch, sizeof(out->arch), HET_HOST_NATIVE "%016llx%s",
                static_cast<unsigned long long>(hash),
                environment::textOrDefault(Variable::HostTeams) == "scratch"
                    ? HET_HOST_SCRATCH_TEAMS
                    : "");
  std::snprintf(out->loweringVersion, sizeof(out->loweringVersion), "%s",
                HET_LOWERING_VERSION);
  out->totalMemory = het::usableMemory();
  out->memoryGranularity = 2u << 20;
  out->processorCount = threadCount();
  out->clockKilohertz =
      static_cast<uint32_t>(std::atof(cpuInfo("cpu MHz").c_str()) * 1000);
  out->maxThreadsPerBlock = 1024;
  const uint32_t blockDim[] = {1024, 1024, 64};
  const uint32_t gridDim[] = {2147483647, 65535, 65535};
  std::memcpy(out->maxBlockDim, blockDim, sizeof(blockDim));
  std::memcpy(out->maxGridDim, gridDim, sizeof(gridDim));
  out->sharedBytesPerBlock = 48 << 10;
  out->sharedBytesPerBlockOptIn = 227 << 10;
  out->sharesHostMemory = 1;
  out->reservesWindow = 1;
  out->mostClusterBlocks = 16;
  return success(status);
}

int32_t fault(HetDevice *device, HetStatus *status) {
  std::lock_guard<std::mutex> lock(device->mutex);
  report(status, device->faultKind ? HET_UNAVAILABLE : HET_OK,
         device->faultMessage.c_str());
  return device->faultKind;
}

/// Whether all that the process has in a range are addresses that are kept free: what a
/// GPU's driver has reserved for memory of its own, which lies apart from the host's.
bool isOnlyReserved(uint64_t address, uint64_t size) {
  std::ifstream maps("/proc/thread-self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    char access[5] = "";
    if (std::sscanf(line.c_str(), "%llx-%llx %4s", &begin, &end, access) != 3)
      return false;
    if (begin < address + size && end > address && std::strcmp(access, "---p") != 0)
      return false;
  }
  return true;
}

int32_t mapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  void *wanted = reinterpret_cast<void *>(address);
  auto map = [&](int how) {
    return mmap(wanted, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | how, -1, 0);
  };
  void *memory = map(MAP_FIXED_NOREPLACE);
  if (memory == MAP_FAILED && errno == EEXIST) {
    if (isOnlyReserved(address, size))
      memory = map(MAP_FIXED);
    else
      errno = EEXIST;
  }
  if (memory == MAP_FAILED)
    return failWithErrno(status, "mmap in the address window");
  if (memory != wanted) {
    munmap(memory, size);
    return report(status, HET_UNAVAILABLE, "the address window is taken");
  }
  madvise(memory, size, MADV_HUGEPAGE);
  return success(status);
}

int32_t unmapMemory(HetDevice *, uint64_t address, uint64_t size, HetStatus *status) {
  if (munmap(reinterpret_cast<void *>(address), size))
    return failWithErrno(status, "munmap");
  return success(status);
}

int32_t createQueue(HetDevice *device, HetQueue **queue, HetStatus *status) {
  *queue = new HetQueue(*device);
  return success(status);
}

int32_t enqueueLaunch(HetQueue *queue, const HetLaunch *shape, HetStatus *status) {
  if (std::string wrong = het::target::checkShape(*shape); !wrong.empty())
    return report(status, HET_INVALID, wrong.c_str());
  std::shared_ptr<Launch> launch = Launch::create(*queue->device, *shape);
  if (!launch)
    return report(status, HET_UNAVAILABLE, "no memory for a launch");
  prepareSignals(*queue);
  return report(status, queue->queue.push([launch] { runLaunch(*launch); }));
}

/// Whether what is kept of a suspended block lies in its frame.
bool isStateInFrame(const HetHostKernel &kernel) {
  return !kernel.layout ||
         (kernel.resume && kernel.stateBytes <= kernel.frameBytesPerThread);
}

int32_t loadArtifact(HetDevice *device, const uint8_t *data, size_t size,
                     const uint64_t *variables, size_t variableCount, HetArtifact **out,
                     HetStatus *status) {
  void *library = openLibrary(data, size, status);
  if (!library)
    return status->code;
  auto *kernel = static_cast<const HetHostKernel *>(dlsym(library, "het_kernel"));
  if (!kernel || kernel->abiVersion != HET_HOST_ABI_VERSION || !isStateInFrame(*kernel)) {
    dlclose(library);
    return report(status, HET_INVALID, "artifact: not one of this version");
  }
  if (kernel->variableCount != variableCount) {
    const std::string text = "artifact: found a kernel of " +
                             std::to_string(kernel->variableCount) +
                             " variables, expected " + std::to_string(variableCount);
    dlclose(library);
    return report(status, HET_INVALID, text.c_str());
  }
  auto *artifact = new HetArtifact;
  artifact->device = device;
  artifact->library = library;
  artifact->kernel = kernel;
  for (size_t i = 0; i < variableCount; ++i)
    artifact->variables.push_back(reinterpret_cast<void *>(variables[i]));
  *out = artifact;
  return success(status);
}

void unloadArtifact(HetArtifact *artifact) {
  dlclose(artifact->library);
  delete artifact;
}

HetDeviceABI makeTable() {
  HetDeviceABI table = {};
  table.abiVersion = HET_TARGET_ABI_VERSION;
  table.size = sizeof(table);
  table.name = "host";
  table.role = HET_ROLE_FALLBACK;
  table.probe = probe;
  table.open = open;
  table.close = close;
  table.properties = properties;
  table.fault = fault;
  table.mapMemory = mapMemory;
  table.unmapMemory = unmapMemory;
  het::target::fillInSoftwareQueues<HetQueue>(table);
  table.createQueue = createQueue;
  table.enqueueLaunch = enqueueLaunch;
  table.loadArtifact = loadArtifact;
  table.unloadArtifact = unloadArtifact;
  table.rankArch = rankArch;
  fillInParking(table);
  return table;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const HetDeviceABI *hetDeviceABI(void) {
  static const HetDeviceABI table = makeTable();
  return &table;
}
