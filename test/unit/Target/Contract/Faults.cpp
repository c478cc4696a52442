// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults: what a kernel's trap does to its device, and what goes on all the same.

#include "Contract.h"

namespace het::contract {
namespace {

class Faults : public LaunchTest {
protected:
  void SetUp() override {
    LaunchTest::SetUp();
    if (!IsSkipped() && !can(Capability::Launches))
      GTEST_SKIP() << "the target runs no kernels";
  }

  void trap() {
    HetLaunch given = shape(load("trap"), 2, 32);
    CONTRACT_OK(abi->enqueueLaunch(queue, &given, &status));
    abi->synchronize(queue);
  }

  /// A fault that says more.
  void expectFault(int32_t kind) {
    status = {};
    EXPECT_EQ(abi->fault(device, &status), kind) << status.message;
    expectReason(HET_UNAVAILABLE);
    EXPECT_EQ(abi->fault(device, nullptr), kind);
  }
};

TEST_F(Faults, AreWhatTrapsBecome) {
  trap();
  expectFault(HET_FAULT_TRAP);
  expectFault(HET_FAULT_TRAP); // it stays
}

TEST_F(Faults, LetQueuesGoOn) {
  HetArtifact *artifact = load("store");
  HetQueue *other = newQueue();
  HetEvent *event = newEvent();
  const uint64_t memory = allocate(4096);
  trap();
  // All is taken, and need not be done.
  std::vector<uint32_t> host(4);
  StoreArguments arguments = {memory, 1};
  HetLaunch given = shape(artifact, 1, 1);
  given.arguments = &arguments;
  given.argumentBytes = sizeof(arguments);
  EXPECT_EQ(abi->enqueueLaunch(queue, &given, &status), HET_OK) << status.message;
  copy(memory, reinterpret_cast<uint64_t>(host.data()), 16);
  CONTRACT_OK(abi->enqueueFill(queue, memory, 1, 4, 16, &status));
  CONTRACT_OK(abi->enqueueSignal(queue, event, &status));
  CONTRACT_OK(abi->enqueueWait(other, event, &status));
  CONTRACT_OK(abi->enqueueSignal(other, event, &status));
  abi->waitEvent(event);
  EXPECT_EQ(abi->isEventDone(event), 1);
  abi->synchronize(queue);
  abi->synchronize(other);
  EXPECT_EQ(abi->isIdle(queue), 1);
  expectFault(HET_FAULT_TRAP);
}

TEST_F(Faults, LeaveNoLaunchRunning) {
  HetArtifact *artifact = load("store");
  const uint64_t memory = allocate(4096);
  if (!can(Capability::SharesMemory))
    GTEST_SKIP() << "a device with a fault gives no memory back to look at";
  trap();
  write(memory, std::vector<uint32_t>{7});
  *reinterpret_cast<volatile uint32_t *>(memory) = 7;
  launch(queue, shape(artifact, 1, 1), StoreArguments{memory, 42});
  abi->synchronize(queue);
  EXPECT_EQ(*reinterpret_cast<volatile uint32_t *>(memory), 7u);
  expectFault(HET_FAULT_TRAP);
}

TEST_F(Faults, EndWithTheDevice) {
  trap();
  expectFault(HET_FAULT_TRAP);
  TearDown();
  CONTRACT_OK(abi->open(0, &device, &status));
  expectNoFault();
}

TEST_F(Faults, AreOfOneDevice) {
  HetDevice *other = nullptr;
  if (abi->open(0, &other, &status) != HET_OK)
    GTEST_SKIP() << status.message;
  trap();
  expectFault(HET_FAULT_TRAP);
  EXPECT_EQ(abi->fault(other, &status), HET_FAULT_NONE) << status.message;
  abi->close(other);
}

TEST_F(Faults, NameAssertions) {
  if (!can(Capability::RunsCode))
    GTEST_SKIP() << "the device stands in for one that runs code";
  HetLaunch given = shape(load("assertion"), 1, 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(abi->enqueueLaunch(queue, &given, &status), HET_OK) << status.message;
  abi->synchronize(queue);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "file.cu:12: kernel: block: [0,0,0], thread: [0,0,0] Assertion `x > 0` "
            "failed.\n");
  expectFault(HET_FAULT_ASSERT);
}

} // namespace
} // namespace het::contract
