// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a driver: all calls into one pass here.
//
// Any of them may start threads, which inherit the caller's mask of signals and must take
// none that are the program's. And drivers have objects that exit() destroys while other
// threads still call them: before that happens the calls that are under way are waited
// for, and later ones are refused.

#ifndef HET_LIB_TARGET_SPIRV_DEVICE_DRIVERFUNCTION_H
#define HET_LIB_TARGET_SPIRV_DEVICE_DRIVERFUNCTION_H

#include "het/Base/Thread.h"

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace het::spirv {

/// A use of drivers, of one call or of several that belong together. The process does not
/// end before it does, unless by the same thread.
class DriverUse {
public:
  DriverUse();
  ~DriverUse();
  DriverUse(const DriverUse &) = delete;
  DriverUse &operator=(const DriverUse &) = delete;

  /// False where the process ends already: drivers may be gone.
  explicit operator bool() const { return isOpen; }

private:
  const bool isOpen;
};

/// Has exit() wait for uses of drivers before it runs what was registered so far.
void endBeforeDrivers();

/// The result of a call that is refused.
template <class Result> Result refusal() {
  if constexpr (std::is_void_v<Result>)
    return;
  else if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else if constexpr (std::is_enum_v<Result>)
    return static_cast<Result>(-4); // VK_ERROR_DEVICE_LOST
  else if constexpr (std::is_signed_v<Result>)
    return -5; // CL_OUT_OF_RESOURCES
  else
    return 0x70000001; // ZE_RESULT_ERROR_DEVICE_LOST
}
/// OpenCL's functions that give an object set an error as well.
template <class Argument> void refuse(Argument argument) {
  if constexpr (std::is_same_v<Argument, int32_t *>)
    if (argument)
      *argument = refusal<int32_t>();
}

template <class> class DriverFunction;

template <class Result, class... Arguments> class DriverFunction<Result(Arguments...)> {
public:
  /// Where the function lies; null: it is not there.
  void setAddress(void *address) {
    function = reinterpret_cast<Result (*)(Arguments...)>(address);
  }
  explicit operator bool() const { return function; }

  Result operator()(Arguments... arguments) const {
    const DriverUse use;
    if (!use) {
      (refuse(arguments), ...);
      return refusal<Result>();
    }
    const BlockedSignals blocked;
    const FirstCall first{wasCalled};
    return function(arguments...);
  }

private:
  /// Objects that it has made by its first call are destroyed before older ones.
  struct FirstCall {
    std::atomic<bool> &wasCalled;
    ~FirstCall() {
      if (!wasCalled.exchange(true, std::memory_order_relaxed))
        endBeforeDrivers();
    }
  };

  Result (*function)(Arguments...) = nullptr;
  mutable std::atomic<bool> wasCalled{false};
};

/// Opens a driver's library; null: it is not there.
void *openDriver(const char *file);

} // namespace het::spirv

#endif // HET_LIB_TARGET_SPIRV_DEVICE_DRIVERFUNCTION_H
