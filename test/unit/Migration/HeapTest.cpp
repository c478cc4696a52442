// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of kernels: when it begins, how large it is, that it moves with the memory.
// What malloc and free do with it is in ../DeviceLib/HeapTest.cpp.

#include "MigrationTest.h"

#include "het/DeviceABI/Heap.h"

using namespace het;
using namespace het::core;

namespace {

class HeapTest : public MigrationTest {
protected:
  void SetUp() override {
    module.reset();
    EXPECT_OK(device().reset()); // the heap of the tests before
    MigrationTest::SetUp();
    stream = makeStream();
  }
  void TearDown() override {
    stream.reset();
    MigrationTest::TearDown();
    module.reset();
    EXPECT_OK(device().reset());
  }

  void *variable() {
    Result<VariableAddress> found = module->variable(HET_HEAP_NAME);
    return found.ok() ? found->address : nullptr;
  }
  HetHeap read() {
    HetHeap heap = {};
    EXPECT_OK(stream->copy(&heap, variable(), sizeof(heap)));
    stream->synchronize();
    return heap;
  }
  void runOne() {
    Steps steps = makeSteps(1);
    auto *out = allocate<uint64_t>(blocks * threads);
    auto *begun = allocate<uint32_t>(blocks);
    launch(*stream, "countHeap", false, out, &steps, begun);
    stream->synchronize();
  }

  std::shared_ptr<Stream> stream;
};

TEST_F(HeapTest, BeginsWithTheFirstKernelThatAllocates) {
  EXPECT_EQ(read().bytes, 0u);
  runOne();
  const HetHeap heap = read();
  EXPECT_EQ(heap.bytes, 8u << 20);
  std::optional<Allocation> memory =
      device().memory().find(reinterpret_cast<void *>(heap.begin));
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->address, heap.begin);
  EXPECT_GE(memory->size, heap.bytes);
  runOne();
  EXPECT_EQ(read().begin, heap.begin);
}

TEST_F(HeapTest, IsAsLargeAsItsLimit) {
  EXPECT_OK(device().setLimit(HET_LIMIT_HEAP, (1 << 20) + 5));
  runOne();
  EXPECT_EQ(read().bytes, 1u << 20);
  EXPECT_EQ(device().setLimit(HET_LIMIT_HEAP, 2 << 20).code, Code::Invalid);
  EXPECT_OK(device().setLimit(HET_LIMIT_HEAP, (1 << 20) + 5));
  EXPECT_EQ(read().bytes, 1u << 20);
}

TEST_F(HeapTest, StaysEmptyWithoutMemory) {
  EXPECT_OK(device().setLimit(HET_LIMIT_HEAP, uint64_t(1) << 60));
  runOne();
  EXPECT_EQ(read().bytes, 0u);
  EXPECT_EQ(device().fault().kind, HET_FAULT_NONE);
}

TEST_F(HeapTest, IsTheSameForAllPackages) {
  Result<std::shared_ptr<Module>> other =
      Module::open(device(), module->packageBytes(), "other");
  ASSERT_TRUE(other.ok()) << other.status().text();
  EXPECT_EQ((*other)->variable(HET_HEAP_NAME)->address, variable());
}

TEST_F(HeapTest, Moves) {
  runOne();
  HetHeap heap = read();
  heap.used = heap.next = 4096;
  uint64_t word = 42;
  EXPECT_OK(stream->copy(variable(), &heap, sizeof(heap)));
  EXPECT_OK(
      stream->copy(reinterpret_cast<void *>(heap.begin + 4000), &word, sizeof(word)));
  stream->synchronize();
  for (const char *name : {"apart", "host#2", "host"}) {
    EXPECT_TRUE(move(name).moved);
    word = 0;
    EXPECT_OK(
        stream->copy(&word, reinterpret_cast<void *>(heap.begin + 4000), sizeof(word)));
    EXPECT_EQ(read().used, 4096u);
    EXPECT_EQ(word, 42u);
    runOne();
    EXPECT_EQ(read().begin, heap.begin);
  }
}

TEST_F(HeapTest, IsNewAfterAReset) {
  runOne();
  TearDown();
  SetUp();
  EXPECT_EQ(read().bytes, 0u);
}

} // namespace
