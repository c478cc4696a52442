// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device that is on `apart`, has a journal, and may be lost.

#ifndef HET_TEST_MOVEMENT_LOSSTEST_H
#define HET_TEST_MOVEMENT_LOSSTEST_H

#include "MigrationTest.h"

#include "migration/checkpoint/Checkpointing.h"

#include <thread>

class LossTest : public MigrationTest {
protected:
  void SetUp() override {
    MigrationTest::SetUp();
    path = std::string(getenv("XDG_RUNTIME_DIR")) + "/lost.hetckpt";
    migratable().loss.resumeElsewhere([this] { return places; });
    EXPECT_TRUE(move("apart").moved);
    stream = makeStream();
  }

  /// What is lost stays so until the device is opened anew.
  void TearDown() override {
    release();
    stream.reset();
    device().synchronize();
    if (!isBroken) {
      EXPECT_EQ(device().faultKind(), HET_FAULT_NONE) << device().fault().message;
      for (void *memory : allocated)
        EXPECT_OK(device().memory().free(memory));
    }
    allocated.clear();
    module.reset();
    loseApart(nullptr);
    EXPECT_OK(device().reset());
    MigrationTest::SetUp();
    MigrationTest::TearDown();
  }

  void save() { EXPECT_OK(het::core::saveCheckpoint(device(), path)); }
  void lose() { loseApart(&migratable().active()); }

  /// Begins a kernel that does not end before release().
  void begin() {
    out = allocate<uint64_t>(blocks * threads);
    begun = allocate<uint32_t>(blocks);
    launch(*stream, "count", false, out, &steps, begun);
    while (!__atomic_load_n(begun, __ATOMIC_RELAXED))
      std::this_thread::yield();
  }

  void release() { __atomic_store_n(&steps.released, 1, __ATOMIC_SEQ_CST); }

  void expectEnd(const std::vector<uint64_t> &expected) {
    release();
    std::vector<uint64_t> result(blocks * threads);
    std::vector<uint32_t> times(blocks);
    EXPECT_OK(stream->copy(result.data(), out, result.size() * sizeof(uint64_t)));
    EXPECT_OK(stream->copy(times.data(), begun, blocks * sizeof(uint32_t)));
    stream->synchronize();
    EXPECT_EQ(device().faultKind(), HET_FAULT_NONE) << device().fault().message;
    EXPECT_EQ(result, expected);
    EXPECT_EQ(times, std::vector<uint32_t>(blocks, 1));
  }

  void expectFault(const std::string &reason) {
    isBroken = true;
    device().synchronize();
    EXPECT_EQ(device().faultKind(), HET_FAULT_LOST);
    const std::string message = device().fault().message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_NE(message.find("it has been pulled out"), std::string::npos) << message;
    EXPECT_NE(migratable().decision.get().why.find(reason), std::string::npos);
  }

  std::vector<std::string> places = {"apart", "host"};
  std::string path;
  std::shared_ptr<het::core::Stream> stream;
  Steps steps = makeSteps(200, 1); ///< Of the kernel, which reads it here.
  uint64_t *out = nullptr;
  uint32_t *begun = nullptr;
  bool isBroken = false;
};

#endif // HET_TEST_MOVEMENT_LOSSTEST_H
