// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in the window and of the host: mapped, copied, filled, given back.

#include "Contract.h"

#include <numeric>

namespace het::contract {
namespace {

class Memory : public DeviceTest {
protected:
  static std::vector<uint8_t> pattern(size_t size) {
    std::vector<uint8_t> bytes(size);
    for (size_t i = 0; i < size; ++i)
      bytes[i] = i * 7 + (i >> 9);
    return bytes;
  }
  template <class T> static uint64_t addressOf(const T *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }
};

TEST_F(Memory, HoldsWhatIsCopied) {
  const std::vector<uint8_t> bytes = pattern(3 * 4096 + 77);
  const uint64_t memory = allocate(bytes.size() + 13);
  write(memory + 13, bytes);
  EXPECT_EQ(read<uint8_t>(memory + 13, bytes.size()), bytes);
  EXPECT_EQ(read<uint8_t>(memory + 1013, 1), std::vector<uint8_t>(1, bytes[1000]));
}

TEST_F(Memory, LiesWhereItIsMapped) {
  // Two ranges side by side are one; the later comes first.
  const uint64_t granule = facts.memoryGranularity, base = core::windowBase;
  CONTRACT_OK(abi->mapMemory(device, base + granule, granule, &status));
  CONTRACT_OK(abi->mapMemory(device, base, granule, &status));
  const std::vector<uint8_t> bytes = pattern(1000);
  write(base + granule - 500, bytes);
  EXPECT_EQ(read<uint8_t>(base + granule - 500, 1000), bytes);
  CONTRACT_OK(abi->unmapMemory(device, base, granule, &status));
  EXPECT_EQ(read<uint8_t>(base + granule, 500),
            std::vector<uint8_t>(bytes.begin() + 500, bytes.end()));
  CONTRACT_OK(abi->unmapMemory(device, base + granule, granule, &status));
}

TEST_F(Memory, IsNotMappedTwice) {
  const uint64_t granule = facts.memoryGranularity, memory = allocate(2 * granule);
  const std::vector<uint8_t> bytes = pattern(64);
  write(memory + granule, bytes);
  CONTRACT_FAILS(HET_UNAVAILABLE,
                 abi->mapMemory(device, memory + granule, 2 * granule, &status));
  CONTRACT_FAILS(HET_UNAVAILABLE, abi->mapMemory(device, memory, granule, &status));
  EXPECT_EQ(read<uint8_t>(memory + granule, 64), bytes);
  // Nothing of the first attempt is left behind the range.
  CONTRACT_OK(abi->mapMemory(device, memory + 2 * granule, granule, &status));
  CONTRACT_OK(abi->unmapMemory(device, memory + 2 * granule, granule, &status));
}

TEST_F(Memory, IsMappedAgain) {
  const uint64_t granule = facts.memoryGranularity;
  for (int round = 0; round < 3; ++round) {
    CONTRACT_OK(abi->mapMemory(device, core::windowBase, granule, &status));
    const std::vector<uint8_t> bytes(100, round);
    write(core::windowBase, bytes);
    EXPECT_EQ(read<uint8_t>(core::windowBase, 100), bytes);
    CONTRACT_OK(abi->unmapMemory(device, core::windowBase, granule, &status));
  }
}

TEST_F(Memory, MoreThanThereIsIsUnavailable) {
  if (can(Capability::SharesMemory))
    GTEST_SKIP() << "the host gives out what nobody touches";
  const uint64_t granule = facts.memoryGranularity;
  CONTRACT_FAILS(HET_UNAVAILABLE,
                 abi->mapMemory(device, core::windowBase,
                                (4 * facts.totalMemory / granule + 1) * granule,
                                &status));
  const uint64_t memory = allocate(granule); // the same addresses
  write(memory, pattern(16));
  EXPECT_EQ(read<uint8_t>(memory, 16), pattern(16));
}

TEST_F(Memory, IsCopiedWithinTheDevice) {
  const uint64_t granule = facts.memoryGranularity, memory = allocate(2 * granule);
  const std::vector<uint8_t> bytes = pattern(5000);
  write(memory, bytes);
  copy(memory + granule + 3, memory + 1, 4000);
  EXPECT_EQ(read<uint8_t>(memory + granule + 3, 4000),
            std::vector<uint8_t>(bytes.begin() + 1, bytes.begin() + 4001));
}

TEST_F(Memory, OfTheHostIsCopiedAndFilled) {
  std::vector<uint8_t> from = pattern(300), to(300);
  copy(addressOf(to.data()), addressOf(from.data()), 300);
  abi->synchronize(queue);
  EXPECT_EQ(to, from);
}

TEST_F(Memory, IsFilledWithPatterns) {
  const uint64_t memory = allocate(4096);
  for (uint32_t bytes : {1u, 2u, 4u}) {
    write(memory, std::vector<uint8_t>(64, 0xEE));
    const uint32_t value = 0x04030201;
    CONTRACT_OK(abi->enqueueFill(queue, memory + 8, value, bytes, 20, &status));
    std::vector<uint8_t> expected(64, 0xEE);
    for (size_t i = 0; i < 20; ++i)
      expected[8 + i] = value >> i % bytes * 8;
    EXPECT_EQ(read<uint8_t>(memory, 64), expected) << bytes;
  }
}

TEST_F(Memory, OneByteIsFilledAnywhere) {
  const uint64_t memory = allocate(4096);
  write(memory, std::vector<uint8_t>(40, 0));
  CONTRACT_OK(abi->enqueueFill(queue, memory + 3, 0x1FF, 1, 30, &status));
  std::vector<uint8_t> expected(40, 0);
  std::fill_n(expected.begin() + 3, 30, 0xFF);
  EXPECT_EQ(read<uint8_t>(memory, 40), expected);
}

TEST_F(Memory, IsCopiedInRows) {
  if (!abi->enqueueCopyRows)
    GTEST_SKIP() << "the runtime copies row by row";
  const uint64_t memory = allocate(4096);
  write(memory, std::vector<uint8_t>(200, 0xEE));
  const std::vector<uint8_t> bytes = pattern(100);
  CONTRACT_OK(abi->enqueueCopyRows(queue, memory + 5, 32, addressOf(bytes.data()), 20, 11,
                                   4, &status));
  std::vector<uint8_t> expected(200, 0xEE);
  for (size_t row = 0; row < 4; ++row)
    std::copy_n(bytes.begin() + row * 20, 11, expected.begin() + 5 + row * 32);
  EXPECT_EQ(read<uint8_t>(memory, 200), expected);
}

TEST_F(Memory, ManagedIsTheHostsToo) {
  uint64_t first = 0, second = 0;
  if (can(Capability::SharesMemory)) {
    if (abi->allocateManaged)
      CONTRACT_FAILS(HET_UNSUPPORTED,
                     abi->allocateManaged(device, 5000, &first, &status));
    return;
  }
  CONTRACT_OK(abi->allocateManaged(device, 5000, &first, &status));
  CONTRACT_OK(abi->allocateManaged(device, 1, &second, &status));
  EXPECT_TRUE(second + 1 <= first || first + 5000 <= second);
  auto *bytes = reinterpret_cast<uint8_t *>(first);
  std::fill_n(bytes, 5000, 3);
  EXPECT_EQ(read<uint8_t>(first, 5000), std::vector<uint8_t>(5000, 3));
  CONTRACT_OK(abi->enqueueFill(queue, first, 9, 1, 5000, &status));
  abi->synchronize(queue);
  EXPECT_EQ(std::accumulate(bytes, bytes + 5000, 0), 9 * 5000);
  CONTRACT_OK(abi->freeManaged(device, first, &status));
  CONTRACT_OK(abi->freeManaged(device, second, &status));
}

TEST_F(Memory, PinnedIsCopiedAsAllIs) {
  if (!abi->pinMemory)
    GTEST_SKIP() << "all of the host's memory is the device's";
  constexpr size_t size = 16384;
  std::unique_ptr<uint8_t, void (*)(void *)> host(
      static_cast<uint8_t *>(std::aligned_alloc(4096, size)), std::free);
  const uint64_t memory = allocate(size), address = addressOf(host.get());
  const std::vector<uint8_t> bytes = pattern(size);
  std::copy(bytes.begin(), bytes.end(), host.get());
  CONTRACT_OK(abi->pinMemory(device, address, size, &status));
  copy(memory, address, size);
  EXPECT_EQ(read<uint8_t>(memory, size), bytes);
  CONTRACT_OK(abi->unpinMemory(device, address, &status));
  CONTRACT_OK(abi->pinMemory(device, address, size, &status));
  CONTRACT_OK(abi->unpinMemory(device, address, &status));
}

} // namespace
} // namespace het::contract
