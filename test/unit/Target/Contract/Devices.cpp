// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables, devices and their properties.

#include "Contract.h"

#include <cstring>

namespace het::contract {
namespace {

class Devices : public ContractTest {};

/// A string that ends within its array.
template <size_t size> std::string text(const char (&array)[size]) {
  EXPECT_TRUE(std::memchr(array, 0, size)) << "a string without an end";
  return std::string(array, strnlen(array, size));
}

TEST_F(Devices, TableIsWhole) {
  EXPECT_EQ(abi->size, sizeof(HetDeviceABI));
  EXPECT_STREQ(abi->name, subject().target);
  EXPECT_LE(abi->role, uint32_t(HET_ROLE_ON_REQUEST));
  EXPECT_EQ(abi->reserved, 0u);
  EXPECT_TRUE(abi->probe && abi->open && abi->close && abi->properties && abi->fault);
  EXPECT_TRUE(abi->mapMemory && abi->unmapMemory);
  EXPECT_TRUE(abi->createQueue && abi->destroyQueue && abi->enqueueCopy &&
              abi->enqueueFill && abi->enqueueLaunch && abi->enqueueCall &&
              abi->enqueueSignal && abi->enqueueWait && abi->synchronize && abi->isIdle);
  EXPECT_TRUE(abi->createEvent && abi->destroyEvent && abi->waitEvent &&
              abi->isEventDone && abi->eventElapsed);
  EXPECT_TRUE(abi->loadArtifact && abi->unloadArtifact);
  EXPECT_EQ(!abi->finishArtifact, !abi->releaseFinished);
}

TEST_F(Devices, TableSaysWhatTheTargetCanDo) {
  const bool graphs = can(Capability::Graphs), suspends = can(Capability::Suspends);
  EXPECT_EQ(abi->createGraph != nullptr, graphs);
  EXPECT_EQ(abi->setGraphLaunch != nullptr, graphs);
  EXPECT_EQ(abi->setGraphNative != nullptr, graphs);
  EXPECT_EQ(abi->enqueueGraph != nullptr, graphs);
  EXPECT_EQ(abi->destroyGraph != nullptr, graphs);
  EXPECT_TRUE(!abi->recordNative || (abi->enqueueNative && graphs));
  EXPECT_EQ(!abi->recordNative, !abi->enqueueNativeWork);
  EXPECT_EQ(!abi->recordNative, !abi->destroyNativeWork);
  EXPECT_EQ(abi->setParking != nullptr, suspends);
  EXPECT_EQ(abi->describeParking != nullptr, suspends);
  EXPECT_EQ(abi->enqueueParkable != nullptr, suspends);
  if (!can(Capability::SharesMemory)) {
    EXPECT_TRUE(abi->allocateManaged && abi->freeManaged);
    EXPECT_TRUE(abi->pinMemory && abi->unpinMemory);
  }
}

TEST_F(Devices, ThereIsOne) {
  uint32_t count = 0;
  CONTRACT_OK(abi->probe(&count, &status));
  EXPECT_GE(count, 1u);
  uint32_t again = 0;
  CONTRACT_OK(abi->probe(&again, &status));
  EXPECT_EQ(count, again);
}

TEST_F(Devices, OneThatIsNotThereIsUnavailable) {
  uint32_t count = 0;
  CONTRACT_OK(abi->probe(&count, &status));
  if (count == UINT32_MAX)
    GTEST_SKIP() << "as many as are asked for";
  for (uint32_t ordinal : {count, UINT32_MAX}) {
    HetDevice *device = nullptr;
    CONTRACT_FAILS(HET_UNAVAILABLE, abi->open(ordinal, &device, &status));
    EXPECT_EQ(device, nullptr);
  }
}

TEST_F(Devices, AreSeparateOrOpenedOnce) {
  uint32_t count = 0;
  CONTRACT_OK(abi->probe(&count, &status));
  HetDevice *first = nullptr, *second = nullptr;
  CONTRACT_OK(abi->open(0, &first, &status));
  if (abi->open(0, &second, &status) == HET_OK) {
    EXPECT_NE(first, second);
    EXPECT_EQ(abi->fault(second, nullptr), HET_FAULT_NONE);
    abi->close(second);
  } else {
    EXPECT_NE(count, UINT32_MAX);
    expectReason(HET_UNAVAILABLE);
    EXPECT_EQ(second, nullptr);
  }
  EXPECT_EQ(abi->fault(first, nullptr), HET_FAULT_NONE);
  abi->close(first);
}

TEST_F(Devices, OpenAgainAsTheyWere) {
  HetDeviceProperties before = {}, after = {};
  for (HetDeviceProperties *facts : {&before, &after}) {
    HetDevice *device = nullptr;
    CONTRACT_OK(abi->open(0, &device, &status));
    CONTRACT_OK(abi->properties(device, facts, &status));
    abi->close(device);
  }
  EXPECT_EQ(text(before.arch), text(after.arch));
  EXPECT_EQ(text(before.name), text(after.name));
  EXPECT_EQ(before.processorCount, after.processorCount);
  EXPECT_EQ(before.memoryGranularity, after.memoryGranularity);
}

class Properties : public DeviceTest {};

TEST_F(Properties, StayTheSame) {
  HetDeviceProperties again;
  std::memset(&again, 0xAB, sizeof(again)); // all of it is written
  CONTRACT_OK(abi->properties(device, &again, &status));
  EXPECT_EQ(text(facts.name), text(again.name));
  EXPECT_EQ(text(facts.arch), text(again.arch));
  const size_t numbers = offsetof(HetDeviceProperties, totalMemory);
  EXPECT_EQ(std::memcmp(reinterpret_cast<const char *>(&facts) + numbers,
                        reinterpret_cast<const char *>(&again) + numbers,
                        sizeof(facts) - numbers),
            0);
}

TEST_F(Properties, AreThere) {
  EXPECT_NE(text(facts.name), "");
  EXPECT_NE(text(facts.arch), "");
  EXPECT_EQ(text(facts.loweringVersion), lowering->version);
  EXPECT_GT(facts.totalMemory, 0u);
  EXPECT_GT(facts.processorCount, 0u);
  EXPECT_GT(facts.clockKilohertz, 0u);
  EXPECT_GE(facts.maxThreadsPerBlock, 32u);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_GE(facts.maxBlockDim[axis], 1u);
    EXPECT_GE(facts.maxGridDim[axis], 1u);
  }
  EXPECT_GE(facts.sharedBytesPerBlockOptIn, facts.sharedBytesPerBlock);
  EXPECT_GE(facts.memoryGranularity, 4096u);
  EXPECT_EQ(facts.memoryGranularity & (facts.memoryGranularity - 1), 0u);
}

TEST_F(Properties, SayWhatTheTargetCanDo) {
  EXPECT_EQ(facts.sharesHostMemory, can(Capability::SharesMemory) ? 1u : 0u);
  EXPECT_EQ(facts.takesConstants, can(Capability::Constants) ? 1u : 0u);
}

TEST_F(Properties, LimitsAreTaken) {
  if (!abi->setLimit)
    GTEST_SKIP() << "nothing is limited";
  CONTRACT_OK(abi->setLimit(device, HET_LIMIT_STACK, 4096, &status));
  CONTRACT_OK(abi->setLimit(device, HET_LIMIT_PRINTF_BUFFER, 1 << 20, &status));
}

TEST_F(Properties, NothingIsWrongAtTheBeginning) {
  std::memset(&status, 0xAB, sizeof(status));
  EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE);
  EXPECT_EQ(status.code, HET_OK);
  EXPECT_EQ(abi->fault(device, nullptr), HET_FAULT_NONE);
}

} // namespace
} // namespace het::contract
