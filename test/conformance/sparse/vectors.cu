// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's handles, descriptions, and functions of a sparse vector and a dense one; the
// order of calls in a stream, and graphs of them.

#include "Inputs/sparse.h"

using namespace sparse;

constexpr int size = 40;

template <class T, class I = int> struct SparseVector {
  std::vector<I> places;
  check::Array<I> indices;
  check::Array<T> values;
  cusparseSpVecDescr_t descr = nullptr;
  explicit SparseVector(int base)
      : places(makePlaces(base)), indices(places),
        values(numbers<T>(places.size(), 5)) {
    SPARSE(cusparseCreateSpVec(
        &descr, size, places.size(), indices, values,
        sizeof(I) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
        cusparseIndexBase_t(base), typeOf<T>()));
    for (I &place : places)
      place -= base;
  }
  ~SparseVector() { SPARSE(cusparseDestroySpVec(descr)); }
  operator cusparseSpVecDescr_t() const { return descr; }
  static std::vector<I> makePlaces(int base) {
    std::vector<I> places;
    for (int i = 1; i < size; i += 1 + i % 4)
      places.push_back(I(i + base));
    return places;
  }
};

template <class T, class I = int> static void testVectors(cusparseHandle_t handle, int base) {
  if (skips())
    return;
  using F = std::conditional_t<sizeof(T) == 2, float, T>;
  SparseVector<T, I> x(base);
  const std::vector<T> xs = x.values.host, ys = numbers<T>(size, 8);
  const std::vector<I> &places = x.places;
  Vector<T> y(ys);
  const F alpha = make<F>(2), beta = make<F>(-1);

  Number<F> expected[2] = {};
  for (size_t i = 0; i < xs.size(); ++i) {
    expected[0] += Number<F>(plain(xs[i]) * plain(ys[places[i]]));
    expected[1] += Number<F>(blas::conj(plain(xs[i])) * plain(ys[places[i]]));
  }
  for (const bool conjugated : {false, true}) {
    F result = make<F>(77);
    size_t bytes = 0;
    const auto op = conjugated ? CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
                               : CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE(cusparseSpVV_bufferSize(handle, op, x, y, &result, typeOf<F>(), &bytes));
    SPARSE(cusparseSpVV(handle, op, x, y, &result, typeOf<F>(), nullptr));
    CHECK_EQ(result, make<F>(expected[conjugated]));
  }

  SPARSE(cusparseAxpby(handle, &alpha, x, &beta, y));
  std::vector<T> sums;
  for (int i = 0; i < size; ++i)
    sums.push_back(make<T>(-plain(ys[i])));
  for (size_t i = 0; i < xs.size(); ++i)
    sums[places[i]] =
        make<T>(Number<T>(2) * plain(xs[i]) - plain(ys[places[i]]));
  compare(y.array.get(), sums);

  SPARSE(cusparseGather(handle, y, x));
  std::vector<T> gathered;
  for (const I place : places)
    gathered.push_back(sums[place]);
  compare(x.values.get(), gathered);

  x.values.host = xs;
  x.values.put();
  SPARSE(cusparseScatter(handle, x, y));
  std::vector<T> scattered = sums;
  for (size_t i = 0; i < xs.size(); ++i)
    scattered[places[i]] = xs[i];
  compare(y.array.get(), scattered);
}

static void testRotation(cusparseHandle_t handle) {
  SparseVector<double> x(1);
  const std::vector<double> xs = x.values.host, ys = numbers<double>(size, 8);
  Vector<double> y(ys);
  const double c = 2, s = 3;
  SPARSE(cusparseRot(handle, &c, &s, x, y));
  std::vector<double> newX, newY = ys;
  for (size_t i = 0; i < xs.size(); ++i) {
    newX.push_back(c * xs[i] + s * ys[x.places[i]]);
    newY[x.places[i]] = c * ys[x.places[i]] - s * xs[i];
  }
  compare(x.values.get(), newX);
  compare(y.array.get(), newY);
}

