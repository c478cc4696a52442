// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream-ordered allocation: when freed memory is used again, and what the pool says of
// it. A stream is held by a host function until the test lets it go.

#include "Support.h"

#include <algorithm>
#include <cstdint>
#include <malloc.h>
#include <thread>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HET_TEST_FEW_ADDRESSES
#endif
#endif

namespace {

void *allocateIn(cudaStream_t stream, size_t size) {
  void *pointer = nullptr;
  EXPECT_EQ(cudaMallocAsync(&pointer, size, stream), cudaSuccess);
  return pointer;
}

/// Memory that has been freed in a stream which may be held.
void *freedIn(cudaStream_t stream, size_t size) {
  void *pointer = allocateIn(stream, size);
  EXPECT_EQ(cudaFreeAsync(pointer, stream), cudaSuccess);
  return pointer;
}

/// Of which there is but one on the device. ThreadSanitizer leaves a device 16 GiB of
/// addresses (het/Runtime/Memory.h).
size_t mostOfIt() {
  size_t free = 0;
  EXPECT_EQ(cudaMemGetInfo(&free, nullptr), cudaSuccess);
#ifdef HET_TEST_FEW_ADDRESSES
  free = std::min(free, size_t(15) << 30);
#endif
  return free / 3 * 2;
}

class MemoryPoolTest : public testing::Test {
protected:
  MemoryPoolTest() { EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess); }
  ~MemoryPoolTest() override {
    for (cudaMemPoolAttr flag :
         {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
          cudaMemPoolReuseAllowInternalDependencies})
      set(flag, 1);
    setThreshold(0);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
    EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  }
  void set(cudaMemPoolAttr flag, int value) {
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, flag, &value), cudaSuccess);
  }
  void setThreshold(uint64_t bytes) {
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes),
              cudaSuccess);
  }
  uint64_t get(cudaMemPoolAttr attribute) {
    uint64_t value = ~uint64_t(0);
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }

  cudaMemPool_t pool = nullptr;
};

} // namespace

TEST_F(MemoryPoolTest, ALoopNeedsOneBuffer) {
  Stream stream;
  Gate gate(stream);
  const size_t size = mostOfIt();
  for (int turn = 0; turn < 100; ++turn) {
    void *pointer = allocateIn(stream, size);
    ASSERT_NE(pointer, nullptr) << turn;
    CUDA_OK(cudaMemsetAsync(pointer, turn, 64, stream));
    CUDA_OK(cudaFreeAsync(pointer, stream));
  }
}

// A block that comes back may be asked for a little more than it was made for: all of it
// is the program's then.
TEST_F(MemoryPoolTest, ABlockThatComesBackIsAsLargeAsAskedFor) {
  Stream stream;
  for (size_t size : {300u, 100000u, (5u << 20) - 64}) {
    void *first = allocateIn(stream, size);
    CUDA_OK(cudaFreeAsync(first, stream));
    void *second = allocateIn(stream, size + 8);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(first, second);
    CUDA_OK(cudaMemsetAsync(second, 1, size + 8, stream));
    CUDA_OK(cudaFreeAsync(second, stream));
  }
}

TEST_F(MemoryPoolTest, TheStreamsOwnMemoryComesBackAtOnce) {
  for (size_t size : {300u, 100000u, 5u << 20}) {
    Stream stream;
    Gate gate(stream);
    void *first = freedIn(stream, size);
    EXPECT_EQ(freedIn(stream, size), first);
    EXPECT_NE(allocateIn(stream, size * 64), first);
  }
  CUDA_OK(cudaDeviceReset());
}

TEST_F(MemoryPoolTest, AnotherStreamTakesItBehindAnEvent) {
  for (int follows : {1, 0}) {
    set(cudaMemPoolReuseFollowEventDependencies, follows);
    Stream from(cudaStreamNonBlocking), over(cudaStreamNonBlocking),
        to(cudaStreamNonBlocking);
    cudaEvent_t before = nullptr, after = nullptr, further = nullptr;
    for (cudaEvent_t *event : {&before, &after, &further})
      CUDA_OK(cudaEventCreate(event));
    Gate gate(from);
    CUDA_OK(cudaEventRecord(before, from));
    void *freed = freedIn(from, 1000);
    CUDA_OK(cudaEventRecord(after, from));
    CUDA_OK(cudaStreamWaitEvent(to, before, 0));
    void *other = allocateIn(to, 1000);
    EXPECT_NE(other, freed);
    // By way of a third stream.
    CUDA_OK(cudaStreamWaitEvent(over, after, 0));
    CUDA_OK(cudaEventRecord(further, over));
    CUDA_OK(cudaStreamWaitEvent(to, further, 0));
    void *same = allocateIn(to, 1000);
    EXPECT_EQ(same == freed, follows == 1);
    for (void *pointer : {same, other})
      CUDA_OK(cudaFreeAsync(pointer, to));
    for (cudaEvent_t event : {before, after, further})
      CUDA_OK(cudaEventDestroy(event));
  }
}

