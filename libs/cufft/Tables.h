// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of a plan: computed on the host when the plan is made, rounded once, and kept
// in one piece of device memory.

#ifndef HET_LIBS_CUFFT_TABLES_H
#define HET_LIBS_CUFFT_TABLES_H

#include "Kernels.h"

#include <vector>

namespace het::fft {

/// What a table holds.
struct Table {
  enum Kind {
    None,
    Roots,    ///< exp(-2 pi i x stride / n) for x below `count`.
    Chirp,    ///< exp(-pi i x^2 / n) for x below n: the factors of Bluestein's algorithm.
    Spectrum, ///< The transform of `count` points of the chirp's inverse, over `count`.
  } kind = None;
  Index n = 0, count = 0, stride = 1;

  friend bool operator==(const Table &a, const Table &b) {
    return a.kind == b.kind && a.n == b.n && a.count == b.count && a.stride == b.stride;
  }
};

class Tables {
public:
  Tables() = default;
  Tables(const Tables &) = delete;
  ~Tables();

  void add(const Table &table);
  /// Computes all that were added and copies them to the current device.
  template <class R> cudaError_t upload();
  /// Where one lies on the device; null for none.
  const void *find(const Table &table) const;

private:
  struct Entry {
    Table table;
    size_t offset;
  };
  std::vector<Entry> entries;
  char *memory = nullptr;
};

} // namespace het::fft

#endif // HET_LIBS_CUFFT_TABLES_H
