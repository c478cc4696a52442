// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The portable kernels, and what they are given. A launch only puts work into a stream.
// T is float, double, Complex32 or Complex64. Matrices have a distance between rows and
// one between columns, so a transposed matrix is one whose distances are swapped.

#ifndef HET_LIBS_CUBLAS_KERNELS_H
#define HET_LIBS_CUBLAS_KERNELS_H

#include "Numbers.h"

#include <cstddef>
#include <driver_types.h>
#include <library_types.h>

namespace het::blas {

/// A factor: a value, or where on the device it lies (if so, of which type).
template <class T> struct Scalar {
  T value = T(0);
  const void *place = nullptr;
  cudaDataType type = CUDA_R_32F; ///< Of what is at `place`, where T is float.
  bool real = false;              ///< T is complex, and what is at `place` is not.
  bool conjugated = false;
};

/// Elements with a distance. Of `type` where T is float.
struct Vector {
  void *base = nullptr;
  Index increment = 1; ///< Negative: element 0 is the last in memory.
  cudaDataType type = CUDA_R_32F;
};

/// What elements that a matrix does not store are.
enum class Shape : int {
  General,   ///< There are none.
  Symmetric, ///< As those across the diagonal.
  Hermitian, ///< The same, conjugated; the diagonal is real.
  Triangle,  ///< Zero.
};

enum class Part : int { All, Lower, Upper };

HET_BOTH inline Part flipped(Part part) {
  return part == Part::Lower ? Part::Upper : part == Part::Upper ? Part::Lower : part;
}

/// A matrix, or many of them: one each `stride` elements, or each where `array` says.
struct Matrix {
  void *base = nullptr;
  void *const *array = nullptr; ///< On the device.
  Index offset = 0;             ///< Of the first element, in elements.
  Index stride = 0;
  Index rowStep = 1, columnStep = 1;
  cudaDataType type = CUDA_R_32F; ///< Where T is float or int.
  bool conjugated = false;
};

/// An operand of which only a part may be stored.
struct Operand : Matrix {
  Shape shape = Shape::General;
  Part part = Part::All; ///< Which is stored.
  bool unit = false;     ///< The diagonal is 1, whatever is stored.
};

/// What happens to elements of a product before they are stored, as cublasLt has it.
enum EpilogueStep : int {
  AddBias = 1,
  Relu = 2,
  Gelu = 4,
  StoreAux = 8,      ///< GELU: what goes into it; RELU: a bit for each that was positive.
  ReluGradient = 16, ///< By the bits.
  GeluGradient = 32, ///< By what went into it.
};

struct Epilogue {
  int steps = 0;
  const void *bias = nullptr; ///< One for each row (column if `biasOfColumns`).
  cudaDataType biasType = CUDA_R_32F;
  Index biasStride = 0;
  bool biasOfColumns = false;
  void *aux = nullptr;
  cudaDataType auxType = CUDA_R_32F;
  Index auxStep = 0, auxStride = 0; ///< Between columns; between matrices.
};

/// D = alpha A B + beta C, of which `part` is stored.
template <class T> struct Product {
  Index m = 0, n = 0, k = 0, batch = 1;
  Scalar<T> alpha, beta;
  Operand a, b;
  Matrix c, d;
  Part part = Part::All;
  bool realDiagonal = false;
  Epilogue epilogue;
};

/// Also for T = int: products of int8_t, with sums of int.
template <class T> cudaError_t multiply(const Product<T> &product, cudaStream_t stream);

/// How a matrix lies in memory.
enum class Storage : int { Full, Band, Packed };

/// A matrix that vectors are multiplied with.
struct VectorOperand : Operand {
  Storage storage = Storage::Full;
  Index below = 0, above = 0; ///< Diagonals of a band, as stored.
  Index size = 0;             ///< Rows, as stored; of a packed one.
  bool transposed = false;    ///< After it was read; not for Storage::Full.
};

/// y = alpha A x + beta y, with A of m rows and n columns.
template <class T> struct VectorProduct {
  Index m = 0, n = 0, batch = 1;
  Scalar<T> alpha, beta;
  VectorOperand a;
  Vector x, y;
  void *const *xArray = nullptr, *const *yArray = nullptr;
  Index xStride = 0, yStride = 0;
};
template <class T>
cudaError_t multiplyVector(const VectorProduct<T> &product, cudaStream_t stream);

/// Solves A x = b in place; A is a triangle of n rows.
template <class T>
cudaError_t solveVector(Index n, const VectorOperand &a, Vector x, cudaStream_t stream);

/// A += alpha x y^T, and alpha' y x^T (both conjugated as said) for `twice`.
template <class T> struct RankUpdate {
  Index m = 0, n = 0;
  Scalar<T> alpha;
  Vector x, y;
  VectorOperand a; ///< `part` says what is changed.
  bool conjugateSecond = false, conjugateAlpha = false, twice = false,
       realDiagonal = false;
};
template <class T>
cudaError_t updateRank(const RankUpdate<T> &update, cudaStream_t stream);

/// Solves op(A) X = alpha B in place for a triangle A of at most `solveRows` rows.
constexpr int solveRows = 32;
template <class T> struct SmallSolve {
  Index rows = 0, columns = 0, batch = 1;
  Scalar<T> alpha;
  Operand a;
  Matrix b;
};
template <class T>
cudaError_t solveSmall(const SmallSolve<T> &solve, cudaStream_t stream);

/// Element by element.
enum class VectorStep { Copy, Swap, Scale, AddScaled };
template <class T>
cudaError_t changeVectors(VectorStep step, Index n, Scalar<T> alpha, Vector x, Vector y,
                          cudaStream_t stream);
/// (x, y) = (c x + s y, c y - conj(s) x).
template <class T>
cudaError_t rotate(Index n, Vector x, Vector y, Scalar<T> c, Scalar<T> s,
                   cudaStream_t stream);
/// `param` lies on the device if `values` is null.
template <class T>
cudaError_t rotateModified(Index n, Vector x, Vector y, const T *values, const T *param,
                           cudaStream_t stream);
/// On the device, one thread: what the host does where scalars lie there.
template <class T>
cudaError_t makeRotation(T *a, T *b, Real<T> *c, T *s, cudaStream_t stream);
template <class T>
cudaError_t makeModifiedRotation(T *d1, T *d2, T *x1, const T *y1, T *param,
                                 cudaStream_t stream);

/// Sums and the like. The order in which numbers are added depends on n alone, so results
/// have the same bits everywhere. `partials` has room for `reductionBytes`.
constexpr size_t reductionBytes = 64 << 10;
enum class Reduction { Dot, DotConjugated, Sum, Norm };
/// `result` is a T for Dot, a Real<T> for others; where T is float, of `type`.
template <class T>
cudaError_t reduce(Reduction how, Index n, Vector x, Vector y, void *partials,
                   void *result, cudaDataType type, cudaStream_t stream);
/// The first of the elements with the greatest or least absolute value, from 1; 0 if
/// there are none.
template <class T>
cudaError_t findExtreme(bool greatest, Index n, Vector x, void *partials, void *result,
                        bool wide, cudaStream_t stream);

/// C = alpha op(A) + beta op(B).
template <class T>
cudaError_t addMatrices(Index m, Index n, Scalar<T> alpha, const Matrix &a,
                        Scalar<T> beta, const Matrix &b, const Matrix &c,
                        cudaStream_t stream);
/// C = diag(x) A, or A diag(x).
template <class T>
cudaError_t scaleByDiagonal(bool rows, Index m, Index n, const Matrix &a, Vector x,
                            const Matrix &c, cudaStream_t stream);
/// Between a packed triangle and a full one.
template <class T>
cudaError_t repack(bool pack, bool upper, Index n, T *packed, T *full, Index step,
                   cudaStream_t stream);

/// LU factors in place, with rows exchanged (counted from 1 in `pivots`, n for each
/// matrix) unless `pivots` is null; `info`: the first zero on the diagonal, from 1.
template <class T>
cudaError_t factor(int n, T *const *a, Index step, int *pivots, int *info, Index batch,
                   cudaStream_t stream);
/// Exchanges rows of B as `pivots` says, or undoes that.
template <class T>
cudaError_t exchangeRows(int n, int columns, T *const *b, Index step, const int *pivots,
                         bool undo, Index batch, cudaStream_t stream);
/// B = the identity; `info`: the first zero on A's diagonal, from 1.
template <class T>
cudaError_t setIdentity(int n, T *const *b, Index step, const T *const *a, Index stepA,
                        int *info, Index batch, cudaStream_t stream);
/// Copies many matrices to others that lie one after another, and notes where.
template <class T>
cudaError_t copyMatrices(int rows, int columns, const T *const *a, Index step, T *to,
                         T **places, Index batch, cudaStream_t stream);

/// Sums of D's rows (cublasLt's gradient of a bias).
template <class T>
cudaError_t sumRows(Index rows, Index columns, const Matrix &a, void *result,
                    cudaDataType type, Index stride, Index batch, cudaStream_t stream);

} // namespace het::blas

#endif // HET_LIBS_CUBLAS_KERNELS_H