TEST_F(MemoryPoolTest, TheLegacyStreamIsInOrderWithBlockingOnes) {
  Stream blocking, free(cudaStreamNonBlocking);
  Gate gate(blocking);
  void *freed = freedIn(blocking, 1000);
  void *other = allocateIn(free, 1000);
  EXPECT_NE(other, freed);
  void *same = allocateIn(cudaStreamLegacy, 1000);
  EXPECT_EQ(same, freed);
  CUDA_OK(cudaFreeAsync(other, free));
  CUDA_OK(cudaFreeAsync(same, cudaStreamLegacy));
}

TEST_F(MemoryPoolTest, AnotherStreamTakesItOnceItIsDone) {
  for (int mayTake : {1, 0}) {
    set(cudaMemPoolReuseAllowOpportunistic, mayTake);
    setThreshold(UINT64_MAX); // or the wait gives it back
    Stream from(cudaStreamNonBlocking), to(cudaStreamNonBlocking);
    void *freed = freedIn(from, 1000);
    CUDA_OK(cudaStreamSynchronize(from));
    void *next = allocateIn(to, 1000);
    EXPECT_EQ(next == freed, mayTake == 1);
    CUDA_OK(cudaFreeAsync(next, to));
    setThreshold(0);
    CUDA_OK(cudaDeviceSynchronize());
  }
}

TEST_F(MemoryPoolTest, AnotherStreamWaitsForItIfThereIsNoOther) {
  Stream from(cudaStreamNonBlocking), to(cudaStreamNonBlocking);
  const size_t size = mostOfIt();
  Gate gate(from);
  void *freed = freedIn(from, size);
  EXPECT_EQ(allocateIn(to, size), freed);
  EXPECT_EQ(cudaStreamQuery(to), cudaErrorNotReady);
  gate.open();
  CUDA_OK(cudaStreamSynchronize(to));
  CUDA_OK(cudaFreeAsync(freed, to));
}

TEST_F(MemoryPoolTest, AnAllocationWaitsForFreesBeforeItFails) {
  set(cudaMemPoolReuseAllowInternalDependencies, 0);
  Stream from(cudaStreamNonBlocking), to(cudaStreamNonBlocking);
  for (bool isOrdered : {true, false}) {
    const size_t size = mostOfIt();
    Gate gate(from);
    freedIn(from, size);
    std::thread opener([&] { gate.open(); });
    void *pointer = nullptr;
    cudaError_t error =
        isOrdered ? cudaMallocAsync(&pointer, size, to) : cudaMalloc(&pointer, size);
    opener.join();
    CUDA_OK(error);
    CUDA_OK(isOrdered ? cudaFreeAsync(pointer, to) : cudaFree(pointer));
    CUDA_FAILS(cudaErrorMemoryAllocation, cudaMallocAsync(&pointer, size_t(1) << 50, to));
  }
}

TEST_F(MemoryPoolTest, WaitsGiveBackMemoryDownToTheThreshold) {
  Stream stream;
  cudaEvent_t event = nullptr;
  CUDA_OK(cudaEventCreate(&event));
  const size_t size = 8 << 20;
  for (int way = 0; way < 3; ++way) {
    setThreshold(UINT64_MAX);
    freedIn(stream, size);
    auto wait = [&] {
      CUDA_OK(cudaEventRecord(event, stream));
      CUDA_OK(way == 0   ? cudaStreamSynchronize(stream)
              : way == 1 ? cudaEventSynchronize(event)
                         : cudaDeviceSynchronize());
    };
    wait();
    EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), size);
    setThreshold(size);
    wait();
    EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), size);
    setThreshold(size - 1);
    wait();
    EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  }
  CUDA_OK(cudaEventDestroy(event));
}

