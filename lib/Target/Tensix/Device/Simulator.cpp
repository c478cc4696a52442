// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips in a library with the C interface of Tenstorrent's simulator (tenstorrent/ttsim,
// docs/libttsim_api.md): one for each process, which ends the process at what it holds
// for a mistake.

#include "WindowRegisters.h"

#include "het/Base/Environment.h"

#include <dlfcn.h>
#include <memory>
#include <mutex>

namespace het::tensix {
namespace {

struct Functions {
  void (*init)();
  uint32_t (*readConfiguration)(uint32_t device, uint32_t offset);
  void (*read)(uint64_t address, void *to, uint32_t bytes);
  void (*write)(uint64_t address, const void *from, uint32_t bytes);
  void (*clock)(uint32_t clocks);
  bool hasDebugSignals;
};

class Simulator : public Provider {
public:
  Simulator(const Functions &functions, const WindowRegisters &windows)
      : functions(functions), windows(windows) {
    const uint64_t low = functions.readConfiguration(0, 0x10);
    const uint64_t high = functions.readConfiguration(0, 0x14);
    bar0 = (high << 32 | low) & ~uint64_t(0xF);
  }

  uint32_t identity() const override { return windows.identity; }
  std::string place() const override { return "simulated"; }
  unsigned windowBits() const override { return windows.bits; }
  void aim(unsigned window, Node node, uint64_t address) override {
    const std::array<uint32_t, 3> words = windows.encode(node, address);
    auto *bytes = reinterpret_cast<const uint8_t *>(words.data());
    const uint64_t to = bar0 + windows.registerOf(window);
    for (unsigned at = 0; at < windows.registerBytes; at += windows.wordBytes)
      functions.write(to + at, bytes + at, windows.wordBytes);
  }
  void read(unsigned window, uint32_t offset, void *to, uint32_t bytes) override {
    functions.read(bar0 + windows.offsetOf(window) + offset, to, bytes);
  }
  void write(unsigned window, uint32_t offset, const void *from,
             uint32_t bytes) override {
    functions.write(bar0 + windows.offsetOf(window) + offset, from, bytes);
  }
  void pass(uint32_t clocks) override { functions.clock(clocks); }
  /// A PCI device that does not answer reads as ones.
  std::string lost() const override {
    const uint32_t found = functions.readConfiguration(0, 0);
    return found == windows.identity
               ? std::string()
               : "its PCI identity is " + hexadecimal(found) + " now, expected " +
                     hexadecimal(windows.identity);
  }
  bool hasDebugSignals() const override { return functions.hasDebugSignals; }

private:
  const Functions functions;
  const WindowRegisters &windows;
  uint64_t bar0;
};

template <class Function>
bool find(void *library, const char *name, Function &function, HetStatus *status) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function)
    return true;
  report(status, HET_UNAVAILABLE,
         std::string("HET_TTSIM_LIBRARY: the library has no function ") + name +
             ", expected the C interface of Tenstorrent's simulator (ttsim, "
             "docs/libttsim_api.md); build a version that has it");
  return false;
}

/// The library stays open.
bool load(Functions &functions, HetStatus *status) {
  std::optional<std::string> path = environment::text(Variable::TtsimLibrary);
  if (!path) {
    report(status, HET_UNAVAILABLE,
           "no simulator: set HET_TTSIM_LIBRARY to a built libttsim.so");
    return false;
  }
  void *library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    report(status, HET_UNAVAILABLE, std::string("HET_TTSIM_LIBRARY: ") + dlerror());
    return false;
  }
  // Not a function of the interface: the tile model's.
  functions.hasDebugSignals = dlsym(library, "het_tile_model_debug_signals") != nullptr;
  return find(library, "libttsim_init", functions.init, status) &&
         find(library, "libttsim_pci_config_rd32", functions.readConfiguration, status) &&
         find(library, "libttsim_pci_mem_rd_bytes", functions.read, status) &&
         find(library, "libttsim_pci_mem_wr_bytes", functions.write, status) &&
         find(library, "libttsim_clock", functions.clock, status);
}

} // namespace

int32_t findSimulator(HetStatus *status) {
  Functions functions = {};
  return load(functions, status) ? report(status, HET_OK, "") : status->code;
}

std::shared_ptr<Provider> openSimulator(HetStatus *status) {
  static std::mutex mutex;
  // They stay for work that ends after main, and a second try would start it again.
  static auto &simulator = *new std::shared_ptr<Provider>;
  static bool isStarted = false;
  static uint32_t identity = 0;
  Functions functions = {};
  // Before the lock: who waits for it may have the loader's.
  const bool isLoaded = load(functions, status);
  std::lock_guard<std::mutex> lock(mutex);
  if (simulator || !isLoaded)
    return simulator;
  if (!isStarted) {
    isStarted = true;
    functions.init();
    identity = functions.readConfiguration(0, 0);
  }
  if (const WindowRegisters *windows = windowRegistersOf(identity))
    simulator = std::make_shared<Simulator>(functions, *windows);
  else
    reportUnknownChip("HET_TTSIM_LIBRARY", identity, status);
  return simulator;
}

} // namespace het::tensix
