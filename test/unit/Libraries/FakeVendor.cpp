// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all fake libraries have: calls of the driver, and products.

#include "FakeSupport.h"

#include <deque>
#include <dlfcn.h>

FakeVendor *hetFakeVendor() {
  static FakeVendor instance;
  return &instance;
}

namespace fake {
namespace {

template <class Function> Function *driverFunction(const char *name) {
  static void *driver = dlopen(HET_TEST_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Function *>(dlsym(driver, name));
}

void multiplyNow(void *data) {
  const auto &p = *static_cast<const Product *>(data);
  for (int column = 0; column < p.n; ++column)
    for (int row = 0; row < p.m; ++row) {
      float sum = 0;
      for (int i = 0; i < p.k; ++i)
        sum += p.a[row + i * p.lda] * p.b[i + column * p.ldb];
      float &to = p.d[row + column * p.ldd];
      to = p.alpha * sum + (p.beta != 0 ? p.beta * p.c[row + column * p.ldc] : 0);
    }
}

} // namespace

bool hasContext() {
  void *context = nullptr;
  return driverFunction<int(void **)>("cuCtxGetCurrent")(&context) == 0 && context;
}

bool enqueueWork(void *stream, std::function<void()> work) {
  using Work = std::function<void()>;
  static std::deque<Work> all; // what is recorded is done again and again
  all.push_back(std::move(work));
  const auto call = [](void *data) { (*static_cast<Work *>(data))(); };
  hetFakeVendor()->streams.push_back(stream);
  return driverFunction<int(void *, void (*)(void *), void *)>("cuLaunchHostFunc")(
             stream, call, &all.back()) == 0;
}

cublasStatus_t enqueue(cudaStream_t stream, const Product &product) {
  static std::deque<Product> all; // what is recorded is done again and again
  all.push_back(product);
  return driverFunction<int(void *, void (*)(void *), void *)>("cuLaunchHostFunc")(
             stream, multiplyNow, &all.back()) == 0
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t wait(cudaStream_t stream) {
  return driverFunction<int(void *)>("cuStreamSynchronize")(stream) == 0
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

void note(std::string call) { hetFakeVendor()->calls.push_back(std::move(call)); }

} // namespace fake
