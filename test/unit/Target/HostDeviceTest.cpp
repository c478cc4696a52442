// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's device plug-in, with artifacts that were written by hand: launches,
// grid barriers, services, faults.

#include "TargetTest.h"

#include <sys/mman.h>
#include <xmmintrin.h>

namespace {

class HostDeviceTest : public TargetTest {
protected:
  void SetUp() override { openTarget("host"); }

  /// Launches with these packed arguments and waits.
  template <typename... Pointers> void run(HetLaunch launch, Pointers... pointers) {
    const void *packed[] = {pointers..., nullptr};
    launch.arguments = packed;
    launch.argumentBytes = sizeof...(pointers) * sizeof(void *);
    TARGET_OK(abi->enqueueLaunch(queue, &launch, &status));
    abi->synchronize(queue);
  }

  void expectFault(int32_t fault, const char *message) {
    EXPECT_EQ(abi->fault(device, &status), fault) << status.message;
    EXPECT_NE(std::string(status.message).find(message), std::string::npos)
        << status.message;
  }
};

TEST_F(HostDeviceTest, EveryThreadOfEveryBlockRunsOnce) {
  load("numbers");
  std::vector<int> out(37 * 5 * 3 * 96, -1);
  HetLaunch launch = shape(37, 96);
  launch.grid[1] = 5;
  launch.grid[2] = 3;
  launch.dynamicSharedBytes = 96 * sizeof(int);
  run(launch, out.data());
  expectFault(HET_FAULT_NONE, "");
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], static_cast<int>(i));
}

TEST_F(HostDeviceTest, ArgumentsAreCopied) {
  load("numbers");
  std::vector<int> out(32, -1);
  int *argument = out.data();
  HetLaunch launch = shape(1, 32);
  launch.dynamicSharedBytes = 128;
  launch.arguments = &argument;
  launch.argumentBytes = sizeof(argument);
  TARGET_OK(abi->enqueueLaunch(queue, &launch, &status));
  argument = nullptr;
  abi->synchronize(queue);
  EXPECT_EQ(out[31], 31);
}

TEST_F(HostDeviceTest, BlocksMeetAtGridBarriers) {
  load("cooperate");
  std::vector<int> rounds(50);
  int wrong = 0;
  HetLaunch launch = shape(50, 64);
  launch.cooperative = 1;
  run(launch, rounds.data(), &wrong);
  expectFault(HET_FAULT_NONE, "");
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(rounds, std::vector<int>(50, 4));
}

TEST_F(HostDeviceTest, GridBarrierNeedsACooperativeLaunch) {
  load("cooperate");
  std::vector<int> rounds(2);
  int wrong = 0;
  run(shape(2, 32), rounds.data(), &wrong);
  expectFault(HET_FAULT_TRAP, "cooperative");
}

TEST_F(HostDeviceTest, PrintsLikeC) {
  load("print");
  testing::internal::CaptureStdout();
  run(shape(1, 1));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "-7|  2.50|text  |1099511627776|c|0xff|%\n");
}

TEST_F(HostDeviceTest, FlushesInKernelsAlone) {
  constexpr unsigned flushing = 0x8040; // FTZ, DAZ
  load("flushing");
  std::vector<unsigned> out(2);
  const unsigned before = _mm_getcsr();
  testing::internal::CaptureStdout();
  run(shape(1, 1), out.data());
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "0x0.0000000000001p-1022");
  EXPECT_EQ(out[0] & flushing, flushing);
  EXPECT_EQ(out[1] & flushing, flushing);
  expectFault(HET_FAULT_TRAP, "trapped");
  EXPECT_EQ(_mm_getcsr() & ~_MM_EXCEPT_MASK, before & ~_MM_EXCEPT_MASK);
}

TEST_F(HostDeviceTest, AssertionPrintsAndFaults) {
  load("assertion");
  testing::internal::CaptureStderr();
  HetLaunch launch = shape(1, 16);
  launch.block[1] = 4;
  run(launch);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "file.cu:12: void k(int): block: [0,0,0], thread: [5,2,0] Assertion "
            "`x < 4` failed.\n");
  expectFault(HET_FAULT_ASSERT, "assertion");
}

TEST_F(HostDeviceTest, TrapFaultsAndStopsTheDevice) {
  load("trap");
  run(shape(8, 32));
  expectFault(HET_FAULT_TRAP, "trapped");
  // The fault stays, and queues still reach their events.
  abi->unloadArtifact(artifact);
  artifact = nullptr;
  load("numbers");
  std::vector<int> out(32, -1);
  HetLaunch launch = shape(1, 32);
  launch.dynamicSharedBytes = 128;
  HetEvent *event = nullptr;
  TARGET_OK(abi->createEvent(device, &event, &status));
  run(launch, out.data());
  TARGET_OK(abi->enqueueSignal(queue, event, &status));
  abi->waitEvent(event);
  EXPECT_EQ(abi->isEventDone(event), 1);
  abi->destroyEvent(event);
  EXPECT_EQ(out[0], -1);
  expectFault(HET_FAULT_TRAP, "trapped");
}

