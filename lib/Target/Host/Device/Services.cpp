// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that kernels call, and the end of one that can not go on: an assertion, a
// trap or a signal leaves the block by a long jump (kernels have no destructors) and
// becomes a fault of the device, as on a GPU.

#include "HostDevice.h"
#include "Signals.h"

#include "../../Support/BarrierFaults.h"
#include "../../Support/DeviceOutput.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <utility>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace het::host {
namespace {

/// Lets code round to nearest, without traps, while it lives: threads that run kernels
/// may be the program's, or may have inherited its floating-point environment.
class FloatControl {
public:
  /// Subnormal floats are kept, or count as zeros.
  explicit FloatControl(bool flushes = false) : given(_mm_getcsr()) {
    unsigned wanted = _MM_MASK_MASK;
    if (flushes)
      wanted |= _MM_FLUSH_ZERO_ON | denormalsAreZeros;
    if ((given & ~_MM_EXCEPT_MASK) != wanted)
      _mm_setcsr(wanted);
  }
  /// A signal's handler begins with other bits, and a fault leaves the block from there.
  ~FloatControl() {
    if (_mm_getcsr() != given)
      _mm_setcsr(given);
  }

private:
  static constexpr unsigned denormalsAreZeros = 0x40;
  unsigned given;
};

int32_t printfService(HetHostBlock *, const char *format, const void *arguments) {
  FloatControl control;
  return het::target::print(format, arguments);
}

void assertFail(HetHostBlock *block, const char *message, const char *file, uint32_t line,
                const char *function) {
  uint32_t lane = block->currentLane;
  uint32_t x = lane % block->blockDim[0];
  uint32_t y = lane / block->blockDim[0] % block->blockDim[1];
  uint32_t z = lane / block->blockDim[0] / block->blockDim[1];
  std::fflush(stdout);
  std::fprintf(stderr,
               "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
               "failed.\n",
               file, line, function, block->blockId[0], block->blockId[1],
               block->blockId[2], x, y, z, message);
  guard->device->fail(HET_FAULT_ASSERT, "a kernel's assertion failed");
  leave();
}

void trapService(HetHostBlock *) {
  guard->device->fail(HET_FAULT_TRAP, "a kernel trapped");
  leave();
}

void noteFree(HetHostBlock *, const void *pointer, uint32_t isFreed) {
  if (isFreed)
    return;
  char text[64];
  std::snprintf(text, sizeof(text), "free of %p, which malloc did not give", pointer);
  guard->device->fail(HET_FAULT_ILLEGAL_ADDRESS, text);
  leave();
}

uint64_t clockService(int32_t kind) {
  using namespace std::chrono;
  if (kind == 2)
    return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
#if defined(__x86_64__)
  return __rdtsc();
#else
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
#endif
}

/// CUDA lets a sleep last from nothing to twice its time. The system's shortest takes
/// some 50 us, and a warp's lanes sleep one after the other here, so short ones are put
/// together.
void sleepService(uint32_t nanoseconds) {
  constexpr uint64_t shortest = 50'000;
  thread_local uint64_t owed = 0;
  owed += nanoseconds;
  if (owed >= shortest)
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::exchange(owed, 0)));
}

} // namespace

const HetHostServices &services() {
  static const HetHostServices table = {printfService, assertFail,   trapService,
                                        noteFree,      clockService, sleepService};
  return table;
}

/// "kernel 'k(int*)', block [x,y,z]".
static std::string placeOf(const HetHostKernel &kernel, const HetHostBlock &block) {
  int status = 0;
  char *demangled = abi::__cxa_demangle(kernel.name, nullptr, nullptr, &status);
  std::string place = "kernel '";
  place += demangled ? demangled : kernel.name;
  std::free(demangled);
  const char *separator = "', block [";
  for (uint32_t id : block.blockId) {
    place += separator + std::to_string(id);
    separator = ",";
  }
  return place + "]";
}

/// Turns a signal in a kernel into a fault.
static void failBySignal(HetDevice &device, const std::string &place, int number,
                         void *address) {
  if (number == SIGFPE)
    return device.fail(HET_FAULT_TRAP, place + ": divided by zero, or the smallest "
                                               "number by -1");
  char text[64];
  std::snprintf(text, sizeof(text), ": touched address %p", address);
  device.fail(HET_FAULT_ILLEGAL_ADDRESS, place + text);
}

namespace {

/// A stack for the signal handler, as a kernel may have used up its own. A thread
/// that has one keeps it.
class SignalStack {
public:
  SignalStack() {
    stack_t present = {};
    sigaltstack(nullptr, &present);
    if (!(present.ss_flags & SS_DISABLE))
      return;
    stack_t own = {};
    own.ss_size = 64 << 10;
    memory.reset(new char[own.ss_size]);
    own.ss_sp = memory.get();
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (!memory)
      return;
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }

private:
  std::unique_ptr<char[]> memory;
};

} // namespace

uint32_t runGuarded(HetDevice &device, const HetHostKernel &kernel,
                    uint32_t (*run)(HetHostBlock *, uint32_t), HetHostBlock &block,
                    uint32_t pc) {
  thread_local SignalStack signalStack;
  (void)signalStack;
  FloatControl control(kernel.flushes);
  Guard own;
  own.device = &device;
  block.stackTop = __builtin_frame_address(0);
  uint32_t result = HET_HOST_ENDED;
  if (sigsetjmp(own.place, 0) == 0) {
    guard = &own;
    result = run(&block, pc);
  }
  guard = nullptr;
  if (own.signal)
    failBySignal(device, placeOf(kernel, block), own.signal, own.address);
  if (result == HET_HOST_DEADLOCK) {
    device.fail(HET_FAULT_DEADLOCK,
                placeOf(kernel, block) + ": threads wait for threads that never come");
    return HET_HOST_ENDED;
  }
  if (auto fault = target::barrierFault(result)) {
    device.fail(fault->kind, placeOf(kernel, block) + ": " + fault->text);
    return HET_HOST_ENDED;
  }
  return result;
}

} // namespace het::host
