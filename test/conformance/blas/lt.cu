// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcublasLt
//
// cublasLt: descriptions, products by rows and by columns, and what follows a product:
// biases, RELU and GELU, their gradients and those of biases; what is refused.

#include "Inputs/blas_matrix.h"
#include <cublasLt.h>

using namespace blas;

constexpr int m = 70, n = 37, k = 21;

/// A description for the length of a scope.
struct Layout {
  cublasLtMatrixLayout_t layout = nullptr;
  Layout(cudaDataType type, int rows, int columns, int leading,
         cublasLtOrder_t order = CUBLASLT_ORDER_COL) {
    BLAS(cublasLtMatrixLayoutCreate(&layout, type, rows, columns, leading));
    BLAS(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                          sizeof order));
  }
  ~Layout() { BLAS(cublasLtMatrixLayoutDestroy(layout)); }
  operator cublasLtMatrixLayout_t() const { return layout; }
};

struct Matmul {
  cublasLtMatmulDesc_t description = nullptr;
  Matmul(cublasComputeType_t compute, cudaDataType scale) {
    BLAS(cublasLtMatmulDescCreate(&description, compute, scale));
  }
  ~Matmul() { BLAS(cublasLtMatmulDescDestroy(description)); }
  template <class Value> void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    BLAS(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value));
  }
  operator cublasLtMatmulDesc_t() const { return description; }
};

struct Problem {
  cublasLtHandle_t handle = nullptr;
  check::Array<float> a{numbers<float>(m * k, 1)}, b{numbers<float>(k * n, 2)},
      c{numbers<float>(m * n, 3)};
  Dense<float> product = blas::product(dense(a.host, m, k, m), dense(b.host, k, n, k));
  Problem() { BLAS(cublasLtCreate(&handle)); }
  ~Problem() { BLAS(cublasLtDestroy(handle)); }
};

static void checkOrders(Problem &p) {
  const float alpha = 2, beta = -1;
  std::vector<float> expected(m * n), byRows(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      byRows[j + i * n] = expected[i + j * m] =
          static_cast<float>(2 * p.product(i, j) - plain(p.c.host[i + j * m]));
  Matmul how(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const Layout a(CUDA_R_32F, m, k, m), b(CUDA_R_32F, k, n, k), c(CUDA_R_32F, m, n, m);
  check::Array<float> d(m * n);
  BLAS(cublasLtMatmul(p.handle, how, &alpha, p.a, a, p.b, b, &beta, p.c, c, d, c, nullptr,
                      nullptr, 0, 0));
  compare(d.get(), expected);
  // The result by rows; B as one that is stored by rows and transposed.
  const Layout rows(CUDA_R_32F, m, n, n, CUBLASLT_ORDER_ROW),
      turned(CUDA_R_32F, n, k, k, CUBLASLT_ORDER_ROW);
  how.set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_T);
  BLAS(cublasLtMatmul(p.handle, how, &alpha, p.a, a, p.b, turned, &beta, p.c, c, d, rows,
                      nullptr, nullptr, 0, 0));
  compare(d.get(), byRows);
}

/// Runs the product with an epilogue, chosen as programs do.
static std::vector<float> run(Problem &p, Matmul &how, cublasLtEpilogue_t epilogue) {
  const float one = 1, zero = 0;
  how.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  const Layout a(CUDA_R_32F, m, k, m), b(CUDA_R_32F, k, n, k), c(CUDA_R_32F, m, n, m);
  cublasLtMatmulPreference_t preference = nullptr;
  BLAS(cublasLtMatmulPreferenceCreate(&preference));
  const size_t room = 1 << 20;
  BLAS(cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room));
  cublasLtMatmulHeuristicResult_t found[4];
  int count = 0;
  BLAS(cublasLtMatmulAlgoGetHeuristic(p.handle, how, a, b, c, c, preference, 4, found,
                                      &count));
  CHECK_EQ(count, 1);
  CHECK_EQ(found[0].state, CUBLAS_STATUS_SUCCESS);
  BLAS(cublasLtMatmulPreferenceDestroy(preference));
  check::Array<float> d(m * n);
  BLAS(cublasLtMatmul(p.handle, how, &one, p.a, a, p.b, b, &zero, nullptr, c, d, c,
                      &found[0].algo, nullptr, 0, 0));
  return d.get();
}

static double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static void close(const std::vector<float> &found, const std::vector<double> &expected) {
  for (size_t i = 0; i < found.size(); ++i)
    CHECK_TRUE(std::fabs(found[i] - expected[i]) <= 1e-4 * (1 + std::fabs(expected[i])));
}

static void checkEpilogues(Problem &p) {
  Matmul how(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check::Array<float> bias(numbers<float>(m, 5)), aux(128 * n);
  how.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void *>(bias));
  how.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void *>(aux));
  how.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(128));
  std::vector<float> biased(m * n), positive(m * n), plainRelu(m * n);
  std::vector<double> geluBiased(m * n), slopes(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      const int at = i + j * m;
      const double value = p.product(i, j);
      biased[at] = static_cast<float>(value + bias.host[i]);
      positive[at] = std::max(biased[at], 0.0f);
      plainRelu[at] = static_cast<float>(std::max(value, 0.0));
      geluBiased[at] = gelu(biased[at]);
    }
  compare(run(p, how, CUBLASLT_EPILOGUE_BIAS), biased);
  compare(run(p, how, CUBLASLT_EPILOGUE_RELU), plainRelu);
  compare(run(p, how, CUBLASLT_EPILOGUE_RELU_BIAS), positive);
  close(run(p, how, CUBLASLT_EPILOGUE_GELU_BIAS), geluBiased);
  // What is kept for the gradient, and the gradient by it.
  compare(run(p, how, CUBLASLT_EPILOGUE_RELU_AUX_BIAS), positive);
  std::vector<float> gradient(m * n), sums(m);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      if (biased[i + j * m] > 0) {
        gradient[i + j * m] = static_cast<float>(p.product(i, j));
        sums[i] += gradient[i + j * m];
      }
  compare(run(p, how, CUBLASLT_EPILOGUE_DRELU), gradient);
  check::Array<float> summed(m);
  how.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void *>(summed));
  compare(run(p, how, CUBLASLT_EPILOGUE_DRELU_BGRAD), gradient);
  compare(summed.get(), sums);
  how.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void *>(bias));
  close(run(p, how, CUBLASLT_EPILOGUE_GELU_AUX_BIAS), geluBiased);
  aux.get();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      CHECK_AT(i, aux.host[i + j * 128], biased[i + j * m]);
      const double x = biased[i + j * m], step = 1e-4;
      slopes[i + j * m] =
          p.product(i, j) * (gelu(x + step) - gelu(x - step)) / (2 * step);
    }
  close(run(p, how, CUBLASLT_EPILOGUE_DGELU), slopes);
}

