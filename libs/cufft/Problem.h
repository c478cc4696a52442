// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plan is to compute: sizes, types and where numbers lie, as a program said.

#ifndef HET_LIBS_CUFFT_PROBLEM_H
#define HET_LIBS_CUFFT_PROBLEM_H

#include "Kernels.h"

#pragma GCC visibility push(default)
#include <cufftXt.h>
#pragma GCC visibility pop

namespace het::fft {

constexpr int maxRank = 3;

/// Distances in numbers as that side has them, real or complex.
struct Layout {
  Index step[maxRank] = {};
  Index distance = 0; ///< Between transforms of the batch.
  friend bool operator==(const Layout &a, const Layout &b) {
    for (int i = 0; i < maxRank; ++i)
      if (a.step[i] != b.step[i])
        return false;
    return a.distance == b.distance;
  }
};

struct Side {
  Form form = Form::Complex;
  Storage storage = Storage::Plain;
  Layout layout;
};

struct Problem {
  bool doubles = false;
  int rank = 1;
  Index n[maxRank] = {1, 1, 1};
  Index batch = 1;
  bool dense = true; ///< Layouts are the default ones.
  Side in, out;

  /// Numbers that a side has along an axis.
  Index sizeOf(const Side &side, int axis) const {
    return side.form == Form::Hermitian && axis == rank - 1 ? n[axis] / 2 + 1 : n[axis];
  }
  /// The same for one array: in the default layout real rows are as long as complex ones.
  Problem inPlace() const;
};

/// How a program describes a side; no `embed` means the default layout.
struct Embedding {
  const Index *embed = nullptr;
  Index stride = 1, distance = 0;
};

/// The forms and precision of a type of transform.
cufftResult setType(cufftType type, Problem &problem);
cufftResult setTypes(cudaDataType in, cudaDataType out, cudaDataType execution,
                     Problem &problem);
/// Sizes and layouts, after the type.
cufftResult setSizes(int rank, const Index *n, const Embedding &in, const Embedding &out,
                     Index batch, Problem &problem);

} // namespace het::fft

#endif // HET_LIBS_CUFFT_PROBLEM_H
