// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the axes of a problem are divided into passes, before it is known where numbers lie
// between them.

#ifndef HET_LIBS_CUFFT_STAGES_H
#define HET_LIBS_CUFFT_STAGES_H

#include "Problem.h"

#include <vector>

namespace het::fft {

/// Which half of Bluestein's algorithm a pass belongs to.
enum class Convolution { None, Forward, Backward };

struct Stage {
  int axis = 0;
  Index n = 1;      ///< Points of the axis.
  Index length = 1; ///< Of the transform that is computed: n, or more by Bluestein's.
  Index done = 1;   ///< Product of the radices before this one.
  int radix = 1;
  bool pairs = false; ///< Its points are pairs of real numbers, n of them.
  Convolution convolution = Convolution::None;
  bool beginsAxis = false, endsAxis = false;
  /// Numbers along each axis after this stage.
  Index sizes[maxRank] = {1, 1, 1};

  bool beginsLength() const { return done == 1; }
  bool endsLength() const { return done * radix == length; }
  /// All points of a line are in a tile at once.
  bool isWhole() const { return radix == length && convolution == Convolution::None; }
};

/// False if an axis is too long.
bool makeStages(const Problem &problem, std::vector<Stage> &stages);
/// The small radices of one that a tile holds.
std::vector<int> stepsOf(int radix);

} // namespace het::fft

#endif // HET_LIBS_CUFFT_STAGES_H
