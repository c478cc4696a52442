// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips by the kernel driver, on a driver that is made up: its windows are pieces of
// ordinary memory, one for each place that they are set to.

#include "Tensix/Device/Driver.h"
#include "Tensix/Device/Chip.h"
#include "Tensix/Device/DriverABI.h"
#include "Tensix/Device/TensixDevice.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace het::tensix;

int32_t het::tensix::report(HetStatus *status, int32_t code, const std::string &message) {
  status->code = code;
  std::snprintf(status->message, sizeof(status->message), "%s", message.c_str());
  return code;
}

namespace {

constexpr uint32_t softReset = 0xFFB121B0;

/// A driver with one chip, of which all memory is zero at first.
class MadeUp : public System {
public:
  explicit MadeUp(uint32_t identity)
      : identity(identity),
        windowBytes(identity == blackholeIdentity ? 2 << 20 : 16 << 20),
        store(memfd_create("chip", 0)) {}
  ~MadeUp() override { ::close(store); }

  std::vector<std::string> list(const std::string &folder) override {
    return folder == "/dev/tenstorrent" ? names : std::vector<std::string>();
  }
  int open(const std::string &path, int flags) override {
    opened = path;
    return openResult;
  }
  void close(int) override { ++closed; }
  int ioctl(int, unsigned long request, void *argument) override {
    if (auto it = failures.find(request); it != failures.end())
      return it->second;
    if (request == driver::configureWindow && windowsUntilLoss-- == 0)
      return -ENODEV;
    if (request == driver::getDriverInfo)
      return fill(*static_cast<driver::DriverInfo *>(argument));
    if (request == driver::getDeviceInfo)
      return fill(*static_cast<driver::DeviceInfo *>(argument));
    if (request == driver::lockControl)
      static_cast<driver::Lock *>(argument)->isHeld = isFree;
    else if (request == driver::allocateWindow)
      return allocate(*static_cast<driver::WindowRequest *>(argument));
    else if (request == driver::configureWindow)
      return set(*static_cast<driver::WindowSetting *>(argument));
    else
      return -EINVAL;
    return 0;
  }
  void *map(int, size_t bytes, uint64_t offset, int &error) override {
    error = EAGAIN;
    if (!mayMap)
      return nullptr;
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mapped[offset] = memory;
    return memory;
  }
  void unmap(void *memory, size_t bytes) override {
    ++unmapped;
    munmap(memory, bytes);
  }
  void sleep(uint64_t nanoseconds) override { slept += nanoseconds; }

  /// A word of a node's, past all windows.
  void poke(Provider::Node node, uint64_t address, uint32_t value) {
    pwrite(store, &value, 4,
           placeOf(node, address / windowBytes * windowBytes) + address % windowBytes);
  }
  uint32_t peek(Provider::Node node, uint64_t address) {
    uint32_t value = 0;
    pread(store, &value, 4,
          placeOf(node, address / windowBytes * windowBytes) + address % windowBytes);
    return value;
  }