/// Factors and results on the device, in a stream and in a graph.
static void testStreams(cusparseHandle_t handle) {
  SparseVector<float> x(0);
  Vector<float> y(numbers<float>(size, 8));
  const std::vector<float> before = y.array.host;
  check::Array<float> factors(std::vector<float>{2, 1, 0});
  cudaStream_t stream, current = nullptr;
  CUDA(cudaStreamCreate(&stream));
  SPARSE(cusparseSetStream(handle, stream));
  SPARSE(cusparseGetStream(handle, &current));
  CHECK_TRUE(current == stream);
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SPARSE(cusparseAxpby(handle, factors, x, factors + 1, y)); // y += 2 x
  SPARSE(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, factors + 2,
                      CUDA_R_32F, nullptr));
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&instance, graph, 0));
  for (int turn = 0; turn < 3; ++turn)
    CUDA(cudaGraphLaunch(instance, stream));
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  float result = 0, expected = 0;
  SPARSE(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &result, CUDA_R_32F,
                      nullptr));
  for (size_t i = 0; i < x.places.size(); ++i)
    expected += x.values.host[i] * (before[x.places[i]] + 6 * x.values.host[i]);
  CHECK_EQ(result, expected);
  CHECK_EQ(factors.get()[2], expected);
  CUDA(cudaGraphExecDestroy(instance));
  CUDA(cudaGraphDestroy(graph));
  SPARSE(cusparseSetStream(handle, nullptr));
  CUDA(cudaStreamDestroy(stream));
}

static void testDescriptions(cusparseHandle_t handle) {
  int version = 0, major = 0;
  SPARSE(cusparseGetVersion(handle, &version));
  CHECK_EQ(version, CUSPARSE_VERSION);
  SPARSE(cusparseGetProperty(MAJOR_VERSION, &major));
  CHECK_EQ(major, 12);
  CHECK_TRUE(!strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT),
                     "CUSPARSE_STATUS_ZERO_PIVOT"));
  SPARSE_ERROR(cusparseDestroy(nullptr), CUSPARSE_STATUS_NOT_INITIALIZED);
  const Full<float> a = random<float>(12, 18, 3, 3);
  Matrix<float, int64_t> matrix(a, Format::Csr, 1);
  int64_t rows = 0, columns = 0, nnz = 0, blockSize = 0, ellColumns = 0;
  const void *offsets = nullptr, *indices = nullptr, *values = nullptr;
  cusparseIndexType_t offsetType, indexType;
  cusparseIndexBase_t base;
  cudaDataType type;
  SPARSE(cusparseConstCsrGet(matrix, &rows, &columns, &nnz, &offsets, &indices, &values,
                             &offsetType, &indexType, &base, &type));
  CHECK_EQ(rows, int64_t(12));
  CHECK_EQ(columns, int64_t(18));
  CHECK_EQ(nnz, int64_t(Csr<float>(a).nnz()));
  CHECK_TRUE(offsets && indices && values && base == CUSPARSE_INDEX_BASE_ONE);
  CHECK_TRUE(offsetType == CUSPARSE_INDEX_64I && indexType == CUSPARSE_INDEX_64I);
  CHECK_TRUE(type == CUDA_R_32F);
  cusparseFormat_t format;
  SPARSE(cusparseSpMatGetFormat(matrix, &format));
  CHECK_TRUE(format == CUSPARSE_FORMAT_CSR);
  SPARSE_ERROR(cusparseConstCscGet(matrix, &rows, &columns, &nnz, &offsets, &indices,
                                   &values, &offsetType, &indexType, &base, &type),
               CUSPARSE_STATUS_INVALID_VALUE);
  Matrix<float> ell(a, Format::Ell);
  SPARSE(cusparseConstBlockedEllGet(ell, &rows, &columns, &blockSize, &ellColumns,
                                    &indices, &values, &indexType, &base, &type));
  CHECK_TRUE(blockSize == 2 && ellColumns == 18);
  int batch = 0;
  SPARSE(cusparseSpMatGetStridedBatch(ell, &batch));
  CHECK_EQ(batch, 1);
  cusparseSpMatDescr_t none = nullptr;
  SPARSE_ERROR(cusparseCreateCsr(&none, -1, 2, 2, nullptr, nullptr, nullptr,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
               CUSPARSE_STATUS_INVALID_VALUE);
  SPARSE_ERROR(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
                            CUSPARSE_OPERATION_NON_TRANSPOSE, nullptr, matrix, nullptr,
                            nullptr, nullptr, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT,
                            nullptr),
               CUSPARSE_STATUS_INVALID_VALUE);
  // What is not there says so.
  bsrsv2Info_t info;
  SPARSE_ERROR(cusparseCreateBsrsv2Info(&info), CUSPARSE_STATUS_NOT_SUPPORTED);
}

int main() {
  Handle handle;
  for (const int base : {0, 1}) {
    testVectors<float>(handle, base);
    if (!isSlow()) {
      testVectors<double>(handle, base);
      testVectors<cuComplex>(handle, base);
      testVectors<cuDoubleComplex>(handle, base);
    }
    testVectors<__half>(handle, base);
    testVectors<__nv_bfloat16>(handle, base);
    testVectors<float, int64_t>(handle, base);
  }
  if (!isSlow())
    testRotation(handle);
  testStreams(handle);
  testDescriptions(handle);
  return check::finish("vectors");
}
