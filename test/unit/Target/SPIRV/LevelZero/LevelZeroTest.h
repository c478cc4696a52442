// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SPIR-V device plug-in on top of the fake Level Zero library.

#ifndef HET_TEST_TARGET_SPIRV_LEVELZERO_LEVELZEROTEST_H
#define HET_TEST_TARGET_SPIRV_LEVELZERO_LEVELZEROTEST_H

#include "LevelZero/FakeLevelZero.h"
#include "SPIRVDeviceTest.h"

/// Where the tests' device memory lies, which sanitizers leave free, and its granule.
inline constexpr uint64_t zeWindow = 0x580000000000, zeGranule = 2 << 20;

template <class T> uint64_t zeAddress(T *memory) {
  return reinterpret_cast<uint64_t>(memory);
}

class LevelZeroTest : public SPIRVPluginTest {
protected:
  void SetUp() override {
    setenv("HET_LEVEL_ZERO_LIBRARY", HET_TEST_FAKE_LEVEL_ZERO, 1);
    setenv("HET_SPIRV_DOOR", "levelzero", 1);
    void *library = dlopen(HET_TEST_FAKE_LEVEL_ZERO, RTLD_NOW | RTLD_LOCAL);
    ASSERT_TRUE(library) << dlerror();
    fake = reinterpret_cast<FakeLevelZeroEntry>(dlsym(library, "hetFakeLevelZero"))();
    fake->reset();
    openPlugin();
  }

  void TearDown() override {
    for (auto [address, size] : maps)
      EXPECT_EQ(abi->unmapMemory(device, address, size, &status), HET_OK)
          << status.message;
    closeAll();
    EXPECT_EQ(fake->alive(), "");
    EXPECT_EQ(fake->usedMemory, 0u);
    EXPECT_THAT(fake->misuses, testing::IsEmpty());
    fake->reset();
  }

  void forgetCalls() override { fake->takeCalls(); }

  /// Memory of the device at the beginning of the window, until the end of the test.
  void map(uint64_t size = zeGranule) {
    SPIRV_OK(abi->mapMemory(device, zeWindow, size, &status));
    maps[zeWindow] = size;
    forgetCalls();
  }

  /// A word of the device's memory.
  uint32_t word(uint64_t address) {
    std::vector<uint8_t> bytes = fake->read(address, 4);
    uint32_t value = 0xDEAD;
    if (bytes.size() == 4)
      std::memcpy(&value, bytes.data(), 4);
    return value;
  }

  FakeLevelZero *fake = nullptr;
  std::map<uint64_t, uint64_t> maps;
};

#endif // HET_TEST_TARGET_SPIRV_LEVELZERO_LEVELZEROTEST_H