TEST_F(MemoryPoolTest, CountsWhatIsUsedAndReserved) {
  Stream stream;
  uint64_t zero = 0, one = 1;
  setThreshold(UINT64_MAX);
  for (cudaMemPoolAttr high :
       {cudaMemPoolAttrUsedMemHigh, cudaMemPoolAttrReservedMemHigh}) {
    CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, high, &one));
    CUDA_OK(cudaMemPoolSetAttribute(pool, high, &zero));
    EXPECT_EQ(get(high), 0u);
  }
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
  const uint64_t size = 8 << 20;
  void *first = allocateIn(stream, size), *second = allocateIn(stream, size);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 2 * size);
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaFreeAsync(second, stream));
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0u);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 2 * size);
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemPoolTrimTo(pool, size));
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), size);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemHigh), 2 * size);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemHigh), 2 * size);
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero));
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemHigh), size);
  CUDA_FAILS(cudaErrorInvalidValue,
             cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &one));
}

TEST_F(MemoryPoolTest, MemoryIsFreedOnceInEitherWay) {
  Stream stream;
  Gate gate(stream);
  void *freed = freedIn(stream, 1000);
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeAsync(freed, stream));
  void *plain = nullptr;
  CUDA_OK(cudaMalloc(&plain, 1000));
  CUDA_OK(cudaFreeAsync(plain, stream));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFreeAsync(plain, stream));
  gate.open();
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(plain));
  CUDA_FAILS(cudaErrorInvalidValue, cudaFree(freed));
  CUDA_OK(cudaFree(allocateIn(stream, 1000)));
  CUDA_OK(cudaFreeAsync(nullptr, stream));
}

TEST_F(MemoryPoolTest, AResetEmptiesIt) {
  {
    Stream stream;
    allocateIn(stream, 1000);
    freedIn(stream, 100000);
    CUDA_OK(cudaDeviceReset());
  }
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0u);
  Stream stream, other;
  CUDA_OK(cudaSetDevice(1));
  {
    Stream elsewhere;
    CUDA_OK(cudaFreeAsync(allocateIn(stream, 1000), elsewhere));
    CUDA_OK(cudaDeviceReset());
  }
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaFreeAsync(allocateIn(other, 1000), other));
}

/// A stream that lives long waits for one after the other of those that do not.
TEST_F(MemoryPoolTest, ClocksOfStreamsThatAreGoneTakeNoMemory) {
  Stream main;
  cudaEvent_t event = nullptr;
  CUDA_OK(cudaEventCreate(&event));
  auto follow = [&](int streams) {
    for (int i = 0; i < streams; ++i) {
      Stream other;
      freedIn(other, 1000);
      CUDA_OK(cudaEventRecord(event, other));
      CUDA_OK(cudaStreamWaitEvent(main, event, 0));
    }
    CUDA_OK(cudaDeviceSynchronize());
  };
  // The least of several: a thread that begins takes some memory once.
  size_t growth = SIZE_MAX;
  for (int times = 0; times < 5; ++times) {
    const size_t before = mallinfo2().uordblks;
    follow(1000);
    growth = std::min(growth, std::max(mallinfo2().uordblks, before) - before);
  }
  EXPECT_LT(growth, size_t(32) << 10); // a thousand entries take twice as much
  CUDA_OK(cudaEventDestroy(event));
}

TEST_F(MemoryPoolTest, ManyThreadsAllocateAndFree) {
  auto work = [](unsigned seed) {
    Stream mine(cudaStreamNonBlocking);
    std::vector<unsigned char> host(4000);
    for (unsigned turn = 0; turn < 200; ++turn) {
      const size_t size = 1000 + (seed * 7 + turn) % 3 * 1000;
      void *pointer = allocateIn(mine, size);
      const auto value = static_cast<unsigned char>(seed * 50 + turn);
      CUDA_OK(cudaMemsetAsync(pointer, value, size, mine));
      CUDA_OK(cudaMemcpyAsync(host.data(), pointer, size, cudaMemcpyDeviceToHost, mine));
      CUDA_OK(cudaFreeAsync(pointer, mine));
      CUDA_OK(cudaStreamSynchronize(mine));
      for (size_t at : {size_t(0), size - 1})
        ASSERT_EQ(host[at], value);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed)
    threads.emplace_back(work, seed);
  for (std::thread &thread : threads)
    thread.join();
}

namespace {

cudaMemPoolProps propertiesOf(int device, size_t maxSize = 0) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  properties.maxSize = maxSize;
  return properties;
}

uint64_t attributeOf(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
  return value;
}

} // namespace