static void checkBiasGradients(Problem &p) {
  Matmul how(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check::Array<float> sums(m);
  how.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void *>(sums));
  std::vector<float> ofA(m), ofB(m);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < m; ++i)
      ofA[i] += p.a.host[i + j * m];
    for (int i = 0; i < n; ++i)
      ofB[i] += p.b.host[j + i * k];
  }
  run(p, how, CUBLASLT_EPILOGUE_BGRADA);
  compare(sums.get(), ofA);
  sums.fill(0);
  run(p, how, CUBLASLT_EPILOGUE_BGRADB);
  compare(sums.get(), ofB);
}

static void checkNarrow(Problem &p) {
  const float one = 1, zero = 0;
  std::vector<__nv_bfloat16> narrow(m * k), other(k * n), results(m * n);
  for (int i = 0; i < m * k; ++i)
    narrow[i] = __float2bfloat16(p.a.host[i]);
  for (int i = 0; i < k * n; ++i)
    other[i] = __float2bfloat16(p.b.host[i]);
  for (int i = 0; i < m * n; ++i)
    results[i] = __float2bfloat16(static_cast<float>(p.product.values[i]));
  check::Array<__nv_bfloat16> a(narrow), b(other), d(m * n);
  Matmul how(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const Layout la(CUDA_R_16BF, m, k, m), lb(CUDA_R_16BF, k, n, k),
      ld(CUDA_R_16BF, m, n, m);
  BLAS(cublasLtMatmul(p.handle, how, &one, a, la, b, lb, &zero, d, ld, d, ld, nullptr,
                      nullptr, 0, 0));
  compare(d.get(), results);
}

static void checkTransform(Problem &p) {
  const float two = 2, zero = 0;
  cublasLtMatrixTransformDesc_t how = nullptr;
  BLAS(cublasLtMatrixTransformDescCreate(&how, CUDA_R_32F));
  const Layout from(CUDA_R_32F, m, k, m), to(CUDA_R_32F, m, k, k, CUBLASLT_ORDER_ROW);
  check::Array<float> c(m * k);
  std::vector<float> expected(m * k);
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < m; ++i)
      expected[j + i * k] = 2 * p.a.host[i + j * m];
  BLAS(cublasLtMatrixTransform(p.handle, how, &two, p.a, from, &zero, nullptr, nullptr, c,
                               to, 0));
  compare(c.get(), expected);
  BLAS(cublasLtMatrixTransformDescDestroy(how));
}

static void checkErrors(Problem &p) {
  const float one = 1;
  Matmul how(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const Layout a(CUDA_R_32F, m, k, m), b(CUDA_R_32F, k, n, k), c(CUDA_R_32F, m, n, m),
      halves(CUDA_R_16F, k, n, k), tiles(CUDA_R_32F, m, n, m, CUBLASLT_ORDER_COL32);
  check::Array<float> d(m * n);
  const auto call = [&](cublasLtMatrixLayout_t second, cublasLtMatrixLayout_t last) {
    return cublasLtMatmul(p.handle, how, &one, p.a, a, p.b, second, &one, p.c, c, d, last,
                          nullptr, nullptr, 0, 0);
  };
  BLAS(call(b, c));
  BLAS_ERROR(call(a, c), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(call(nullptr, c), CUBLAS_STATUS_INVALID_VALUE);
  BLAS_ERROR(call(halves, c), CUBLAS_STATUS_NOT_SUPPORTED);
  BLAS_ERROR(call(b, tiles), CUBLAS_STATUS_NOT_SUPPORTED);
  how.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  BLAS_ERROR(call(b, c), CUBLAS_STATUS_INVALID_VALUE); // no bias
  cublasOperation_t trans = CUBLAS_OP_C;
  size_t written = 0;
  BLAS(cublasLtMatmulDescGetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &trans,
                                      sizeof trans, &written));
  CHECK_EQ(trans, CUBLAS_OP_N);
  CHECK_EQ(written, sizeof trans);
  BLAS_ERROR(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &trans, 2),
             CUBLAS_STATUS_INVALID_VALUE);
  cublasLtMatrixLayoutOpaque_t own;
  BLAS(cublasLtMatrixLayoutInit(&own, CUDA_R_32F, m, n, m));
  BLAS_ERROR(cublasLtMatrixLayoutInit_internal(&own, 8, CUDA_R_32F, m, n, m),
             CUBLAS_STATUS_INVALID_VALUE);
}

int main() {
  {
    Problem problem;
    checkOrders(problem);
    checkEpilogues(problem);
    checkBiasGradients(problem);
    checkNarrow(problem);
    checkTransform(problem);
    checkErrors(problem);
  }
  return check::finish("lt");
}
