// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, macros and functions of the C and C++ libraries that NVRTC's sources have
// without including anything: NVRTC's documentation, "Predefined Types" and "Predefined
// Macros".

#ifndef HET_RTC_LANGUAGE_H
#define HET_RTC_LANGUAGE_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
typedef __builtin_va_list va_list;

#ifndef NULL
#define NULL __null
#endif
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define offsetof(type, member) __builtin_offsetof(type, member)

namespace std {

#ifndef __HET_RTC_NO_INITIALIZER_LIST__ // --builtin-initializer-list=false
#define __NV_BUILTIN_INITIALIZER_LIST 1 // libcu++ asks for it
template <class T> class initializer_list {
public:
  using value_type = T;
  using reference = const T &;
  using const_reference = const T &;
  using size_type = size_t;
  using iterator = const T *;
  using const_iterator = const T *;

  __attribute__((host, device)) constexpr initializer_list() noexcept
      : first(nullptr), count(0) {}
  __attribute__((host, device)) constexpr size_t size() const noexcept { return count; }
  __attribute__((host, device)) constexpr const T *begin() const noexcept {
    return first;
  }
  __attribute__((host, device)) constexpr const T *end() const noexcept {
    return first + count;
  }

private:
  const T *first; // The compiler fills in both.
  size_t count;
};

template <class T>
__attribute__((host, device)) constexpr const T *
begin(initializer_list<T> list) noexcept {
  return list.begin();
}
template <class T>
__attribute__((host, device)) constexpr const T *end(initializer_list<T> list) noexcept {
  return list.end();
}
#endif

#ifndef __HET_RTC_NO_MOVE_FORWARD__ // --builtin-move-forward=false
#define __NV_BUILTIN_MOVE_FORWARD 1
template <class T>
__attribute__((host, device)) constexpr __remove_reference_t(T) &&move(T &&t) noexcept {
  return static_cast<__remove_reference_t(T) &&>(t);
}
template <class T>
__attribute__((host, device)) constexpr T &&forward(__remove_reference_t(T) &t) noexcept {
  return static_cast<T &&>(t);
}
template <class T>
__attribute__((host, device)) constexpr T &&
forward(__remove_reference_t(T) &&t) noexcept {
  return static_cast<T &&>(t);
}
#endif

} // namespace std

#endif // HET_RTC_LANGUAGE_H
