// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the vendor's back end share.

#ifndef HET_TEST_LIBRARIES_VENDORSUPPORT_H
#define HET_TEST_LIBRARIES_VENDORSUPPORT_H

#include "FakeDriver.h"
#include "FakeVendor.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

/// A fake library, or the fake driver, as the process has it.
template <class Entry> auto *fakeIn(const char *file, const char *entry) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<Entry>(dlsym(library, entry))();
}

class VendorTest : public testing::Test {
protected:
  void SetUp() override {
    unsetenv("HET_LIBRARIES");
    ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
    for (FakeVendor *one :
         {cublas, cublasLt, cufft, curand, cusolver, cusparse, nccl, cudnn})
      *one = FakeVendor();
    driver->misuses.clear();
  }
  void TearDown() override {
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(driver->misuses, std::vector<std::string>());
  }

  /// Those since the last take.
  static std::vector<std::string> take(FakeVendor &from) {
    return std::exchange(from.calls, {});
  }

  FakeVendor *const cublas =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcublas.so.13", "hetFakeVendor");
  FakeVendor *const cublasLt =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcublasLt.so.13", "hetFakeVendor");
  FakeVendor *const cufft =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcufft.so.12", "hetFakeVendor");
  FakeVendor *const curand =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcurand.so.10", "hetFakeVendor");
  FakeVendor *const cusparse =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcusparse.so.12", "hetFakeVendor");
  FakeVendor *const nccl =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libnccl.so.2", "hetFakeVendor");
  FakeVendor *const cudnn =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcudnn.so.9", "hetFakeVendor");
  FakeVendor *const cusolver =
      fakeIn<FakeVendorEntry>(HET_TEST_FAKES "/libcusolver.so.12", "hetFakeVendor");
  FakeDriver *const driver =
      fakeIn<FakeDriverEntry>(HET_TEST_FAKE_DRIVER, "hetFakeDriver");
};

/// Floats on the device.
class Floats {
public:
  explicit Floats(const std::vector<float> &values) : count(values.size()) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&place), count * sizeof(float)),
              cudaSuccess);
    EXPECT_EQ(
        cudaMemcpy(place, values.data(), count * sizeof(float), cudaMemcpyHostToDevice),
        cudaSuccess);
  }
  ~Floats() { EXPECT_EQ(cudaFree(place), cudaSuccess); }
  Floats(const Floats &) = delete;
  operator float *() const { return place; }
  std::vector<float> get() const {
    std::vector<float> values(count);
    EXPECT_EQ(
        cudaMemcpy(values.data(), place, count * sizeof(float), cudaMemcpyDeviceToHost),
        cudaSuccess);
    return values;
  }

private:
  size_t count;
  float *place = nullptr;
};

#endif // HET_TEST_LIBRARIES_VENDORSUPPORT_H
