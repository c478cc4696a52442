// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chips in a library with the C interface of Tenstorrent's simulator (tenstorrent/ttsim,
// docs/libttsim_api.md): one for each process, which ends the process at what it holds
// for a mistake.

#include "Provider.h"

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
  explicit Simulator(const Functions &functions) : functions(functions) {
    functions.init();
  }
  uint32_t readConfiguration(uint32_t offset) override {
    return functions.readConfiguration(0, offset);
  }
  void read(uint64_t address, void *to, uint32_t bytes) override {
    functions.read(address, to, bytes);
  }
  void write(uint64_t address, const void *from, uint32_t bytes) override {
    functions.write(address, from, bytes);
  }
  void pass(uint32_t clocks) override { functions.clock(clocks); }
  bool hasDebugSignals() const override { return functions.hasDebugSignals; }

private:
  const Functions functions;
};

template <class Function>
bool find(void *library, const char *name, Function &function, HetStatus *status) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function)
    return true;
  report(status, HET_UNAVAILABLE,
         std::string("HET_TTSIM_LIBRARY: the library has no function ") + name +
             "; is it of another version?");
  return false;
}

/// The library stays open.
bool load(Functions &functions, HetStatus *status) {
  std::optional<std::string> path = environment::text("HET_TTSIM_LIBRARY");
  if (!path) {
    report(status, HET_UNAVAILABLE,
           "no simulator: set HET_TTSIM_LIBRARY to a built libttsim.so");
    return false;
  }
  void *library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    report(status, HET_UNAVAILABLE,
           std::string("HET_TTSIM_LIBRARY: ") + dlerror());
    return false;
  }
  // Not a function of the interface: the tile model's.
  functions.hasDebugSignals = dlsym(library, "het_tile_model_debug_signals") != nullptr;
  return find(library, "libttsim_init", functions.init, status) &&
         find(library, "libttsim_pci_config_rd32", functions.readConfiguration,
              status) &&
         find(library, "libttsim_pci_mem_rd_bytes", functions.read, status) &&
         find(library, "libttsim_pci_mem_wr_bytes", functions.write, status) &&
         find(library, "libttsim_clock", functions.clock, status);
}

} // namespace

int32_t findSimulator(HetStatus *status) {
  Functions functions = {};
  return load(functions, status) ? report(status, HET_OK, "") : status->code;
}

Provider *openSimulator(HetStatus *status) {
  static std::mutex mutex;
  static Simulator *simulator = nullptr; // stays for work that ends after main
  std::lock_guard<std::mutex> lock(mutex);
  Functions functions = {};
  if (!simulator && load(functions, status))
    simulator = new Simulator(functions);
  return simulator;
}

} // namespace het::tensix
