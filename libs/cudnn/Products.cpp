// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution is a product of the filters and of a matrix of what is in the windows,
// for each image and group. Images are taken as many at a time as the memory holds.

#include "Products.h"

#include <algorithm>
#include <cublas_v2.h>

namespace het::dnn {
namespace {

/// More memory than this does not make products faster.
constexpr size_t enoughMemory = 32u << 20;

int64_t volume(const int *sizes) { return int64_t(sizes[0]) * sizes[1] * sizes[2]; }

/// Matrices that are added up are of the type that is computed in.
size_t computedWidth(Type type) { return type == Type::Double ? 8 : 4; }

size_t widthOf(Type type) {
  return type == Type::Double ? 8 : type == Type::Float ? 4 : 2;
}

cudaDataType_t dataTypeOf(Type type) {
  constexpr cudaDataType_t types[] = {CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_16BF};
  return types[static_cast<int>(type)];
}

/// Matrices of cuBLAS have neighbours in columns; those here are named by their rows.
class Products {
public:
  Products(cublasHandle_t blas, Direction direction, const Convolution &work, Type type,
           char *memory)
      : blas(blas), direction(direction), work(work), type(type), memory(memory),
        width(widthOf(type)), outs(volume(work.windows.out)),
        taps(volume(work.windows.window)),
        rows(work.windows.channels / work.groups * taps),
        filters(work.outputs / work.groups) {}

  cublasStatus_t run(int first, int images) const {
    for (int group = 0; group < work.groups; ++group)
      if (cublasStatus_t status = multiply(first, images, group))
        return status;
    return CUBLAS_STATUS_SUCCESS;
  }

private:
  cublasStatus_t multiply(int first, int images, int group) const {
    const char *w = at(work.w.data, int64_t(group) * filters * rows);
    const int64_t imageOfY = int64_t(work.outputs) * outs;
    const char *y = at(work.y.data, first * imageOfY + group * filters * outs);
    char *columns =
        memory + group * rows * outs *
                     (direction == Direction::ToData ? computedWidth(type) : width);
    const int64_t imageOfColumns = work.groups * rows * outs;
    if (direction == Direction::Forward)
      return call(CUBLAS_OP_N, CUBLAS_OP_N, outs, filters, rows, columns, outs,
                  imageOfColumns, w, rows, 0, const_cast<char *>(y), outs, imageOfY,
                  images, work.blend);
    if (direction == Direction::ToData)
      return call(CUBLAS_OP_N, CUBLAS_OP_T, outs, rows, filters, y, outs, imageOfY, w,
                  rows, 0, columns, outs, imageOfColumns, images, Blend(), true);
    // Images are added one after the other.
    for (int image = 0; image < images; ++image) {
      Blend blend = work.blend;
      if (first + image)
        blend.beta = 1;
      if (cublasStatus_t status =
              call(CUBLAS_OP_T, CUBLAS_OP_N, rows, filters, outs,
                   at(columns, image * imageOfColumns), outs, 0, at(y, image * imageOfY),
                   outs, 0, const_cast<char *>(w), rows, 0, 1, blend))
        return status;
    }
    return CUBLAS_STATUS_SUCCESS;
  }

  cublasStatus_t call(cublasOperation_t opA, cublasOperation_t opB, int64_t m, int64_t n,
                      int64_t k, const void *a, int64_t lda, int64_t strideA,
                      const void *b, int64_t ldb, int64_t strideB, void *c, int64_t ldc,
                      int64_t strideC, int count, const Blend &blend,
                      bool isComputed = false) const {
    const float narrow[] = {static_cast<float>(blend.alpha),
                            static_cast<float>(blend.beta)};
    const double wide[] = {blend.alpha, blend.beta};
    const bool isDouble = type == Type::Double;
    const void *alpha = isDouble ? static_cast<const void *>(&wide[0]) : &narrow[0];
    const void *beta = isDouble ? static_cast<const void *>(&wide[1]) : &narrow[1];
    const cudaDataType_t own = dataTypeOf(type);
    return cublasGemmStridedBatchedEx(
        blas, opA, opB, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
        alpha, a, own, static_cast<int>(lda), strideA, b, own, static_cast<int>(ldb),
        strideB, beta, c, isComputed && !isDouble ? CUDA_R_32F : own,
        static_cast<int>(ldc), strideC, count,
        isDouble ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  }

  const char *at(const void *place, int64_t elements) const {
    return static_cast<const char *>(place) + elements * static_cast<int64_t>(width);
  }
  char *at(char *place, int64_t elements) const {
    return place + elements * static_cast<int64_t>(width);
  }

  cublasHandle_t blas;
  const Direction direction;
  const Convolution &work;
  const Type type;
  char *memory;
  const size_t width;
  const int64_t outs, taps, rows, filters;
};

/// Elements of an image's matrices.
int64_t imageSize(const Convolution &work) {
  return work.windows.channels * volume(work.windows.window) * volume(work.windows.out);
}

} // namespace

size_t productsSize(Direction direction, const Convolution &work,
                    const cudnnTensorStruct &y, const cudnnFilterStruct &w) {
  int64_t next = 1;
  for (int k = y.dimensions; k--;) {
    if (y.sizes[k] > 1 && y.strides[k] != next)
      return 0;
    next *= y.sizes[k];
  }
  Type type;
  const int64_t one = imageSize(work);
  if (w.format != CUDNN_TENSOR_NCHW || !findType(y.type, type) || one > INT32_MAX)
    return 0;
  if (direction == Direction::ToFilter && work.windows.images > 1 && widthOf(type) < 4)
    return 0;
  const size_t bytes = one * computedWidth(type);
  const size_t images = std::max<size_t>(1, enoughMemory / bytes);
  return bytes * std::min<size_t>(images, work.windows.images);
}

cudnnStatus_t convolveByProducts(const char *function, cudnnHandle_t handle,
                                 Direction direction, const Convolution &work, Type type,
                                 void *memory, size_t size) {
  if (!handle->blas)
    if (cublasStatus_t status = cublasCreate(&handle->blas))
      return fail(CUDNN_STATUS_INTERNAL_ERROR, function, cublasGetStatusString(status));
  if (cublasStatus_t status = cublasSetStream(handle->blas, handle->stream))
    return fail(CUDNN_STATUS_INTERNAL_ERROR, function, cublasGetStatusString(status));
  const size_t bytes = imageSize(work) * computedWidth(type);
  const int most = static_cast<int>(std::min<size_t>(size / bytes, work.windows.images));
  const Products products(handle->blas, direction, work, type,
                          static_cast<char *>(memory));
  Columns columns;
  columns.convolution = work;
  columns.columns = memory;
  for (int first = 0; first < work.windows.images; first += most) {
    columns.first = first;
    columns.images = std::min(most, work.windows.images - first);
    cudaError_t error = cudaSuccess;
    if (direction != Direction::ToData)
      error = toColumns(columns, type, handle->stream);
    if (error != cudaSuccess)
      return launched(function, error);
    if (cublasStatus_t status = products.run(first, columns.images))
      return fail(CUDNN_STATUS_EXECUTION_FAILED, function, cublasGetStatusString(status));
    if (direction == Direction::ToData)
      error = fromColumns(columns, type, handle->stream);
    if (error != cudaSuccess)
      return launched(function, error);
  }
  return CUDNN_STATUS_SUCCESS;
}

} // namespace het::dnn
