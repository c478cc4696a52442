// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of which hetcc's devices know nothing (Unsupported.def). One about a
// device that NVIDIA's library knows is handed over to it. All arguments of NVML's
// functions are integers and addresses, at most six; so the headers, which give each
// function a type of its own, must not be included here.

#include <cstdint>

namespace het::nvml {

using Word = uintptr_t;

Word handOverAny(const char *name, Word device, Word b, Word c, Word d, Word e, Word f);
Word refuseAny(const char *name);

} // namespace het::nvml

using het::nvml::Word;

#define HET_NVML_OF_DEVICE(name)                                                         \
  extern "C" __attribute__((visibility("default"))) int name(Word a, Word b, Word c,     \
                                                             Word d, Word e, Word f) {   \
    return static_cast<int>(het::nvml::handOverAny(#name, a, b, c, d, e, f));            \
  }
#define HET_NVML_OTHER(name)                                                             \
  extern "C" __attribute__((visibility("default"))) int name() {                         \
    return static_cast<int>(het::nvml::refuseAny(#name));                                \
  }
#include "Unsupported.def"
