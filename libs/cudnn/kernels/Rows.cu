// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block for each set of elements that belong together: reductions and softmax.

#include "Common.cuh"

#include <cudnn.h>

namespace het::dnn {
namespace {

template <class C> __device__ C beginOf(int op, C first) {
  switch (op) {
  case CUDNN_REDUCE_TENSOR_MUL:
  case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
    return 1;
  case CUDNN_REDUCE_TENSOR_MIN:
  case CUDNN_REDUCE_TENSOR_MAX:
    return first;
  default:
    return 0;
  }
}

template <class C> __device__ C prepare(int op, C value) {
  switch (op) {
  case CUDNN_REDUCE_TENSOR_AMAX:
  case CUDNN_REDUCE_TENSOR_NORM1:
    return value < 0 ? -value : value;
  case CUDNN_REDUCE_TENSOR_NORM2:
    return value * value;
  case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
    return value == 0 ? C(1) : value;
  default:
    return value;
  }
}

template <class C>
__device__ C combine(int op, C a, C b, bool propagatesNan) {
  switch (op) {
  case CUDNN_REDUCE_TENSOR_MUL:
  case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
    return a * b;
  case CUDNN_REDUCE_TENSOR_MIN:
    return lesserOf(a, b, propagatesNan);
  case CUDNN_REDUCE_TENSOR_MAX:
  case CUDNN_REDUCE_TENSOR_AMAX:
    return greaterOf(a, b, propagatesNan);
  default:
    return a + b;
  }
}

template <class T> __global__ void reduceKernel(Reduction work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const int64_t number = blockNumber();
  if (number >= work.kept.count)
    return;
  const int64_t base = placeOf(work.kept, work.keptOfA, number);
  const auto value = [&](int64_t i) {
    return load<T>(work.a.data, base + placeOf(work.reduced, work.a, i));
  };
  C result = beginOf(work.op, value(0));
  for (int64_t i = threadIdx.x; i < work.reduced.count; i += threads)
    result = combine(work.op, result, prepare(work.op, value(i)), work.propagatesNan);
  const int op = work.op;
  const bool propagatesNan = work.propagatesNan;
  result = combineBlock(result, shared, [=](C a, C b) {
    return combine(op, a, b, propagatesNan);
  });
  if (op == CUDNN_REDUCE_TENSOR_AVG)
    result /= static_cast<C>(work.reduced.count);
  if (op == CUDNN_REDUCE_TENSOR_NORM2)
    result = sqrt(result);
  if (threadIdx.x == 0)
    put<T>(work.y, placeOf(work.kept, work.y, number), result, work.blend);
}

template <class T> __global__ void softmaxKernel(Rows work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const int64_t number = blockNumber();
  if (number >= work.rows.count)
    return;
  const int64_t base = placeOf(work.rows, work.x, number);
  const int64_t result = placeOf(work.rows, work.y, number);
  const auto value = [&](int64_t i) {
    return load<T>(work.x.data, base + placeOf(work.row, work.rowOfX, i));
  };
  C most = 0;
  if (work.algorithm != CUDNN_SOFTMAX_FAST) {
    most = value(0);
    for (int64_t i = threadIdx.x; i < work.row.count; i += threads) {
      const C x = value(i);
      most = x > most ? x : most;
    }
    most = combineBlock(most, shared, [](C a, C b) { return b > a ? b : a; });
  }
  C sum = 0;
  for (int64_t i = threadIdx.x; i < work.row.count; i += threads)
    sum += exp(value(i) - most);
  sum = sumOfBlock(sum, shared);
  const C logarithm = log(sum);
  for (int64_t i = threadIdx.x; i < work.row.count; i += threads) {
    const C x = value(i) - most;
    put<T>(work.y, result + placeOf(work.row, work.rowOfY, i),
           work.algorithm == CUDNN_SOFTMAX_LOG ? x - logarithm : exp(x) / sum, work.blend);
  }
}

template <class T> __global__ void softmaxBackwardKernel(Rows work) {
  using C = Computed<T>;
  __shared__ C shared[threads];
  const int64_t number = blockNumber();
  if (number >= work.rows.count)
    return;
  const int64_t baseX = placeOf(work.rows, work.x, number);
  const int64_t baseDy = placeOf(work.rows, work.dy, number);
  const int64_t result = placeOf(work.rows, work.y, number);
  const bool isLog = work.algorithm == CUDNN_SOFTMAX_LOG;
  C sum = 0;
  for (int64_t i = threadIdx.x; i < work.row.count; i += threads) {
    const C dy = load<T>(work.dy.data, baseDy + placeOf(work.row, work.rowOfDy, i));
    const C y = load<T>(work.x.data, baseX + placeOf(work.row, work.rowOfX, i));
    sum += isLog ? dy : dy * y;
  }
  sum = sumOfBlock(sum, shared);
  for (int64_t i = threadIdx.x; i < work.row.count; i += threads) {
    const C dy = load<T>(work.dy.data, baseDy + placeOf(work.row, work.rowOfDy, i));
    const C y = load<T>(work.x.data, baseX + placeOf(work.row, work.rowOfX, i));
    put<T>(work.y, result + placeOf(work.row, work.rowOfY, i),
           isLog ? dy - exp(y) * sum : y * (dy - sum), work.blend);
  }
}

} // namespace

cudaError_t reduceElements(const Reduction &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    reduceKernel<decltype(t)><<<gridOf(work.kept.count), threads, 0, stream>>>(work);
  });
}

cudaError_t softmax(const Rows &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    softmaxKernel<decltype(t)><<<gridOf(work.rows.count), threads, 0, stream>>>(work);
  });
}

cudaError_t softmaxBackward(const Rows &work, Type type, cudaStream_t stream) {
  return withType(type, [&](auto t) {
    softmaxBackwardKernel<decltype(t)><<<gridOf(work.rows.count), threads, 0, stream>>>(work);
  });
}

} // namespace het::dnn