TEST_F(HostDeviceTest, FaultsAreOfOneDevice) {
  HetDevice *other = nullptr;
  TARGET_OK(abi->open(1, &other, &status));
  load("trap");
  run(shape(1, 1));
  expectFault(HET_FAULT_TRAP, "trapped");
  EXPECT_EQ(abi->fault(other, &status), HET_FAULT_NONE);
  abi->close(other);
}

TEST_F(HostDeviceTest, BadAddressFaults) {
  void *page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  load("store");
  run(shape(1, 32), page); // one block: several would race
  expectFault(HET_FAULT_ILLEGAL_ADDRESS, "address");
  munmap(page, 4096);
}

TEST_F(HostDeviceTest, DeadlockFaults) {
  load("deadlock");
  run(shape(1, 32));
  expectFault(HET_FAULT_DEADLOCK, "");
}

// What a kernel says of its barriers: the numbers of runtime/devicelib/teams.h.
struct BarrierFault {
  uint32_t result;
  int32_t fault;
  const char *message;
};
class HostBarrierTest : public HostDeviceTest,
                        public testing::WithParamInterface<BarrierFault> {};

TEST_P(HostBarrierTest, Faults) {
  BarrierFault expected = GetParam();
  load("barrier");
  run(shape(1, 32), &expected.result);
  expectFault(expected.fault, expected.message);
}

INSTANTIATE_TEST_SUITE_P(
    All, HostBarrierTest,
    testing::Values(
        BarrierFault{0x80000000 | 3 << 24 | 32 << 12 | 96, HET_FAULT_DEADLOCK,
                     "32 of 96 have arrived at barrier 3"},
        BarrierFault{0x90000000 | 15 << 24 | 64 << 12 | 4095, HET_FAULT_TRAP,
                     "barrier 15: found threads that count 64 and 4095 or more"},
        BarrierFault{0xA0000000 | 40, HET_FAULT_TRAP,
                     "barrier 0: found a count of 40, expected a multiple of 32"},
        BarrierFault{0xB0000000 | 16, HET_FAULT_TRAP,
                     "a barrier's number: found 16, expected 0 to 15"}));

TEST_F(HostDeviceTest, ServicesAndVariables) {
  int table[] = {5, 6, 7, 8};
  int *pointer = &table[2];
  load("system_",
       {reinterpret_cast<uint64_t>(table), reinterpret_cast<uint64_t>(&pointer)});
  std::vector<int> out(4);
  run(shape(1, 1), out.data());
  expectFault(HET_FAULT_NONE, "");
  EXPECT_EQ(out, (std::vector<int>{42, 1, 7, 5}));
  EXPECT_EQ(table[0], 6);
}

TEST_F(HostDeviceTest, RefusesWhatIsNoArtifact) {
  const uint8_t junk[] = "this is no shared object";
  EXPECT_EQ(abi->loadArtifact(device, junk, sizeof(junk), nullptr, 0, &artifact, &status),
            HET_INVALID);
  EXPECT_NE(std::string(status.message), "");
}

TEST_F(HostDeviceTest, ManyArtifactsAtOnceAreDifferent) {
  // Descriptors' numbers come again: no artifact may be taken for another one.
  load("numbers");
  het::Bytes bytes = kernelBytes("trap");
  std::vector<HetArtifact *> others(20);
  for (HetArtifact *&other : others)
    TARGET_OK(abi->loadArtifact(device, bytes.data(), bytes.size(), nullptr, 0, &other,
                                &status));
  std::vector<int> out(32, -1);
  HetLaunch launch = shape(1, 32);
  launch.dynamicSharedBytes = 128;
  run(launch, out.data());
  expectFault(HET_FAULT_NONE, "");
  EXPECT_EQ(out[31], 31);
  for (HetArtifact *other : others)
    abi->unloadArtifact(other);
}

TEST_F(HostDeviceTest, MemoryGoesWhereAddressesAreOnlyReserved) {
  // As a GPU's driver does, which has memory of its own at these addresses.
  constexpr size_t size = 4 << 20;
  void *kept = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(kept, MAP_FAILED);
  const auto address = reinterpret_cast<uint64_t>(kept);
  TARGET_OK(abi->mapMemory(device, address, size / 2, &status));
  static_cast<char *>(kept)[100] = 1;
  // What anything has been put into is left alone.
  EXPECT_EQ(abi->mapMemory(device, address, size, &status), HET_UNAVAILABLE);
  EXPECT_EQ(static_cast<char *>(kept)[100], 1);
  TARGET_OK(abi->unmapMemory(device, address, size / 2, &status));
  munmap(static_cast<char *>(kept) + size / 2, size / 2);
}

TEST_F(HostDeviceTest, FillsPatterns) {
  std::vector<uint16_t> memory(5, 1);
  auto address = reinterpret_cast<uint64_t>(memory.data());
  TARGET_OK(abi->enqueueFill(queue, address, 0xABCD, 2, 6, &status));
  TARGET_OK(abi->enqueueFill(queue, address + 6, 0x11, 1, 2, &status));
  abi->synchronize(queue);
  EXPECT_EQ(memory, (std::vector<uint16_t>{0xABCD, 0xABCD, 0xABCD, 0x1111, 1}));
}

} // namespace
