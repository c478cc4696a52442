// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and layouts. cuFFT documentation: 2.4 to 2.6, data layouts.

#include "Problem.h"

#include <cstdint>

namespace het::fft {

namespace {

/// Rows one after another; a row of `last` numbers.
Layout denseLayout(const Problem &problem, const Side &side, Index last) {
  Layout layout;
  Index step = 1;
  for (int axis = problem.rank - 1; axis >= 0; --axis) {
    layout.step[axis] = step;
    step *= axis == problem.rank - 1 ? last : problem.sizeOf(side, axis);
  }
  layout.distance = step;
  return layout;
}

bool embeds(int rank, const Embedding &given, Index batch, Layout &layout) {
  Index step = given.stride;
  for (int axis = rank - 1; axis >= 0; --axis) {
    layout.step[axis] = step;
    if (given.embed[axis] < 1 && axis)
      return false;
    step *= given.embed[axis];
  }
  layout.distance = given.distance;
  return given.stride >= 1 && given.distance >= 0 && (batch == 1 || given.distance);
}

void setForms(Form in, Form out, Problem &problem) {
  problem.in.form = in;
  problem.out.form = out;
}

struct Number {
  bool real;
  cudaDataType complex; ///< That has such parts.
};

bool describe(cudaDataType type, Number &number) {
  switch (type) {
  case CUDA_R_16F:
  case CUDA_C_16F:
    number = {type == CUDA_R_16F, CUDA_C_16F};
    return true;
  case CUDA_R_16BF:
  case CUDA_C_16BF:
    number = {type == CUDA_R_16BF, CUDA_C_16BF};
    return true;
  case CUDA_R_32F:
  case CUDA_C_32F:
    number = {type == CUDA_R_32F, CUDA_C_32F};
    return true;
  case CUDA_R_64F:
  case CUDA_C_64F:
    number = {type == CUDA_R_64F, CUDA_C_64F};
    return true;
  default:
    return false;
  }
}

} // namespace

Problem Problem::inPlace() const {
  Problem other = *this;
  const Index padded = 2 * (n[rank - 1] / 2 + 1);
  for (Side *side : {&other.in, &other.out})
    if (dense && side->form == Form::Real)
      side->layout = denseLayout(*this, *side, padded);
  return other;
}

cufftResult setType(cufftType type, Problem &problem) {
  switch (type) {
  case CUFFT_C2C:
  case CUFFT_Z2Z:
    setForms(Form::Complex, Form::Complex, problem);
    break;
  case CUFFT_R2C:
  case CUFFT_D2Z:
    setForms(Form::Real, Form::Hermitian, problem);
    break;
  case CUFFT_C2R:
  case CUFFT_Z2D:
    setForms(Form::Hermitian, Form::Real, problem);
    break;
  default:
    return CUFFT_INVALID_VALUE;
  }
  problem.doubles = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
  return CUFFT_SUCCESS;
}

cufftResult setTypes(cudaDataType in, cudaDataType out, cudaDataType execution,
                     Problem &problem) {
  Number from, to;
  if (!describe(in, from) || !describe(out, to) || from.complex != execution ||
      to.complex != execution || (from.real && to.real))
    return CUFFT_INVALID_VALUE;
  setForms(from.real ? Form::Real
           : to.real ? Form::Hermitian
                     : Form::Complex,
           to.real     ? Form::Real
           : from.real ? Form::Hermitian
                       : Form::Complex,
           problem);
  problem.doubles = execution == CUDA_C_64F;
  problem.in.storage = problem.out.storage = execution == CUDA_C_16F    ? Storage::Half
                                             : execution == CUDA_C_16BF ? Storage::BFloat
                                                                        : Storage::Plain;
  return CUFFT_SUCCESS;
}

cufftResult setSizes(int rank, const Index *n, const Embedding &in, const Embedding &out,
                     Index batch, Problem &problem) {
  if (rank < 1 || rank > maxRank || !n)
    return CUFFT_INVALID_VALUE;
  if (batch < 1)
    return CUFFT_INVALID_SIZE;
  problem.rank = rank;
  problem.batch = batch;
  Index points = batch;
  for (int axis = 0; axis < rank; ++axis) {
    problem.n[axis] = n[axis];
    // What a device could hold at all; products of sizes stay in 64 bits.
    if (n[axis] < 1 || n[axis] > (Index(1) << 48) / points)
      return CUFFT_INVALID_SIZE;
    points *= n[axis];
  }
  problem.dense = !in.embed || !out.embed;
  if (!problem.dense)
    return embeds(rank, in, batch, problem.in.layout) &&
                   embeds(rank, out, batch, problem.out.layout)
               ? CUFFT_SUCCESS
               : CUFFT_INVALID_VALUE;
  for (Side *side : {&problem.in, &problem.out})
    side->layout = denseLayout(problem, *side, problem.sizeOf(*side, rank - 1));
  return CUFFT_SUCCESS;
}

} // namespace het::fft
