// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcusparse
//
// cuSPARSE's systems of three and five diagonals, and products of a dense matrix and a
// sparse vector (gemvi), and of matrices of blocks (bsrmv, bsrmm).

#include "Inputs/sparse.h"
#include <cmath>

using namespace sparse;

/// A system's elements and its solution: diagonals from -2 to 2.
struct System {
  int rows;
  std::vector<double> diagonals[5], x;
  double at(int i, int j) const {
    return std::abs(j - i) > 2 ? 0 : diagonals[j - i + 2][i];
  }
  std::vector<double> right() const {
    std::vector<double> b(rows);
    for (int i = 0; i < rows; ++i)
      for (int j = std::max(0, i - 2); j <= std::min(rows - 1, i + 2); ++j)
        b[i] += at(i, j) * x[j];
    return b;
  }
};

/// `weak`: the large elements are beside the diagonal, so rows have to be exchanged.
static System makeSystem(int rows, unsigned seed, bool weak, bool wide) {
  System s;
  s.rows = rows;
  for (int d = 0; d < 5; ++d) {
    s.diagonals[d] = numbers<double>(rows, seed + d, 1);
    for (int i = 0; i < rows; ++i) {
      const int j = i + d - 2;
      double &value = s.diagonals[d][i];
      if (j < 0 || j >= rows || (!wide && (d == 0 || d == 4)))
        value = 0;
      else if (weak ? d == (i % 2 ? 1 : 3) : d == 2)
        value += 9;
    }
  }
  s.x = numbers<double>(rows, seed + 9);
  return s;
}

static void near(const std::vector<double> &found, const std::vector<double> &expected) {
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    worst = std::max(worst, std::abs(found[i] - expected[i]));
  CHECK_TRUE(worst < 1e-9);
}

static void solveOne(cusparseHandle_t handle, bool pivots) {
  if (skips())
    return;
  const int rows = 40, columns = 3, leading = 43;
  const System s = makeSystem(rows, 3, pivots, false);
  std::vector<double> right(leading * columns), expected;
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < rows; ++i)
      right[c * leading + i] = (c + 1) * s.right()[i];
  check::Array<double> dl(s.diagonals[1]), d(s.diagonals[2]), du(s.diagonals[3]),
      b(right);
  size_t bytes = 0;
  if (pivots) {
    SPARSE(cusparseDgtsv2_bufferSizeExt(handle, rows, columns, dl, d, du, b, leading,
                                        &bytes));
    check::Array<char> buffer(bytes);
    SPARSE(cusparseDgtsv2(handle, rows, columns, dl, d, du, b, leading, buffer));
  } else {
    SPARSE(cusparseDgtsv2_nopivot(handle, rows, columns, dl, d, du, b, leading, nullptr));
  }
  b.get();
  for (int c = 0; c < columns; ++c) {
    std::vector<double> found(b.host.begin() + c * leading,
                              b.host.begin() + c * leading + rows);
    for (double &value : found)
      value /= c + 1;
    near(found, s.x);
  }
  CHECK_TRUE(d.get() == s.diagonals[2]); // as it was
}

/// Many systems: one behind the other, or alternating.
static void solveMany(cusparseHandle_t handle, bool interleaved, bool wide, int algorithm) {
  if (skips())
    return;
  const int rows = 20, count = 5, stride = interleaved ? count : 23;
  std::vector<System> systems;
  std::vector<double> lists[6];
  for (auto &list : lists)
    list.resize(interleaved ? rows * count : stride * count);
  const auto place = [&](int system, int i) {
    return interleaved ? i * count + system : system * stride + i;
  };
  for (int k = 0; k < count; ++k) {
    systems.push_back(makeSystem(rows, 10 * k + 1, wide || algorithm, wide));
    const std::vector<double> right = systems[k].right();
    for (int i = 0; i < rows; ++i) {
      for (int d = 0; d < 5; ++d)
        lists[d][place(k, i)] = systems[k].diagonals[d][i];
      lists[5][place(k, i)] = right[i];
    }
  }
  check::Array<double> ds(lists[0]), dl(lists[1]), d(lists[2]), du(lists[3]),
      dw(lists[4]), x(lists[5]);
  size_t bytes = 0;
  if (wide) {
    SPARSE(cusparseDgpsvInterleavedBatch_bufferSizeExt(handle, 0, rows, ds, dl, d, du, dw,
                                                       x, count, &bytes));
    SPARSE(cusparseDgpsvInterleavedBatch(handle, 0, rows, ds, dl, d, du, dw, x, count,
                                         nullptr));
  } else if (interleaved) {
    SPARSE(cusparseDgtsvInterleavedBatch(handle, algorithm, rows, dl, d, du, x, count,
                                         nullptr));
  } else {
    SPARSE(cusparseDgtsv2StridedBatch(handle, rows, dl, d, du, x, count, stride,
                                      nullptr));
  }
  x.get();
  for (int k = 0; k < count; ++k) {
    std::vector<double> found;
    for (int i = 0; i < rows; ++i)
      found.push_back(x.host[place(k, i)]);
    near(found, systems[k].x);
  }
}

