// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one subscriber, and what it is called back by.

#include "Cupti.h"

#include "het/Base/Log.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

using namespace het::cupti;

/// There is one.
struct CUpti_Subscriber_st {
  std::atomic<CUpti_CallbackFunc> function{nullptr};
  std::atomic<void *> userdata{nullptr};
};

namespace {

CUpti_Subscriber_st subscriber;
std::mutex mutex; ///< Guards changes of who is told of what.
thread_local CUptiResult lastError = CUPTI_SUCCESS;

bool isSubscriber(CUpti_SubscriberHandle handle) {
  return handle == &subscriber && subscriber.function.load();
}

bool hasFunctions(CUpti_CallbackDomain domain) {
  return domain == CUPTI_CB_DOMAIN_RUNTIME_API || domain == CUPTI_CB_DOMAIN_DRIVER_API;
}

/// All functions of a domain, or of all.
void setAll(CUpti_CallbackDomain domain, bool calls) {
  for (unsigned index = 0; index < functionCount; ++index)
    if (domain == CUPTI_CB_DOMAIN_INVALID || functions[index].domain == domain)
      functions[index].calls = calls;
  updateHooks();
}

} // namespace

namespace het::cupti {

Function *find(CUpti_CallbackDomain domain, CUpti_CallbackId number) {
  for (unsigned index = 0; index < functionCount; ++index)
    if (functions[index].domain == domain && functions[index].number == number)
      return &functions[index];
  return nullptr;
}

bool hasCallbacks() {
  return subscriber.function.load() &&
         std::any_of(functions, functions + functionCount,
                     [](const Function &function) { return function.calls.load(); });
}

void callBack(const Function &function, const CUpti_CallbackData &data) {
  if (CUpti_CallbackFunc call = subscriber.function.load(std::memory_order_acquire))
    call(subscriber.userdata.load(), function.domain, function.number, &data);
}

CUptiResult refuse(const char *what) {
  static std::mutex sayMutex;
  static auto &said = *new std::set<std::string>;
  std::lock_guard lock(sayMutex);
  if (said.insert(what).second)
    log(Level::Warn, "%s: CUPTI has none here, not supported", what);
  return remember(CUPTI_ERROR_NOT_SUPPORTED);
}

CUptiResult remember(CUptiResult result) {
  if (result != CUPTI_SUCCESS)
    lastError = result;
  return result;
}

} // namespace het::cupti

extern "C" {

CUptiResult cuptiSupportedDomains(size_t *count, CUpti_DomainTable *table) {
  static CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_DRIVER_API,
                                           CUPTI_CB_DOMAIN_RUNTIME_API};
  if (!count || !table)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *count = std::size(domains);
  *table = domains;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *handle, CUpti_CallbackFunc callback,
                           void *userdata) {
  static const het::Status logging = het::setUpLog("het");
  if (!handle || !callback)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  std::lock_guard lock(mutex);
  if (subscriber.function.load())
    return remember(CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
  subscriber.userdata = userdata;
  subscriber.function = callback;
  *handle = &subscriber;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle handle) {
  std::lock_guard lock(mutex);
  if (!isSubscriber(handle))
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  subscriber.function = nullptr;
  setAll(CUPTI_CB_DOMAIN_INVALID, false);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackState(uint32_t *enable, CUpti_SubscriberHandle handle,
                                  CUpti_CallbackDomain domain, CUpti_CallbackId number) {
  const Function *function = find(domain, number);
  if (!enable || !function || !isSubscriber(handle))
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *enable = function->calls.load();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle handle,
                                CUpti_CallbackDomain domain, CUpti_CallbackId number) {
  std::lock_guard lock(mutex);
  if (!isSubscriber(handle) || domain <= CUPTI_CB_DOMAIN_INVALID ||
      domain >= CUPTI_CB_DOMAIN_SIZE)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  if (!hasFunctions(domain))
    return refuse("cuptiEnableCallback of resources, synchronisation, NVTX or states");
  Function *function = find(domain, number);
  if (!function)
    return refuse(("cuptiEnableCallback of function " + std::to_string(number)).c_str());
  function->calls = enable != 0;
  updateHooks();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle handle,
                              CUpti_CallbackDomain domain) {
  std::lock_guard lock(mutex);
  if (!isSubscriber(handle) || domain <= CUPTI_CB_DOMAIN_INVALID ||
      domain >= CUPTI_CB_DOMAIN_SIZE)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  if (!hasFunctions(domain))
    return refuse("cuptiEnableDomain of resources, synchronisation, NVTX or states");
  setAll(domain, enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableAllDomains(uint32_t enable, CUpti_SubscriberHandle handle) {
  std::lock_guard lock(mutex);
  if (!isSubscriber(handle))
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  setAll(CUPTI_CB_DOMAIN_INVALID, enable != 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t number,
                                 const char **name) {
  const Function *function = find(domain, number);
  if (!function || !name)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *name = function->traceName;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text) {
  if (!text)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  switch (result) {
#define HET_CUPTI_RESULT(name, sentence)                                                 \
  case name:                                                                             \
    *text = #name;                                                                       \
    return CUPTI_SUCCESS;
#include "Results.def"
  default:
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
}

CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **text) {
  if (!text)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  switch (result) {
#define HET_CUPTI_RESULT(name, sentence)                                                 \
  case name:                                                                             \
    *text = sentence;                                                                    \
    return CUPTI_SUCCESS;
#include "Results.def"
  default:
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  }
}

CUptiResult cuptiGetLastError() {
  const CUptiResult result = lastError;
  lastError = CUPTI_SUCCESS;
  return result;
}

CUptiResult cuptiGetVersion(uint32_t *version) {
  if (!version)
    return remember(CUPTI_ERROR_INVALID_PARAMETER);
  *version = CUPTI_API_VERSION;
  return CUPTI_SUCCESS;
}

} // extern "C"
