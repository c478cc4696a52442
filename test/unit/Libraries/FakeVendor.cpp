// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both fake libraries have: calls of the driver, and products.

#include "FakeSupport.h"

#include <dlfcn.h>
#include <memory>

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
  const std::unique_ptr<Product> own(static_cast<Product *>(data));
  const Product &p = *own;
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

cublasStatus_t enqueue(cudaStream_t stream, const Product &product) {
  auto held = std::make_unique<Product>(product);
  if (driverFunction<int(void *, void (*)(void *), void *)>("cuLaunchHostFunc")(
          stream, multiplyNow, held.get()) != 0)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  (void)held.release();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t wait(cudaStream_t stream) {
  return driverFunction<int(void *)>("cuStreamSynchronize")(stream) == 0
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

void note(std::string call) { hetFakeVendor()->calls.push_back(std::move(call)); }

} // namespace fake