/// The bits of a solution, which are the same on every device: its sum, as the host has it.
static void checkBits(cusparseHandle_t handle) {
  const System s = makeSystem(50, 3, true, false);
  std::vector<float> lists[4];
  const std::vector<double> right = s.right();
  for (int i = 0; i < s.rows; ++i) {
    for (int d = 0; d < 3; ++d)
      lists[d].push_back(static_cast<float>(s.diagonals[d + 1][i]));
    lists[3].push_back(static_cast<float>(right[i] + 0.1));
  }
  check::Array<float> dl(lists[0]), d(lists[1]), du(lists[2]), b(lists[3]);
  SPARSE(cusparseSgtsv2(handle, s.rows, 1, dl, d, du, b, s.rows, nullptr));
  unsigned long long sum = 0xcbf29ce484222325;
  for (const float value : b.get()) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    sum = (sum ^ bits) * 0x100000001b3;
  }
  CHECK_EQ(sum, 0x60215aacf7182ffeull);
}

template <class T>
static void multiplyVector(cusparseHandle_t handle, cusparseOperation_t operation,
                           cusparseStatus_t (*gemvi)(cusparseHandle_t,
                                                     cusparseOperation_t, int, int,
                                                     const T *, const T *, int, int,
                                                     const T *, const int *, const T *,
                                                     T *, cusparseIndexBase_t, void *)) {
  const Full<T> a = random<T>(9, 14, 3, 1), op = apply(operation, a);
  std::vector<T> stored(11 * 14), xs = numbers<T>(4, 6), ys = numbers<T>(op.rows, 7);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 14; ++j)
      stored[i + 11 * j] = make<T>(a.at(i, j));
  const std::vector<int> places = {1, 3, 4, 8};
  check::Array<int> indices(places);
  check::Array<T> matrix(stored), x(xs), y(ys);
  const T alpha = make<T>(2), beta = make<T>(-1);
  SPARSE(gemvi(handle, operation, 9, 14, &alpha, matrix, 11, 4, x, indices, &beta, y,
               CUSPARSE_INDEX_BASE_ONE, nullptr));
  std::vector<T> expected;
  for (int i = 0; i < op.rows; ++i) {
    Number<T> sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += op.at(i, places[k] - 1) * plain(xs[k]);
    expected.push_back(make<T>(Number<T>(2) * sum - plain(ys[i])));
  }
  compare(y.get(), expected);
}

static void multiplyBlocks(cusparseHandle_t handle, cusparseDirection_t direction) {
  // Two rows of blocks of two: [A B; 0 C].
  const std::vector<double> stored = {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4};
  const bool byRows = direction == CUSPARSE_DIRECTION_ROW;
  Full<double> a(4, 4), x(4, 2);
  const int blocks[3][2] = {{0, 0}, {0, 1}, {1, 1}};
  for (int k = 0; k < 12; ++k)
    a.at(2 * blocks[k / 4][0] + (byRows ? k % 4 / 2 : k % 2),
         2 * blocks[k / 4][1] + (byRows ? k % 2 : k % 4 / 2)) = stored[k];
  for (int i = 0; i < 8; ++i)
    x.at(i % 4, i / 4) = i + 1;
  const Full<double> product = multiply(a, x);
  check::Array<double> values(stored), b(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}),
      c(8);
  check::Array<int> offsets(std::vector<int>{0, 2, 3}), indices(std::vector<int>{0, 1, 1});
  cusparseMatDescr_t descr;
  SPARSE(cusparseCreateMatDescr(&descr));
  const double one = 1, zero = 0;
  constexpr auto plainly = CUSPARSE_OPERATION_NON_TRANSPOSE;
  SPARSE(cusparseDbsrmm(handle, direction, plainly, plainly, 2, 2, 2, 3, &one, descr,
                        values, offsets, indices, 2, b, 4, &zero, c, 4));
  for (int i = 0; i < 8; ++i)
    CHECK_AT(i, c.get()[i], product.at(i % 4, i / 4));
  c.fill(0);
  SPARSE(cusparseDbsrmv(handle, direction, plainly, 2, 2, 3, &one, descr, values, offsets,
                        indices, 2, b, &zero, c));
  for (int i = 0; i < 4; ++i)
    CHECK_AT(i, c.get()[i], product.at(i, 0));
  SPARSE(cusparseDestroyMatDescr(descr));
}

int main() {
  Handle handle;
  for (const bool pivots : {false, true})
    solveOne(handle, pivots);
  solveMany(handle, false, false, 0);
  for (const int algorithm : {0, 1, 2})
    solveMany(handle, true, false, algorithm);
  solveMany(handle, true, true, 0);
  checkBits(handle);
  for (const cusparseOperation_t operation : operations) {
    multiplyVector<float>(handle, operation, cusparseSgemvi);
    multiplyVector<cuDoubleComplex>(handle, operation, cusparseZgemvi);
  }
  multiplyBlocks(handle, CUSPARSE_DIRECTION_ROW);
  multiplyBlocks(handle, CUSPARSE_DIRECTION_COLUMN);
  return check::finish("bands");
}
