// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip by the kernel driver: it gives windows, sets them, and maps them into this
// process uncached, so that what is written arrives in its order.

#include "Driver.h"
#include "DriverABI.h"
#include "WindowRegisters.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace het::tensix {
namespace {

constexpr const char *folder = "/dev/tenstorrent";
constexpr uint8_t ourLock = 63;

/// Device memory takes accesses that are aligned, of up to 8 bytes.
template <class Word> void readWord(const uint8_t *from, uint8_t *to) {
  const Word word = *reinterpret_cast<const volatile Word *>(from);
  std::memcpy(to, &word, sizeof(word));
}
template <class Word> void writeWord(uint8_t *to, const uint8_t *from) {
  Word word;
  std::memcpy(&word, from, sizeof(word));
  *reinterpret_cast<volatile Word *>(to) = word;
}

/// Calls with 0, 1, 2 or 3 for each piece of 1, 2, 4 or 8 bytes, and where it begins.
template <class Access> void inPieces(uint32_t offset, uint32_t bytes, Access access) {
  for (uint32_t at = 0; at < bytes;) {
    unsigned size = 3;
    while ((offset + at) % (1u << size) || bytes - at < (1u << size))
      --size;
    access(size, at);
    at += 1u << size;
  }
}

class Driver : public Provider {
public:
  Driver(System &system, const std::string &path) : system(system), path(path) {}
  ~Driver() override {
    for (const Window &window : windows)
      if (window.memory)
        system.unmap(window.memory, bytes());
    if (file >= 0)
      system.close(file);
  }

  bool open(HetStatus *status);

  uint32_t identity() const override { return chip; }
  std::string place() const override { return path; }
  unsigned windowBits() const override { return bits; }
  void aim(unsigned window, Node node, uint64_t address) override;
  void read(unsigned window, uint32_t offset, void *to, uint32_t size) override;
  void write(unsigned window, uint32_t offset, const void *from, uint32_t size) override;
  void pass(uint32_t clocks) override;
  std::string lost() const override { return why; }

private:
  struct Window {
    uint32_t number = 0;
    uint8_t *memory = nullptr;
  };

  uint32_t bytes() const { return 1u << bits; }
  bool refuse(HetStatus *status, const std::string &what) const {
    report(status, HET_UNAVAILABLE, path + ": " + what);
    return false;
  }
  bool openFile(HetStatus *status);
  bool checkDriver(HetStatus *status);
  bool findChip(HetStatus *status);
  bool takeLock(HetStatus *status);
  bool takeWindow(Window &window, unsigned number, HetStatus *status);
  /// Notes that the chip is lost where a call has failed.
  void check(int result, const char *call);