  std::vector<std::string> names;
  std::string opened;
  int openResult = 3;
  std::map<unsigned long, int> failures; ///< By their request.
  unsigned windowsUntilLoss = ~0u;       ///< So many are set before.
  uint32_t interfaceVersion = driver::version;
  bool isFree = true, mayMap = true;
  unsigned freeWindows = 100, closed = 0, unmapped = 0;
  uint64_t slept = 0;
  Provider::Node stuck = ~0u; ///< Reads of it are all ones.

private:
  int fill(driver::DriverInfo &info) {
    info.version = interfaceVersion;
    info.major = 1;
    info.minor = 30;
    return 0;
  }
  int fill(driver::DeviceInfo &info) {
    info.vendor = identity & 0xFFFF;
    info.device = identity >> 16;
    return 0;
  }
  int allocate(driver::WindowRequest &request) {
    if (request.bytes != windowBytes)
      return -EINVAL;
    if (!freeWindows)
      return -ENOMEM;
    --freeWindows;
    request.number = 100 + mapped.size();
    request.uncachedOffset = uint64_t(request.number) << 32;
    return 0;
  }
  /// What it shows from then on is that place's memory.
  int set(const driver::WindowSetting &setting) {
    auto it = mapped.find(uint64_t(setting.number) << 32);
    if (it == mapped.end() || setting.address % windowBytes ||
        setting.order != driver::WindowSetting::strictOrder || setting.isMulticast)
      return -EINVAL;
    const Provider::Node node = setting.y << 6 | setting.x;
    const uint64_t from = placeOf(node, setting.address);
    if (node == stuck) {
      std::vector<uint8_t> ones(4 << 20, 0xFF);
      for (uint64_t at = 0; at < windowBytes; at += ones.size())
        pwrite(store, ones.data(), std::min<uint64_t>(ones.size(), windowBytes - at),
               from + at);
      mmap(it->second, windowBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
           store, from);
      return 0;
    }
    mmap(it->second, windowBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, store,
         from);
    return 0;
  }
  uint64_t placeOf(Provider::Node node, uint64_t address) {
    auto [it, isNew] = places.emplace(std::pair(node, address), places.size());
    if (isNew)
      EXPECT_EQ(ftruncate(store, (it->second + 1) * windowBytes), 0);
    return it->second * windowBytes;
  }

  const uint32_t identity;
  const uint64_t windowBytes;
  const int store;
  std::map<uint64_t, void *> mapped;
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> places;
};

class TensixDriver : public testing::Test {
protected:
  std::string refusal(MadeUp &system) {
    EXPECT_FALSE(openDevice(system, "/dev/tenstorrent/0", &status));
    EXPECT_EQ(status.code, HET_UNAVAILABLE);
    return status.message;
  }
  static bool has(const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  }
  /// Firmware's tables; with no entries all of the chip is there.
  static void putTelemetry(MadeUp &system, const Architecture &kind,
                           const std::map<uint32_t, uint32_t> &entries = {}) {
    const uint32_t tags = 0x10001000, values = 0x10002000;
    auto put = [&](uint32_t address, uint32_t value) {
      system.poke(kind.managementNode, kind.managementAddresses + address, value);
    };
    put(kind.telemetryTags, tags);
    put(kind.telemetryValues, values);
    put(tags, 1 << 16);
    put(tags + 4, entries.size());
    uint32_t number = 0;
    for (auto [tag, value] : entries) {
      put(tags + 8 + 4 * number, tag | number << 16);
      put(values + 4 * number, value);
      ++number;
    }
  }

