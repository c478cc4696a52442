// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract suite: what docs/spec/target-abi.md asks of every target, tested through
// the target's two tables alone. It is linked once for each target, with a file of the
// target's that defines subject(): its name and what it says it can do. What it can not
// do has to be refused in the interface's way, which is tested, too.

#ifndef HET_TEST_TARGET_CONTRACT_CONTRACT_H
#define HET_TEST_TARGET_CONTRACT_CONTRACT_H

#include "core/Memory.h"
#include "het/Target/TargetABI.h"

#include <condition_variable>
#include <deque>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace het::contract {

using Bytes = std::vector<uint8_t>;

/// What a target can do beyond what every one must.
enum class Capability {
  Launches,  ///< Kernels run: `store`, `variable` and `trap`.
  RunsCode,  ///< All of Kernels.mlir runs, as its lowering makes it.
  Constants, ///< The lowering takes a launch's constants.
  Graphs,
  Suspends,     ///< Kernels can be parked.
  SharesMemory, ///< The host's memory is the device's.
};

struct Subject {
  const char *target; ///< As in HET_DEVICES.
  const char *folder; ///< Its plug-ins' folder.
  std::set<Capability> capabilities;
  /// Makes the device known to the plug-in. Returns why there is none, or nothing. Null:
  /// there is always one.
  std::string (*prepare)() = nullptr;
  /// An artifact of a kernel, for a device that stands in for one that runs code. Null:
  /// the lowering makes it of Kernels.mlir.
  Bytes (*artifact)(const std::string &kernel) = nullptr;
};

/// The target that this program tests; each defines its own.
const Subject &subject();

inline bool can(Capability capability) {
  return subject().capabilities.count(capability) != 0;
}

/// Checks that a function of a table succeeds, and that its status says so.
#define CONTRACT_OK(...)                                                                 \
  do {                                                                                   \
    ASSERT_EQ((__VA_ARGS__), HET_OK) << status.message;                                  \
    EXPECT_EQ(status.code, HET_OK);                                                      \
    EXPECT_STREQ(status.message, "");                                                    \
  } while (false)

/// Checks that a function of a table fails with this code and says what is wrong.
#define CONTRACT_FAILS(code_, ...)                                                       \
  do {                                                                                   \
    EXPECT_EQ((__VA_ARGS__), code_) << status.message;                                   \
    expectReason(code_);                                                                 \
  } while (false)

/// A file's bytes; the test fails where there are none.
Bytes readBytes(const std::string &path);

/// A place in a queue that is passed when the test says so. The work behind it is put in
/// before, so what a queue does early would be seen.
class Gate {
public:
  void open();
  static void pass(void *gate); ///< For enqueueCall.

private:
  std::mutex mutex;
  std::condition_variable changed;
  bool isOpen = false;
};

/// The plug-ins, found and opened once in a process.
class ContractTest : public testing::Test {
protected:
  void SetUp() override;

  /// The status of a call that failed: a code, and a message in the form of the house.
  void expectReason(int32_t code);

  /// Finds and opens a target's plug-ins.
  void openPlugins(const char *target);

  const HetDeviceABI *abi = nullptr;
  const HetLoweringABI *lowering = nullptr;
  HetStatus status = {};
};

/// With a device, a queue and memory; all is given back at the end.
class DeviceTest : public ContractTest {
protected:
  void SetUp() override;
  void TearDown() override;

  /// Gives back everything, and goes on with a device of another target. Memory is at the
  /// same addresses.
  void changeTo(const char *target);

  HetQueue *newQueue();
  HetEvent *newEvent();

  /// Memory of the device, of at least so many bytes.
  uint64_t allocate(uint64_t size);

  void copy(uint64_t to, uint64_t from, size_t size) { copy(queue, to, from, size); }
  void copy(HetQueue *queue, uint64_t to, uint64_t from, size_t size);
  /// Waits for the queue, and reads memory of the device.
  template <class T> std::vector<T> read(uint64_t address, size_t count) {
    std::vector<T> out(count);
    copy(reinterpret_cast<uint64_t>(out.data()), address, count * sizeof(T));
    abi->synchronize(queue);
    return out;
  }
  template <class T> void write(uint64_t address, const std::vector<T> &values) {
    copy(address, reinterpret_cast<uint64_t>(values.data()), values.size() * sizeof(T));
    abi->synchronize(queue);
  }
  /// Puts a closed gate into the queue. A test that fails leaves it to TearDown to open.
  Gate &close(HetQueue *queue);

  HetDeviceProperties facts = {};
  HetDevice *device = nullptr;
  HetQueue *queue = nullptr;

  void openGates();

private:
  void openDevice();

  std::deque<Gate> gates;
  std::vector<HetQueue *> queues;
  std::vector<HetEvent *> events;
  std::vector<std::pair<uint64_t, uint64_t>> mapped; ///< Address and size.
  uint64_t next = core::windowBase;
};

/// With kernels.
class LaunchTest : public DeviceTest {
protected:
  void TearDown() override;

  /// Lowers a kernel of Kernels.mlir.
  int32_t lower(const std::string &kernel, const std::string &options, Bytes &out);
  /// The artifact as the device loads it.
  Bytes artifactOf(const std::string &kernel, const std::string &options = "");
  int32_t tryLoad(const Bytes &bytes, HetArtifact *&out,
                  const std::vector<uint64_t> &variables = {});
  HetArtifact *load(const std::string &kernel,
                    const std::vector<uint64_t> &variables = {},
                    const std::string &options = "");
  void unload(HetArtifact *artifact);

  static HetLaunch shape(HetArtifact *artifact, uint32_t blocks = 1,
                         uint32_t threads = 32);
  /// Puts a launch in; the arguments are packed as they are given.
  template <class Arguments>
  void launch(HetQueue *queue, HetLaunch launch, const Arguments &arguments) {
    launch.arguments = &arguments;
    launch.argumentBytes = sizeof(arguments);
    CONTRACT_OK(abi->enqueueLaunch(queue, &launch, &status));
  }
  void expectNoFault() {
    EXPECT_EQ(abi->fault(device, &status), HET_FAULT_NONE) << status.message;
  }

private:
  std::vector<HetArtifact *> artifacts;
};

/// Arguments of the kernel `store`: *address = value.
struct StoreArguments {
  uint64_t address;
  uint32_t value;
  uint32_t padding = 0;
};

} // namespace het::contract

#endif // HET_TEST_TARGET_CONTRACT_CONTRACT_H