  System &system;
  const std::string path;
  int file = -1;
  uint32_t chip = 0;
  unsigned bits = 0;
  Window windows[windowCount];
  std::string why;
};

std::string inUse() { return "another process uses the chip; wait for it or end it"; }

bool Driver::openFile(HetStatus *status) {
  // By O_EXCL newer drivers let one process in; without O_NONBLOCK they would wait.
  file = system.open(path, O_RDWR | O_CLOEXEC | O_EXCL | O_NONBLOCK);
  switch (-file) {
  case EACCES:
  case EPERM:
    return refuse(status, "found no permission to open it, expected to read and to "
                          "write; give this user access to the device's file");
  case EAGAIN:
  case EBUSY:
    return refuse(status, inUse());
  default:
    return file >= 0 || refuse(status, std::strerror(-file));
  }
}

bool Driver::checkDriver(HetStatus *status) {
  driver::DriverInfo info;
  if (int result = system.ioctl(file, driver::getDriverInfo, &info); result < 0)
    return refuse(status, std::string("it is no file of Tenstorrent's kernel driver "
                                      "(GET_DRIVER_INFO: ") +
                              std::strerror(-result) + ")");
  if (info.version == driver::version)
    return true;
  return refuse(
      status,
      "found version " + std::to_string(info.version) +
          " of the kernel driver's interface (tt-kmd " + std::to_string(info.major) +
          "." + std::to_string(info.minor) + "." + std::to_string(info.patch) +
          "), expected version " + std::to_string(driver::version) + "; " +
          (info.version < driver::version ? "update tt-kmd" : "use a newer hetcc"));
}

bool Driver::findChip(HetStatus *status) {
  driver::DeviceInfo info;
  if (int result = system.ioctl(file, driver::getDeviceInfo, &info); result < 0)
    return refuse(status, std::string("GET_DEVICE_INFO: ") + std::strerror(-result));
  chip = uint32_t(info.device) << 16 | info.vendor;
  const WindowRegisters *kind = windowRegistersOf(chip);
  if (!kind)
    return reportUnknownChip(path, chip, status), false;
  bits = kind->bits;
  return true;
}

bool Driver::takeLock(HetStatus *status) {
  driver::Lock lock;
  lock.number = ourLock;
  if (int result = system.ioctl(file, driver::lockControl, &lock); result < 0)
    return refuse(status, std::string("LOCK_CTL: ") + std::strerror(-result));
  return lock.isHeld || refuse(status, inUse());
}

bool Driver::takeWindow(Window &window, unsigned number, HetStatus *status) {
  driver::WindowRequest request;
  request.bytes = bytes();
  if (int result = system.ioctl(file, driver::allocateWindow, &request); result < 0)
    return refuse(status, "found " + std::to_string(number) + " free windows of " +
                              std::to_string(bytes() >> 20) +
                              " MiB (ALLOCATE_TLB: " + std::strerror(-result) +
                              "), expected " + std::to_string(windowCount) +
                              "; end other programs that use the chip");
  int error = 0;
  window.number = request.number;
  window.memory =
      static_cast<uint8_t *>(system.map(file, bytes(), request.uncachedOffset, error));
  return window.memory ||
         refuse(status, "mapping window " + std::to_string(request.number) + ": " +
                            std::strerror(error));
}

bool Driver::open(HetStatus *status) {
  if (!openFile(status) || !checkDriver(status) || !findChip(status) || !takeLock(status))
    return false;
  for (unsigned number = 0; number < windowCount; ++number)
    if (!takeWindow(windows[number], number, status))
      return false;
  return true;
}

void Driver::check(int result, const char *call) {
  if (result >= 0 || !why.empty())
    return;
  why = "the chip is lost (" + std::string(call) + ": " + std::strerror(-result) + ")";
  if (result == -ENODEV)
    why += ": it was reset or removed; start the program again";
}

void Driver::aim(unsigned window, Node node, uint64_t address) {
  if (!why.empty())
    return;
  driver::WindowSetting setting;
  setting.number = windows[window].number;
  setting.address = address;
  setting.x = node & 63;
  setting.y = node >> 6;
  check(system.ioctl(file, driver::configureWindow, &setting), "CONFIGURE_TLB");
}

void Driver::read(unsigned window, uint32_t offset, void *to, uint32_t size) {
  if (!why.empty()) {
    std::memset(to, 0, size);
    return;
  }
  const uint8_t *from = windows[window].memory + offset;
  auto *target = static_cast<uint8_t *>(to);
  constexpr void (*reads[])(const uint8_t *, uint8_t *) = {
      readWord<uint8_t>, readWord<uint16_t>, readWord<uint32_t>, readWord<uint64_t>};
  inPieces(offset, size,
           [&](unsigned kind, uint32_t at) { reads[kind](from + at, target + at); });
}

void Driver::write(unsigned window, uint32_t offset, const void *from, uint32_t size) {
  if (!why.empty())
    return;
  uint8_t *to = windows[window].memory + offset;
  auto *source = static_cast<const uint8_t *>(from);
  constexpr void (*writes[])(uint8_t *, const uint8_t *) = {
      writeWord<uint8_t>, writeWord<uint16_t>, writeWord<uint32_t>, writeWord<uint64_t>};
  inPieces(offset, size,
           [&](unsigned kind, uint32_t at) { writes[kind](to + at, source + at); });
}

/// A clock is about a nanosecond. The mapped windows are asked next: after a reset or a
/// removal the driver takes them away, so it is asked before.
void Driver::pass(uint32_t clocks) {
  if (!why.empty())
    return;
  system.sleep(clocks);
  driver::DeviceInfo info;
  check(system.ioctl(file, driver::getDeviceInfo, &info), "GET_DEVICE_INFO");
}

} // namespace

std::vector<std::string> findDevices(System &system) {
  std::vector<unsigned long> numbers;
  for (const std::string &name : system.list(folder))
    if (!name.empty() && name.size() < 10 &&
        std::all_of(name.begin(), name.end(),
                    [](char c) { return c >= '0' && c <= '9'; }))
      numbers.push_back(std::stoul(name));
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> paths;
  for (unsigned long number : numbers)
    paths.push_back(std::string(folder) + "/" + std::to_string(number));
  return paths;
}

std::shared_ptr<Provider> openDevice(System &system, const std::string &path,
                                     HetStatus *status) {
  auto driver = std::make_shared<Driver>(system, path);
  return driver->open(status) ? driver : nullptr;
}

} // namespace het::tensix
