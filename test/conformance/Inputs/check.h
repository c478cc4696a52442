// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the conformance programs share: comparison to the bit, CUDA's errors,
// and the verdict. A program calls checks, then returns finish("its name").
//
//   CHECK_EQ(found, expected)       values of the same type, compared by bits
//   CHECK_AT(index, found, expected) the same, one of many
//   CHECK_TRUE(condition)
//   CUDA(call)                      a runtime call that must succeed
//   CUDA_ERROR(call, error)         a runtime call that must fail so

#ifndef CONFORMANCE_CHECK_H
#define CONFORMANCE_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace check {

inline int &failures() {
  static int count = 0;
  return count;
}

// A value as a person reads it: its number, where it is one, and its bits.
template <class T> std::string show(const T &value) {
  char number[64] = "";
  if constexpr (std::is_floating_point<T>::value)
    snprintf(number, sizeof number, "%.9g ", (double)value);
  else if constexpr (std::is_integral<T>::value && std::is_signed<T>::value)
    snprintf(number, sizeof number, "%lld ", (long long)value);
  else if constexpr (std::is_integral<T>::value || std::is_enum<T>::value)
    snprintf(number, sizeof number, "%llu ", (unsigned long long)value);
  unsigned char bytes[sizeof(T)];
  memcpy(bytes, &value, sizeof(T));
  std::string text = std::string(number) + "(0x";
  for (size_t i = sizeof(T); i-- > 0;) {
    snprintf(number, sizeof number, "%02x", bytes[i]);
    text += number;
  }
  return text + ")";
}

// NaNs are equal whatever their payload.
template <class T> bool same(const T &a, const T &b) {
  if constexpr (std::is_floating_point<T>::value)
    if (a != a || b != b)
      return a != a && b != b;
  return memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
void equal(const char *what, int line, long long index, const T &found,
           const T &expected) {
  if (same(found, expected) || ++failures() > 10)
    return;
  printf("line %d: %s", line, what);
  if (index >= 0)
    printf(" [%lld]", index);
  printf(": found %s, expected %s\n", show(found).c_str(), show(expected).c_str());
}

inline void truth(const char *what, int line, bool value) {
  if (!value && ++failures() <= 10)
    printf("line %d: not true: %s\n", line, what);
}

inline void cuda(const char *what, int line, cudaError_t found, cudaError_t expected) {
  if (found == expected || ++failures() > 10)
    return;
  printf("line %d: %s: found %s, expected %s\n", line, what, cudaGetErrorName(found),
         cudaGetErrorName(expected));
}

// The verdict; what main returns.
inline int finish(const char *name) {
  if (failures())
    printf("FAILED %s: %d mismatches\n", name, failures());
  else
    printf("PASSED %s\n", name);
  fflush(stdout);
  return failures() ? 1 : 0;
}

// What main returns where the device lacks what the program is about.
inline int skip(const char *reason) {
  if (failures())
    return finish(reason);
  printf("SKIPPED %s\n", reason);
  return 77;
}

// A number from the environment.
inline long setting(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? atol(text) : otherwise;
}

// Whether the device is a simulated one: they run litmus tests seldom.
inline bool isSlow() {
  static const bool slow = setting("HET_LITMUS_RUNS", 1 << 20) <= 2000;
  return slow;
}

// Pseudorandom bits, the same everywhere.
inline unsigned random(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// An array on the device, zero at first, with its copy here.
template <class T> class Array {
  T *device = nullptr;

public:
  std::vector<T> host;

  explicit Array(size_t count) : host(count) {
    cudaError_t error = cudaMalloc(&device, count * sizeof(T));
    if (error != cudaSuccess) { // nothing after it would tell more
      cuda("cudaMalloc", __LINE__, error, cudaSuccess);
      exit(finish("cudaMalloc"));
    }
    cuda("cudaMemset", __LINE__, cudaMemset(device, 0, count * sizeof(T)), cudaSuccess);
  }
  explicit Array(const std::vector<T> &values) : Array(values.size()) {
    host = values;
    put();
  }
  Array(const Array &) = delete;
  ~Array() { cudaFree(device); }
  operator T *() { return device; }
  size_t size() const { return host.size(); }
  void put() {
    cuda("cudaMemcpy", __LINE__,
         cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
         cudaSuccess);
  }
  // Waits for the kernels before it, then fetches what they wrote.
  std::vector<T> &get() {
    cuda("kernel launch", __LINE__, cudaGetLastError(), cudaSuccess);
    cuda("kernel", __LINE__, cudaDeviceSynchronize(), cudaSuccess);
    cuda("cudaMemcpy", __LINE__,
         cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost),
         cudaSuccess);
    return host;
  }
  void fill(T value) {
    for (T &element : host)
      element = value;
    put();
  }
};

} // namespace check

#define CHECK_EQ(found, expected)                                                        \
  ::check::equal<std::decay_t<decltype(found)>>(#found, __LINE__, -1, found, expected)
#define CHECK_AT(index, found, expected)                                                 \
  ::check::equal<std::decay_t<decltype(found)>>(#found, __LINE__, index, found, expected)
#define CHECK_TRUE(...) ::check::truth(#__VA_ARGS__, __LINE__, __VA_ARGS__)
#define CUDA(...) ::check::cuda(#__VA_ARGS__, __LINE__, __VA_ARGS__, cudaSuccess)
#define CUDA_ERROR(call, error) ::check::cuda(#call, __LINE__, call, error)
// After a launch: it was accepted, and it ran to its end.
#define CUDA_DONE()                                                                      \
  do {                                                                                   \
    CUDA(cudaGetLastError());                                                            \
    CUDA(cudaDeviceSynchronize());                                                       \
  } while (0)

#endif // CONFORMANCE_CHECK_H