  HetStatus status = {};
};

TEST_F(TensixDriver, DevicesAreInTheOrderOfTheirNumbers) {
  MadeUp system(wormholeIdentity);
  EXPECT_TRUE(findDevices(system).empty());
  system.names = {".", "..", "10", "2", "by-id", "0"};
  EXPECT_EQ(findDevices(system),
            (std::vector<std::string>{"/dev/tenstorrent/0", "/dev/tenstorrent/2",
                                      "/dev/tenstorrent/10"}));
}

TEST_F(TensixDriver, NoPermission) {
  MadeUp system(wormholeIdentity);
  system.openResult = -EACCES;
  const std::string text = refusal(system);
  EXPECT_TRUE(has(text, "/dev/tenstorrent/0: found no permission")) << text;
  EXPECT_TRUE(has(text, "give this user access")) << text;
}

TEST_F(TensixDriver, InUseByAnother) {
  MadeUp system(wormholeIdentity);
  system.openResult = -EAGAIN;
  EXPECT_TRUE(has(refusal(system), "another process uses the chip"));
  system.openResult = 3;
  system.isFree = false;
  EXPECT_TRUE(has(refusal(system), "another process uses the chip"));
  EXPECT_EQ(system.closed, 1u);
}

TEST_F(TensixDriver, GoneBeforeItIsOpened) {
  MadeUp system(wormholeIdentity);
  system.openResult = -ENXIO;
  EXPECT_TRUE(has(refusal(system), "No such device or address"));
}

TEST_F(TensixDriver, NoFileOfTheDriver) {
  MadeUp system(wormholeIdentity);
  system.failures[driver::getDriverInfo] = -ENOTTY;
  EXPECT_TRUE(has(refusal(system), "no file of Tenstorrent's kernel driver"));
}

TEST_F(TensixDriver, DriverOfAnotherVersion) {
  MadeUp system(wormholeIdentity);
  system.interfaceVersion = 1;
  std::string text = refusal(system);
  EXPECT_TRUE(has(text, "found version 1 of the kernel driver's interface (tt-kmd "
                        "1.30.0), expected version 2; update tt-kmd"))
      << text;
  system.interfaceVersion = 3;
  EXPECT_TRUE(has(refusal(system), "use a newer hetcc"));
}

TEST_F(TensixDriver, UnknownChip) {
  MadeUp system(0xFACA1E52);
  const std::string text = refusal(system);
  EXPECT_TRUE(has(text, "found a PCI device 0xfaca1e52, expected 0x401e1e52 (Wormhole) "
                        "or 0xb1401e52 (Blackhole)"))
      << text;
}

TEST_F(TensixDriver, DeviceInfoFails) {
  MadeUp system(wormholeIdentity);
  system.failures[driver::getDeviceInfo] = -ENODEV;
  EXPECT_TRUE(has(refusal(system), "GET_DEVICE_INFO: No such device"));
}

TEST_F(TensixDriver, LockFails) {
  MadeUp system(wormholeIdentity);
  system.failures[driver::lockControl] = -EINVAL;
  EXPECT_TRUE(has(refusal(system), "LOCK_CTL: Invalid argument"));
}

TEST_F(TensixDriver, TooFewWindows) {
  MadeUp system(blackholeIdentity);
  system.freeWindows = 4;
  const std::string text = refusal(system);
  EXPECT_TRUE(has(text, "found 4 free windows of 2 MiB")) << text;
  EXPECT_TRUE(has(text, "expected 10")) << text;
  EXPECT_EQ(system.unmapped, 4u);
  EXPECT_EQ(system.closed, 1u);
}

TEST_F(TensixDriver, WindowsThatCanNotBeMapped) {
  MadeUp system(wormholeIdentity);
  system.mayMap = false;
  EXPECT_TRUE(has(refusal(system), "mapping window 100: Resource temporarily"));
}

TEST_F(TensixDriver, ReachesCoresAndDram) {
  for (uint32_t identity : {wormholeIdentity, blackholeIdentity}) {
    MadeUp system(identity);
    const Architecture &kind = *findArchitecture(identity);
    putTelemetry(system, kind);
    {
      auto chip = Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status);
      ASSERT_TRUE(chip) << status.message;
      EXPECT_EQ(chip->cores().size(), identity == blackholeIdentity ? 140u : 80u);
      const uint32_t core = chip->cores()[17];
      // All stand in reset; one is let go.
      EXPECT_EQ(system.peek(core, softReset), 0x47800u);
      chip->start(core);
      EXPECT_EQ(system.peek(core, softReset), 0x47000u);
      // Any bytes, also such that begin and end inside of words.
      std::vector<uint8_t> bytes(9001), back(bytes.size());
      for (size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = i * 31 + (i >> 8);
      chip->writeCore(core, 0x10003, bytes.data(), bytes.size());
      chip->readCore(core, 0x10003, back.data(), back.size());
      EXPECT_EQ(back, bytes);
      chip->writeDram(0x7FFFFF0, bytes.data(), bytes.size());
      chip->readDram(0x7FFFFF0, back.data(), back.size());
      EXPECT_EQ(back, bytes);
      chip->pass(2000);
      EXPECT_EQ(system.slept, 2000u);
      EXPECT_EQ(chip->lost(), "");
    }
    EXPECT_EQ(system.unmapped, 10u);
    EXPECT_EQ(system.closed, 1u);
  }
}

/// Two columns and a bank are fused off.
TEST_F(TensixDriver, WhatIsFusedOffIsLeftOut) {
  const Architecture &kind = *findArchitecture(blackholeIdentity);
  for (bool isNumbered : {false, true}) {
    MadeUp system(blackholeIdentity);
    putTelemetry(system, kind, {{34, 0x3FFF & ~0x12}, {36, 0xF7}});
    system.poke(kind.managementNode, 0x80050100, isNumbered ? 1 << 14 : 0);
    auto chip = Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status);
    ASSERT_TRUE(chip) << status.message;
    std::set<uint32_t> columns;
    for (uint32_t node : chip->cores())
      columns.insert(node & 63);
    // Bits 1 and 4 are columns 16 and 3, which the firmware puts last.
    const std::set<uint32_t> raw = {1, 2, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15};
    const std::set<uint32_t> numbered = {1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14};
    EXPECT_EQ(columns, isNumbered ? numbered : raw);
    ASSERT_EQ(chip->banks().size(), 7u);
    EXPECT_EQ(chip->banks()[3], isNumbered ? nodeAt(17, 21) : nodeAt(9, 0));
    EXPECT_EQ(chip->banks()[6], isNumbered ? nodeAt(18, 18) : nodeAt(9, 5));
  }
}

