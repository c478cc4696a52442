// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of programs built with per-thread default streams. Each one
// is the function of the plain name, during which null means the calling
// thread's own stream.

#include "Api.h"
#include "Stream.h"

#include <tuple>

namespace {

/// The types of a function of the API.
template <typename Function> struct Signature;
template <typename R, typename... Parameters> struct Signature<R(Parameters...)> {
  using Result = R;
  static constexpr size_t count = sizeof...(Parameters);
  template <size_t index>
  using Parameter = std::tuple_element_t<index, std::tuple<Parameters...>>;
};

} // namespace

// The parameter lists of functions with up to eleven parameters, and the same
// as arguments.
#define HET_P(i) Types::Parameter<i> p##i
#define HET_PARAMETERS_1 HET_P(0)
#define HET_PARAMETERS_2 HET_PARAMETERS_1, HET_P(1)
#define HET_PARAMETERS_3 HET_PARAMETERS_2, HET_P(2)
#define HET_PARAMETERS_4 HET_PARAMETERS_3, HET_P(3)
#define HET_PARAMETERS_5 HET_PARAMETERS_4, HET_P(4)
#define HET_PARAMETERS_6 HET_PARAMETERS_5, HET_P(5)
#define HET_PARAMETERS_7 HET_PARAMETERS_6, HET_P(6)
#define HET_PARAMETERS_8 HET_PARAMETERS_7, HET_P(7)
#define HET_PARAMETERS_9 HET_PARAMETERS_8, HET_P(8)
#define HET_PARAMETERS_10 HET_PARAMETERS_9, HET_P(9)
#define HET_PARAMETERS_11 HET_PARAMETERS_10, HET_P(10)
#define HET_ARGUMENTS_1 p0
#define HET_ARGUMENTS_2 HET_ARGUMENTS_1, p1
#define HET_ARGUMENTS_3 HET_ARGUMENTS_2, p2
#define HET_ARGUMENTS_4 HET_ARGUMENTS_3, p3
#define HET_ARGUMENTS_5 HET_ARGUMENTS_4, p4
#define HET_ARGUMENTS_6 HET_ARGUMENTS_5, p5
#define HET_ARGUMENTS_7 HET_ARGUMENTS_6, p6
#define HET_ARGUMENTS_8 HET_ARGUMENTS_7, p7
#define HET_ARGUMENTS_9 HET_ARGUMENTS_8, p8
#define HET_ARGUMENTS_10 HET_ARGUMENTS_9, p9
#define HET_ARGUMENTS_11 HET_ARGUMENTS_10, p10

#define HET_PER_THREAD(name, suffix, number)                                             \
  namespace per_thread_##name {                                                          \
    using Types = Signature<decltype(::name)>;                                           \
    static_assert(Types::count == number, #name " has another signature");               \
    extern "C" __attribute__((visibility("default"))) Types::Result name##suffix(        \
        HET_PARAMETERS_##number) {                                                       \
      het::cuda::PerThreadDefault scope;                                                 \
      return ::name(HET_ARGUMENTS_##number);                                             \
    }                                                                                    \
  }
#include "PerThread.def"
