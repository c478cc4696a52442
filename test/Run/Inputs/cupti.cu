// A tool in the program: is called back by functions of both APIs, and reads records of what
// devices did.
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

__global__ void scale(float *p, float by) { p[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

static std::map<std::string, int> entered, left;
static std::string launched;
static size_t mallocBytes = 0;
static uint32_t launchCorrelation = 0;
static bool isOrdered = true;

static void CUPTIAPI call(void *userdata, CUpti_CallbackDomain domain, CUpti_CallbackId number,
                          const void *data) {
  auto *info = static_cast<const CUpti_CallbackData *>(data);
  const bool isEnter = info->callbackSite == CUPTI_API_ENTER;
  ++(isEnter ? entered : left)[info->functionName];
  if (isEnter)
    *info->correlationData = number + 1;
  else
    isOrdered = isOrdered && *info->correlationData == number + 1 && info->functionReturnValue;
  int device = -1; // a callback's own calls are not told of
  cudaGetDevice(&device);
  if (domain != CUPTI_CB_DOMAIN_RUNTIME_API || !isEnter)
    return;
  if (number == CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020)
    mallocBytes = static_cast<const cudaMalloc_v3020_params *>(info->functionParams)->size;
  if (number == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000) {
    auto *launch = static_cast<const cudaLaunchKernel_v7000_params *>(info->functionParams);
    launched = std::string(info->symbolName ? info->symbolName : "?") + " " +
               std::to_string(launch->gridDim.x) + "x" + std::to_string(launch->blockDim.x);
    launchCorrelation = info->correlationId;
  }
  ++*static_cast<int *>(userdata);
}

static int buffers = 0;
static std::vector<std::string> records;

static void CUPTIAPI request(uint8_t **buffer, size_t *size, size_t *most) {
  *size = 4096;
  *buffer = static_cast<uint8_t *>(aligned_alloc(8, *size));
  *most = 0;
  ++buffers;
}

static void read(const CUpti_Activity *record) {
  char text[300] = "";
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    auto *kernel = reinterpret_cast<const CUpti_ActivityKernel9 *>(record);
    std::snprintf(text, sizeof text, "kernel %s %dx%d on %u, %s, %s", kernel->name,
                  kernel->gridX, kernel->blockX, kernel->deviceId,
                  kernel->correlationId == launchCorrelation ? "of its launch" : "lost",
                  kernel->start && kernel->start <= kernel->end ? "in order" : "out of order");
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    auto *copy = reinterpret_cast<const CUpti_ActivityMemcpy5 *>(record);
    std::snprintf(text, sizeof text, "copy %d of %zu", copy->copyKind, size_t(copy->bytes));
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    auto *fill = reinterpret_cast<const CUpti_ActivityMemset4 *>(record);
    std::snprintf(text, sizeof text, "fill of %zu", size_t(fill->bytes));
  } else if (record->kind == CUPTI_ACTIVITY_KIND_RUNTIME) {
    auto *api = reinterpret_cast<const CUpti_ActivityAPI *>(record);
    const char *name = nullptr;
    cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, api->cbid, &name);
    std::snprintf(text, sizeof text, "call %s", name);
  } else if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
    auto *own = reinterpret_cast<const CUpti_ActivityExternalCorrelation *>(record);
    std::snprintf(text, sizeof text, "in %zu", size_t(own->externalId));
  }
  records.push_back(text);
}

static void CUPTIAPI complete(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t used) {
  CUpti_Activity *record = nullptr;
  while (!cuptiActivityGetNextRecord(buffer, used, &record))
    read(record);
  free(buffer);
}

static void work() {
  float host[64] = {1};
  float *p;
  cudaMalloc(&p, sizeof host);
  cudaMemset(p, 0, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, 77);
  scale<<<2, 32>>>(p, 3);
  cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, nullptr);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaFree(p);
  std::printf("%g\n", host[0]);
}

int main() {
  work(); // streams from before there is a tool
  uint32_t version = 0;
  int calls = 0;
  CUpti_SubscriberHandle tool, other;
  std::printf("version %d\n", cuptiGetVersion(&version) ? -1 : int(version));
  std::printf("subscribed %d\n", cuptiSubscribe(&tool, call, &calls));
  std::printf("another %d\n", cuptiSubscribe(&other, call, &calls));
  std::printf("domains %d %d\n", cuptiEnableDomain(1, tool, CUPTI_CB_DOMAIN_RUNTIME_API),
              cuptiEnableCallback(1, tool, CUPTI_CB_DOMAIN_DRIVER_API,
                                  CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2));
  std::printf("resources %d\n", cuptiEnableDomain(1, tool, CUPTI_CB_DOMAIN_RESOURCE));
  work();
  CUdeviceptr q;
  cuMemAlloc(&q, 16);
  cuMemFree(q);
  isOrdered = isOrdered && entered == left;
  std::printf("told of cudaMalloc %d %d, %zu bytes, cuMemAlloc %d, cuMemFree %d\n",
              entered["cudaMalloc"], left["cudaMalloc"], mallocBytes, entered["cuMemAlloc_v2"],
              entered["cuMemFree_v2"]);
  std::printf("launched %s, cudaGetDevice %d, %s\n", launched.c_str(), entered["cudaGetDevice"],
              isOrdered ? "each entered and left" : "not in order");
  std::printf("unsubscribed %d\n", cuptiUnsubscribe(tool));
  const int before = calls;
  work();
  std::printf("told of %d more\n", calls - before);

  std::printf("markers %d\n", cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MARKER));
  std::printf("flush %d\n", cuptiActivityFlushAll(0));
  cuptiActivityRegisterCallbacks(request, complete);
  for (CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME,
        CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION})
    if (cuptiActivityEnable(kind))
      std::printf("kind %d: refused\n", kind);
  cuptiSubscribe(&tool, call, &calls);
  cuptiEnableCallback(1, tool, CUPTI_CB_DOMAIN_RUNTIME_API,
                      CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000);
  work();
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (const std::string &record : records)
    std::printf("record: %s\n", record.c_str());
  for (int index = 0; index < 200; ++index)
    cudaGetDevice(&calls);
  const int used = buffers;
  records.clear();
  cuptiActivityFlushAll(0);
  std::printf("%zu records in %s buffers\n", records.size(), buffers > used + 1 ? "many" : "few");
  size_t dropped = 9;
  cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped);
  std::printf("dropped %zu\n", dropped);
  cuptiFinalize();
  const char *text = nullptr;
  cuptiGetResultString(CUPTI_ERROR_NOT_SUPPORTED, &text);
  std::printf("%s\n", text);
}