TEST_F(TensixDriver, NothingIsLeft) {
  const Architecture &kind = *findArchitecture(blackholeIdentity);
  for (bool cores : {false, true}) {
    MadeUp system(blackholeIdentity);
    putTelemetry(system, kind, {{34, cores ? 0x3FFF : 0}, {36, cores ? 0x3F : 0xFF}});
    EXPECT_FALSE(Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status));
    EXPECT_TRUE(has(status.message, cores
                                        ? "found 6 banks of DRAM, expected 8 or one less"
                                        : "found no working cores (columns 0x3fff are "
                                          "fused off), expected at least one"))
        << status.message;
  }
}

TEST_F(TensixDriver, AChipThatDoesNotAnswer) {
  MadeUp system(wormholeIdentity);
  system.stuck = findArchitecture(wormholeIdentity)->managementNode;
  EXPECT_FALSE(Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status));
  EXPECT_TRUE(has(status.message, "the chip does not answer")) << status.message;
}

TEST_F(TensixDriver, FirmwareThatIsTooNew) {
  MadeUp system(wormholeIdentity);
  const Architecture &kind = *findArchitecture(wormholeIdentity);
  putTelemetry(system, kind);
  system.poke(kind.managementNode, kind.managementAddresses + 0x10001000, 2 << 16);
  EXPECT_FALSE(Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status));
  EXPECT_TRUE(has(status.message, "found telemetry of version 2")) << status.message;
}

TEST_F(TensixDriver, FirmwareThatIsTooOld) {
  MadeUp system(wormholeIdentity);
  EXPECT_FALSE(Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status));
  EXPECT_TRUE(has(status.message, "/dev/tenstorrent/0: the chip's firmware has no "
                                  "telemetry (found tables at 0x0 and 0x0"))
      << status.message;
}

TEST_F(TensixDriver, LostWhereTheDriverIsGone) {
  MadeUp system(wormholeIdentity);
  putTelemetry(system, *findArchitecture(wormholeIdentity));
  auto chip = Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status);
  ASSERT_TRUE(chip) << status.message;
  const uint32_t word = 7, core = chip->cores()[0];
  chip->writeCore(core, 0x1000, &word, 4);
  system.failures[driver::getDeviceInfo] = -ENODEV;
  chip->pass(1000);
  EXPECT_TRUE(has(chip->lost(), "GET_DEVICE_INFO: No such device): it was reset or "
                                "removed"))
      << chip->lost();
  // It stays lost, and nothing reaches it.
  system.failures.clear();
  EXPECT_EQ(chip->readWord(core, 0x1000), 0u);
  const uint32_t other = 8;
  chip->writeCore(core, 0x1000, &other, 4);
  EXPECT_EQ(system.peek(core, 0x1000), 7u);
  EXPECT_FALSE(chip->lost().empty());
}

