// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake libraries share.

#ifndef HET_TEST_LIBRARIES_FAKESUPPORT_H
#define HET_TEST_LIBRARIES_FAKESUPPORT_H

#include "FakeVendor.h"

#include <cublasLt.h>
#include <cublas_api.h>
#include <functional>

extern "C" __attribute__((visibility("default"))) FakeVendor *hetFakeVendor();

namespace fake {

struct Product {
  int m, n, k;
  float alpha;
  const float *a;
  int lda;
  const float *b;
  int ldb;
  float beta;
  const float *c;
  int ldc;
  float *d;
  int ldd;
};

/// Whether this thread has a context of the driver's.
bool hasContext();
/// Puts work into a stream of the driver's, which notes the stream; says whether it
/// could.
bool enqueueWork(void *stream, std::function<void()> work);
/// Puts a product into a stream of the driver's; waits for one.
cublasStatus_t enqueue(cudaStream_t stream, const Product &product);
cublasStatus_t wait(cudaStream_t stream);
void note(std::string call);

} // namespace fake

#endif // HET_TEST_LIBRARIES_FAKESUPPORT_H
