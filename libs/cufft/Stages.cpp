// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division into passes. An axis that a tile holds is one pass. A longer one is several of
// at most 256 points, so that a tile has neighbouring lines enough for whole pieces of
// memory. One with a prime factor above 13 is a convolution (Bluestein's algorithm).

#include "Stages.h"

#include <algorithm>

namespace het::fft {

namespace {

constexpr Index largestRadix = 256, mostAcross = 512;
/// Twiddles' exponents have 32 bits.
constexpr Index longestAxis = Index(1) << 31;

bool isSmooth(Index n) {
  for (int prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0)
      n /= prime;
  return n == 1;
}

/// Divides n into `count` factors as equal as may be, greatest first.
bool divide(Index n, int count, std::vector<int> &radices) {
  if (count == 1) {
    if (n <= largestRadix)
      radices.push_back(static_cast<int>(n));
    return n <= largestRadix;
  }
  Index least = 1;
  const auto power = [&](Index base) {
    Index result = 1;
    for (int i = 0; i < count && result < n; ++i)
      result *= base;
    return result;
  };
  while (power(least) < n)
    ++least;
  for (Index radix = least; radix <= largestRadix; ++radix) {
    if (n % radix)
      continue;
    radices.push_back(static_cast<int>(radix));
    if (divide(n / radix, count - 1, radices))
      return true;
    radices.pop_back();
  }
  return false;
}

std::vector<int> radicesOf(Index length, Index most) {
  if (length <= most)
    return {static_cast<int>(length)};
  std::vector<int> radices;
  for (int count = 2; !divide(length, count, radices); ++count)
    radices.clear();
  return radices;
}

/// A transform of `length` points along an axis, as part of what computes n.
void addTransform(const Stage &kind, Index most, std::vector<Stage> &stages) {
  Stage stage = kind;
  stage.done = 1;
  for (int radix : radicesOf(kind.length, most)) {
    stage.radix = radix;
    stages.push_back(stage);
    stage.done *= radix;
  }
}

/// Whether real numbers are taken by twos, as complex ones. Forwards the points of two
/// pairs make one of the result, so a tile has to hold a line.
bool takesPairs(const Problem &problem, int axis, Index most) {
  const Index n = problem.n[axis];
  return axis == problem.rank - 1 && n % 2 == 0 && isSmooth(n) &&
         (problem.in.form == Form::Hermitian ||
          (problem.in.form == Form::Real && n / 2 <= most));
}

bool addAxis(const Problem &problem, int axis, std::vector<Stage> &stages) {
  const size_t first = stages.size();
  const Index most = axis < problem.rank - 1 ? mostAcross
                     : problem.doubles       ? tilePoints<double>
                                             : tilePoints<float>;
  Stage stage;
  stage.axis = axis;
  stage.n = stage.length = problem.n[axis];
  if (stage.n > longestAxis)
    return false;
  if (takesPairs(problem, axis, most)) {
    stage.pairs = true;
    stage.n = stage.length = problem.n[axis] / 2;
  }
  if (isSmooth(stage.n)) {
    addTransform(stage, most, stages);
  } else {
    stage.length = 1;
    while (stage.length < 2 * stage.n - 1)
      stage.length *= 2;
    if (stage.length > longestAxis)
      return false;
    for (Convolution half : {Convolution::Forward, Convolution::Backward}) {
      stage.convolution = half;
      addTransform(stage, most, stages);
    }
  }
  stages[first].beginsAxis = true;
  stages.back().endsAxis = true;
  return true;
}

} // namespace

bool makeStages(const Problem &problem, std::vector<Stage> &stages) {
  const int last = problem.rank - 1;
  // Real points are along the last axis, which is the first of a transform from them, and
  // the last of one to them.
  const bool backwards = problem.in.form != Form::Hermitian;
  const bool real = problem.in.form != Form::Complex || problem.out.form != Form::Complex;
  for (int i = 0; i < problem.rank; ++i) {
    const int axis = backwards ? last - i : i;
    // An axis of one point changes nothing but the type of numbers.
    const bool needed =
        problem.n[axis] > 1 || (real && axis == last) || (i == last && stages.empty());
    if (needed && !addAxis(problem, axis, stages))
      return false;
  }
  Index sizes[maxRank];
  for (int axis = 0; axis < maxRank; ++axis)
    sizes[axis] = axis < problem.rank ? problem.sizeOf(problem.in, axis) : 1;
  for (Stage &stage : stages) {
    sizes[stage.axis] =
        stage.endsAxis ? problem.sizeOf(problem.out, stage.axis) : stage.length;
    if (stage.endsAxis && stage.axis < last)
      sizes[stage.axis] = problem.n[stage.axis];
    std::copy(sizes, sizes + maxRank, stage.sizes);
  }
  return true;
}

std::vector<int> stepsOf(int radix) {
  std::vector<int> steps;
  for (int prime : {13, 11, 7, 5, 3})
    for (; radix % prime == 0; radix /= prime)
      steps.push_back(prime);
  for (; radix % 8 == 0 && radix != 16; radix /= 8)
    steps.push_back(8);
  for (; radix % 4 == 0; radix /= 4)
    steps.push_back(4);
  if (radix == 2)
    steps.push_back(2);
  return steps;
}

} // namespace het::fft
