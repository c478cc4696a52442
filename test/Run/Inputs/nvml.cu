// Asks NVML about the devices that CUDA has: both say the same.
#include <nvml.h>

#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

static int faults = 0;

static void expect(bool holds, const char *what) {
  if (!holds) {
    ++faults;
    std::printf("not so: %s\n", what);
  }
}

static void compare(nvmlDevice_t device, int ordinal) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, ordinal);
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE], uuid[NVML_DEVICE_UUID_V2_BUFFER_SIZE];
  char busId[32];
  int major = 0, minor = 0;
  nvmlPciInfo_t pci;
  nvmlDevice_t same = nullptr;
  expect(!nvmlDeviceGetName(device, name, sizeof name) && !std::strcmp(name, properties.name),
         "name");
  expect(!nvmlDeviceGetUUID(device, uuid, sizeof uuid) && !std::strncmp(uuid, "GPU-", 4), "UUID");
  unsigned first = 0;
  std::sscanf(uuid + 4, "%2x", &first);
  expect(first == static_cast<unsigned char>(properties.uuid.bytes[0]), "UUID's bytes");
  expect(!nvmlDeviceGetHandleByUUID(uuid, &same) && same == device, "by UUID");
  expect(!nvmlDeviceGetPciInfo(device, &pci) && static_cast<int>(pci.bus) == properties.pciBusID,
         "place");
  unsigned clock = 0;
  expect(!nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &clock) &&
             static_cast<int>(clock) == properties.clockRate / 1000,
         "clock");
  expect(!nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &clock) &&
             static_cast<int>(clock) == properties.memoryClockRate / 1000,
         "clock of memory");
  expect(nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &clock) == NVML_ERROR_NOT_SUPPORTED,
         "clock of video");
  cudaDeviceGetPCIBusId(busId, sizeof busId, ordinal);
  expect(!nvmlDeviceGetHandleByPciBusId(busId, &same) && same == device, "by place");
  expect(!nvmlDeviceGetHandleByPciBusId(pci.busId, &same) && same == device, "by long place");
  expect(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor) &&
             major == properties.major && minor == properties.minor,
         "capability");
  expect(nvmlDeviceGetName(device, name, 2) == NVML_ERROR_INSUFFICIENT_SIZE, "short name");
}

static void askMemory(nvmlDevice_t device) {
  nvmlMemory_t memory;
  nvmlMemory_v2_t newer = {};
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  expect(!nvmlDeviceGetMemoryInfo(device, &memory) && memory.total == total &&
             memory.free + memory.used == total,
         "memory");
  expect(nvmlDeviceGetMemoryInfo_v2(device, &newer) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH,
         "form of memory");
  newer.version = nvmlMemory_v2;
  expect(!nvmlDeviceGetMemoryInfo_v2(device, &newer) && newer.total == total, "newer memory");
  unsigned count = 0;
  expect(nvmlDeviceGetComputeRunningProcesses(device, &count, nullptr) ==
                 NVML_ERROR_INSUFFICIENT_SIZE &&
             count == 1,
         "number of processes");
  nvmlProcessInfo_t process;
  expect(!nvmlDeviceGetComputeRunningProcesses(device, &count, &process) &&
             process.pid == static_cast<unsigned>(getpid()),
         "processes");
}

/// What nobody knows is said to be so.
static void askUnknown(nvmlDevice_t device) {
  unsigned value = 0;
  nvmlUtilization_t utilization;
  nvmlEventSet_t events;
  char serial[NVML_DEVICE_SERIAL_BUFFER_SIZE];
  expect(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value) ==
             NVML_ERROR_NOT_SUPPORTED,
         "temperature");
  expect(nvmlDeviceGetPowerUsage(device, &value) == NVML_ERROR_NOT_SUPPORTED, "power");
  expect(nvmlDeviceGetUtilizationRates(device, &utilization) == NVML_ERROR_NOT_SUPPORTED,
         "utilisation");
  expect(nvmlDeviceGetSerial(device, serial, sizeof serial) == NVML_ERROR_NOT_SUPPORTED,
         "serial");
  expect(nvmlDeviceGetMigMode(device, &value, &value) == NVML_ERROR_NOT_SUPPORTED, "MIG");
  expect(nvmlEventSetCreate(&events) == NVML_ERROR_NOT_SUPPORTED, "events");
  expect(nvmlDeviceGetPowerUsage(nullptr, &value) == NVML_ERROR_INVALID_ARGUMENT, "no device");
}

int main() {
  unsigned count = 0;
  int devices = 0;
  nvmlDevice_t device;
  expect(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED, "before nvmlInit");
  expect(!nvmlInit(), "nvmlInit");
  cudaGetDeviceCount(&devices);
  expect(!nvmlDeviceGetCount(&count) && static_cast<int>(count) == devices, "count");
  expect(nvmlDeviceGetHandleByIndex(count, &device) == NVML_ERROR_INVALID_ARGUMENT, "index");
  for (unsigned index = 0; index < count; ++index) {
    expect(!nvmlDeviceGetHandleByIndex(index, &device), "handle");
    compare(device, static_cast<int>(index));
  }
  nvmlDeviceGetHandleByIndex(0, &device);
  askMemory(device);
  askUnknown(device);
  expect(!std::strcmp(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported"), "error");
  expect(!nvmlShutdown() && nvmlShutdown() == NVML_ERROR_UNINITIALIZED, "nvmlShutdown");
  std::printf("%u devices, %d faults\n", count, faults);
}