/// Pools of one device share nothing but the device.
TEST(MemoryPools, OfTheProgramsOwn) {
  constexpr size_t size = 4 << 20;
  cudaMemPool_t pool = nullptr, standard = nullptr, found = nullptr;
  const cudaMemPoolProps properties = propertiesOf(0);
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  CUDA_OK(cudaDeviceGetDefaultMemPool(&standard, 0));
  ASSERT_NE(pool, standard);
  const uint64_t before = attributeOf(standard, cudaMemPoolAttrUsedMemCurrent);
  uint64_t keepAll = UINT64_MAX;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keepAll));
  Stream stream;
  void *first = nullptr, *other = nullptr, *again = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&first, size, pool, stream));
  EXPECT_EQ(attributeOf(pool, cudaMemPoolAttrUsedMemCurrent), size);
  EXPECT_EQ(attributeOf(standard, cudaMemPoolAttrUsedMemCurrent), before);
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(attributeOf(pool, cudaMemPoolAttrReservedMemCurrent), size);
  CUDA_OK(cudaMallocAsync(&other, size, stream)); // of the standard pool
  EXPECT_NE(other, first);
  CUDA_OK(cudaMallocFromPoolAsync(&again, size, pool, stream));
  EXPECT_EQ(again, first);
  CUDA_OK(cudaFreeAsync(again, stream));
  CUDA_OK(cudaFreeAsync(other, stream));
  // It becomes the device's, and goes.
  CUDA_OK(cudaDeviceSetMemPool(0, pool));
  CUDA_OK(cudaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(found, pool);
  CUDA_OK(cudaMallocAsync(&first, size, stream));
  EXPECT_EQ(first, again);
  CUDA_FAILS(cudaErrorInvalidValue, cudaDeviceSetMemPool(1, pool));
  CUDA_OK(cudaMemPoolDestroy(pool)); // with memory in use
  CUDA_OK(cudaDeviceGetMemPool(&found, 0));
  EXPECT_EQ(found, standard);
  CUDA_OK(cudaMemsetAsync(first, 1, size, stream));
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, first));
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered); // given back
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolDestroy(nullptr));
}

TEST(MemoryPools, KeepTheirMostAndTheirAccess) {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties = propertiesOf(1, 8 << 20);
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  Stream stream;
  void *first = nullptr, *second = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&first, 6 << 20, pool, stream));
  CUDA_FAILS(cudaErrorMemoryAllocation,
             cudaMallocFromPoolAsync(&second, 6 << 20, pool, stream));
  CUDA_OK(cudaFreeAsync(first, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaMemAccessFlags flags;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0},
                  own = {cudaMemLocationTypeDevice, 1};
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &here));
  EXPECT_EQ(flags, cudaMemAccessFlagsProtNone);
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &own));
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  cudaMemAccessDesc access = {here, cudaMemAccessFlagsProtReadWrite};
  CUDA_OK(cudaMemPoolSetAccess(pool, &access, 1));
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &here));
  EXPECT_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  access = {own, cudaMemAccessFlagsProtNone};
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolSetAccess(pool, &access, 1));
  here.id = 9;
  CUDA_FAILS(cudaErrorInvalidDevice, cudaMemPoolGetAccess(&flags, pool, &here));
  CUDA_OK(cudaMemPoolDestroy(pool));
  properties.location.id = 9;
  CUDA_FAILS(cudaErrorInvalidDevice, cudaMemPoolCreate(&pool, &properties));
  properties.allocType = cudaMemAllocationTypeInvalid;
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolCreate(&pool, &properties));
  CUDA_FAILS(cudaErrorInvalidValue, cudaMemPoolCreate(nullptr, &properties));
}

/// A block has the size of whoever has it now.
TEST(MemoryPools, ReuseWithAnotherSize) {
  Stream stream;
  for (const size_t unit : {size_t(1), size_t(1) << 20}) {
    void *small = nullptr, *large = nullptr;
    CUDA_OK(cudaMallocAsync(&small, 104 * unit, stream));
    CUDA_OK(cudaFreeAsync(small, stream));
    CUDA_OK(cudaMallocAsync(&large, 105 * unit, stream));
    std::vector<char> bytes(105 * unit, 3);
    CUDA_OK(
        cudaMemcpyAsync(large, bytes.data(), bytes.size(), cudaMemcpyDefault, stream));
    CUDA_FAILS(cudaErrorInvalidValue, cudaMemsetAsync(large, 0, 1000 * unit, stream));
    CUDA_OK(cudaFreeAsync(large, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
  }
}
