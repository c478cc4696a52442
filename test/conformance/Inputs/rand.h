// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs about cuRAND's host interface share: generators on the device and in the
// program's memory, called in pieces whose sizes fit nothing.

#ifndef CONFORMANCE_RAND_H
#define CONFORMANCE_RAND_H

#include "check.h"
#include <curand.h>

#define RAND(...) CHECK_EQ(__VA_ARGS__, CURAND_STATUS_SUCCESS)
#define RAND_ERROR(call, status) CHECK_EQ(call, status)

namespace rnd {

/// A generator for the length of a scope.
struct Generator {
  curandGenerator_t generator = nullptr;
  bool host;
  Generator(curandRngType_t type, bool host) : host(host) {
    RAND(host ? curandCreateGeneratorHost(&generator, type)
              : curandCreateGenerator(&generator, type));
  }
  Generator(const Generator &) = delete;
  ~Generator() { RAND(curandDestroyGenerator(generator)); }
  operator curandGenerator_t() const { return generator; }
};

/// Results of calls for so many each, one after the other in memory.
template <class T, class Call>
std::vector<T> generate(const Generator &generator, const std::vector<size_t> &sizes,
                        const Call &call) {
  size_t all = 0;
  for (size_t size : sizes)
    all += size;
  check::Array<T> device(all);
  T *place = generator.host ? device.host.data() : static_cast<T *>(device);
  for (size_t size : sizes) {
    RAND(call(generator, place, size));
    place += size;
  }
  return generator.host ? device.host : device.get();
}

template <class T>
void compare(const std::vector<T> &found, const std::vector<T> &expected) {
  CHECK_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size() && i < expected.size(); ++i)
    CHECK_AT(static_cast<long long>(i), found[i], expected[i]);
}

} // namespace rnd

#endif // CONFORMANCE_RAND_H
