// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A movable process, one of its devices, on the host, and kernels that can be parked.

#ifndef HET_TEST_MOVEMENT_MOVEMENTTEST_H
#define HET_TEST_MOVEMENT_MOVEMENTTEST_H

#include "FakeDevice.h"
#include "ParkableKernels.h"
#include "core/Module.h"
#include "core/Runtime.h"
#include "migration/MigratableCode.h"
#include "migration/MigratableDevice.h"

#include <gtest/gtest.h>

/// Checks a het::Status.
#define EXPECT_OK(...)                                                                   \
  do {                                                                                   \
    het::Status checked = (__VA_ARGS__);                                                 \
    EXPECT_TRUE(checked.ok()) << checked.text();                                         \
  } while (false)

het::core::Runtime &runtime();
/// Of the targets `apart`, whose memory is copied to where the host has it, and `shadow`,
/// whose memory lies beside the host's.
het::test::FakeControl &apart();
het::test::FakeControl &shadow();
void loseApart(het::core::Backend *backend);

class MigrationTest : public testing::Test {
protected:
  static constexpr uint32_t blocks = 24, threads = 33;

  void SetUp() override;
  /// Back on the host, without what a test has made fail.
  void TearDown() override;

  het::core::Device &device() { return runtime().device(HET_TEST_DEVICE); }
  het::core::MigratableDevice &migratable() {
    return het::core::MigratableDevice::of(device());
  }

  /// Memory of the device, zeros; freed at the end.
  template <typename T> T *allocate(size_t count) {
    return static_cast<T *>(allocateBytes(count * sizeof(T)));
  }
  void *allocateBytes(size_t size);

  std::shared_ptr<het::core::Stream>
  makeStream(het::core::StreamKind kind = het::core::StreamKind::Blocking);

  /// Of ParkableKernels.c.
  het::core::Kernel &kernel(const std::string &name);
  template <typename... Pointers>
  void launch(het::core::Stream &stream, const std::string &name, bool cooperative,
              Pointers... pointers) {
    const void *packed[] = {pointers...};
    het::core::LaunchShape shape;
    shape.grid[0] = blocks;
    shape.block[0] = threads;
    shape.dynamicSharedBytes = threads * sizeof(uint32_t);
    shape.cooperative = cooperative;
    EXPECT_OK(stream.launch(kernel(name), shape, packed, sizeof(packed)));
  }

  /// The result of `count` with so many steps, undisturbed.
  std::vector<uint64_t> expectedOf(uint32_t count);

  /// Moves; true if it did.
  het::core::MoveReport move(const std::string &name);
  void expectRefusal(const std::string &name, const std::string &reason);

  std::shared_ptr<het::core::Module> module;
  std::vector<void *> allocated;
};

#endif // HET_TEST_MOVEMENT_MOVEMENTTEST_H