TEST_F(TensixDriver, LostWhereAWindowCanNotBeSet) {
  MadeUp system(blackholeIdentity);
  putTelemetry(system, *findArchitecture(blackholeIdentity));
  auto chip = Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status);
  ASSERT_TRUE(chip) << status.message;
  system.failures[driver::configureWindow] = -EPERM;
  chip->readWord(chip->cores()[1], 0x1000);
  EXPECT_TRUE(has(chip->lost(), "CONFIGURE_TLB: Operation not permitted"))
      << chip->lost();
}

/// Copies and the fault of the device that is made of it.
TEST_F(TensixDriver, ALostChipIsTheDevicesFault) {
  MadeUp system(wormholeIdentity);
  putTelemetry(system, *findArchitecture(wormholeIdentity));
  HetDevice device;
  device.chip = Chip::open(openDevice(system, "/dev/tenstorrent/0", &status), &status);
  ASSERT_TRUE(device.chip) << status.message;
  device.freeDram[0] = device.chip->dramBytes();
  HetDeviceABI table = {};
  fillInMemory(table);
  const uint64_t window = 0x100000000000;
  ASSERT_EQ(table.mapMemory(&device, window, 64 << 20, &status), HET_OK);
  std::vector<uint32_t> words(5000, 7), back(5000, 1);
  auto address = [](std::vector<uint32_t> &of) {
    return reinterpret_cast<uint64_t>(of.data());
  };
  copy(device, window + 100, address(words), words.size() * 4);
  copy(device, address(back), window + 100, back.size() * 4);
  EXPECT_EQ(back, words);
  EXPECT_FALSE(device.hasFault());
  system.failures[driver::configureWindow] = -ENODEV;
  // So much that a bank's window is set anew.
  std::vector<uint32_t> much(100 << 18);
  ASSERT_EQ(table.mapMemory(&device, window + (64 << 20), 100 << 20, &status), HET_OK);
  copy(device, window + (64 << 20), address(much), much.size() * 4);
  EXPECT_EQ(device.faultKind.load(), HET_FAULT_LOST);
  EXPECT_TRUE(has(device.faultMessage, "/dev/tenstorrent/0: the chip is lost (CONFIGURE_"
                                       "TLB: No such device): it was reset or removed"))
      << device.faultMessage;
}

TEST_F(TensixDriver, LostWhileItIsLookedAt) {
  MadeUp system(wormholeIdentity);
  auto provider = openDevice(system, "/dev/tenstorrent/0", &status);
  ASSERT_TRUE(provider) << status.message;
  system.failures[driver::configureWindow] = -ENODEV;
  EXPECT_FALSE(Chip::open(provider, &status));
  EXPECT_TRUE(has(status.message, "the chip is lost (CONFIGURE_TLB")) << status.message;
  // At any moment, also while its cores are stopped.
  unsigned moment = 0;
  for (bool isOpen = false; !isOpen; ++moment) {
    MadeUp other(wormholeIdentity);
    putTelemetry(other, *findArchitecture(wormholeIdentity));
    auto found = openDevice(other, "/dev/tenstorrent/0", &status);
    ASSERT_TRUE(found) << status.message;
    other.windowsUntilLoss = moment;
    isOpen = Chip::open(found, &status) != nullptr;
    EXPECT_TRUE(isOpen || has(status.message, "the chip is lost (CONFIGURE_TLB"))
        << moment << ": " << status.message;
  }
  EXPECT_GT(moment, 80u); // one core after the other
}

} // namespace
