// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigenvalues and singular values by LAPACK: by division (syevd, gesdd), and by QR steps
// (gesvd) where that has not converged or the two sides differ.

#include "Host.h"
#include "HostLapack.h"

#include <algorithm>
#include <functional>

namespace het::solver::host {
namespace {

using Work = std::function<void()>;

/// Room that an eigenvalue function asks for.
template <class T> struct EigenRoom {
  int size = -1, realSize = -1, integerSize = -1;
  std::shared_ptr<T[]> work;
  std::shared_ptr<Real<T>[]> reals;
  std::shared_ptr<int[]> integers;
};

/// Calls `call(work, size, reals, realSize, integers, integerSize, info)` for the sizes.
template <class T, class Call> EigenRoom<T> askRoom(const Call &call) {
  EigenRoom<T> room;
  T work = T(0);
  Real<T> reals = 0;
  int integers = 0, status = 0;
  call(&work, &room.size, &reals, &room.realSize, &integers, &room.integerSize, &status);
  room.size = answered(work);
  room.realSize = isComplex<T> ? answered(reals) : 1;
  room.integerSize = integers;
  room.work = roomFor<T>(room.size);
  room.reals = roomFor<Real<T>>(room.realSize);
  room.integers = roomFor<int>(room.integerSize);
  return room;
}

/// At least what the methods that divide want for work, which LAPACK counts in 32 bits.
constexpr Index workFor(Index n) {
  constexpr Index most = 32000; // of more no square is needed
  return n > most ? Index(INT_MAX) + 1 : 4 * n * n + 7 * n;
}

/// A direct method has no sweeps: one is told, and that nothing is left.
void tellProgress(Progress *progress) {
  if (progress)
    *progress = {0, 1};
}

} // namespace

template <class T>
Answer syevd(cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo,
             Index n, Matrices<T> a, Real<T> *w, int *info, Progress *progress,
             Index batch) {
  if (!fitHost(n, a.leading, workFor(n)))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const int order = hostSize(n), lda = hostSize(a.leading);
    const auto call = [=](T *matrix, Real<T> *values, T *work, const int *size,
                          Real<T> *reals, const int *realSize, int *integers,
                          const int *integerSize, int *status) {
      if constexpr (isComplex<T>)
        hostLapack<T>().heevd(letterOf(jobz), letterOf(uplo), &order, matrix, &lda,
                              values, work, size, reals, realSize, integers, integerSize,
                              status, 1, 1);
      else
        hostLapack<T>().syevd(letterOf(jobz), letterOf(uplo), &order, matrix, &lda,
                              values, work, size, integers, integerSize, status, 1, 1);
    };
    const EigenRoom<T> room =
        askRoom<T>([&](auto... places) { call(nullptr, nullptr, places...); });
    return [=] {
      for (Index i = 0; i < batch; ++i)
        call(hostMatrix(a, i), w + i * n, room.work.get(), &room.size, room.reals.get(),
             &room.realSize, room.integers.get(), &room.integerSize, info + i);
      tellProgress(progress);
    };
  });
}

template <class T>
Answer sygvd(cusolverDnHandle_t handle, int type, cusolverEigMode_t jobz,
             cublasFillMode_t uplo, Index n, Matrices<T> a, Matrices<T> b, Real<T> *w,
             int *info) {
  if (!fitHost(n, a.leading, b.leading, workFor(n)))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const int order = hostSize(n), lda = hostSize(a.leading), ldb = hostSize(b.leading);
    const auto call = [=](T *work, const int *size, Real<T> *reals, const int *realSize,
                          int *integers, const int *integerSize, int *status) {
      if constexpr (isComplex<T>)
        hostLapack<T>().hegvd(&type, letterOf(jobz), letterOf(uplo), &order, a.base, &lda,
                              b.base, &ldb, w, work, size, reals, realSize, integers,
                              integerSize, status, 1, 1);
      else
        hostLapack<T>().sygvd(&type, letterOf(jobz), letterOf(uplo), &order, a.base, &lda,
                              b.base, &ldb, w, work, size, integers, integerSize, status,
                              1, 1);
    };
    const EigenRoom<T> room = askRoom<T>(call);
    return [=] {
      call(room.work.get(), &room.size, room.reals.get(), &room.realSize,
           room.integers.get(), &room.integerSize, info);
    };
  });
}

namespace {

/// Singular values of one matrix, whose numbers are copied.
template <class T> struct Singular {
  using R = Real<T>;
  int m, n, lda, ldu, ldvt;
  bool divides; ///< Both sides are wanted alike.
  const char *jobU, *jobVT;
  Matrices<T> from;
  R *s;
  T *u, *vt;
  int size;
  std::shared_ptr<T[]> a, work;
  std::shared_ptr<R[]> reals;
  std::shared_ptr<int[]> integers;

  void divide(T *matrix, T *room, const int *lwork, int *info) const {
    if constexpr (isComplex<T>)
      hostLapack<T>().gesddComplex(jobU, &m, &n, matrix, &lda, s, u, &ldu, vt, &ldvt,
                                   room, lwork, reals.get(), integers.get(), info, 1);
    else
      hostLapack<T>().gesddReal(jobU, &m, &n, matrix, &lda, s, u, &ldu, vt, &ldvt, room,
                                lwork, integers.get(), info, 1);
  }
  void step(T *matrix, T *room, const int *lwork, int *info) const {
    if constexpr (isComplex<T>)
      hostLapack<T>().gesvdComplex(jobU, jobVT, &m, &n, matrix, &lda, s, u, &ldu, vt,
                                   &ldvt, room, lwork, reals.get(), info, 1, 1);
    else
      hostLapack<T>().gesvdReal(jobU, jobVT, &m, &n, matrix, &lda, s, u, &ldu, vt, &ldvt,
                                room, lwork, info, 1, 1);
  }
  void takeCopy() const {
    for (Index j = 0; j < n; ++j)
      std::copy_n(from.base + j * from.leading, m, a.get() + j * m);
  }
  int solve() const {
    int info = 0;
    takeCopy();
    if (divides) {
      divide(a.get(), work.get(), &size, &info);
      if (info == 0)
        return info; // else it has not converged, or met a NaN
      takeCopy();
    }
    step(a.get(), work.get(), &size, &info);
    return info;
  }
};

/// B = A^H.
template <class T>
void turn(Index rows, Index columns, const T *a, Index lda, T *b, Index ldb) {
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i)
      b[j + i * ldb] = conjugate(a[i + j * lda]);
}

template <class T> void makeRoom(Singular<T> &call) {
  const Index less = std::min(call.m, call.n), more = std::max(call.m, call.n);
  call.a = roomFor<T>(Index(call.m) * call.n);
  call.integers = roomFor<int>(8 * less);
  call.reals =
      roomFor<Real<T>>(isComplex<T> ? std::max(5 * less * less + 7 * less,
                                               2 * more * less + 2 * less * less + less)
                                    : 1);
  const int ask = -1;
  int status = 0;
  T divided = T(0), stepped = T(0);
  if (call.divides)
    call.divide(call.a.get(), &divided, &ask, &status);
  call.step(call.a.get(), &stepped, &ask, &status);
  call.size = std::max(answered(divided), answered(stepped));
  call.work = roomFor<T>(call.size);
}

/// LAPACK's letter for so many columns, or rows.
const char *letterFor(Index wanted, Index all) {
  return wanted == 0 ? "N" : wanted == all ? "A" : "S";
}

} // namespace

template <class T>
Answer gesvd(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, Real<T> *s,
             Side<T> u, Side<T> v, int *info, Progress *progress) {
  if (!fitHost(m, n, a.leading, u.leading, v.leading, workFor(std::min(m, n))))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    // LAPACK has U, and V conjugate transposed.
    const std::shared_ptr<T[]> turnedU = roomFor<T>(u.turned ? m * u.columns : 1),
                               turnedV = roomFor<T>(v.turned ? 1 : n * v.columns);
    Singular<T> call = {};
    call.m = hostSize(m);
    call.n = hostSize(n);
    call.lda = hostSize(std::max<Index>(m, 1));
    call.from = a;
    call.s = s;
    call.u = u.turned ? turnedU.get() : u.place;
    call.ldu = hostSize(u.columns == 0 ? 1 : u.turned ? m : u.leading);
    call.vt = v.turned ? v.place : turnedV.get();
    call.ldvt = hostSize(v.columns == 0 ? 1 : v.turned ? v.leading : v.columns);
    call.jobU = letterFor(u.columns, m);
    call.jobVT = letterFor(v.columns, n);
    const Index less = std::min(m, n);
    // "A" and "S" are the same where a side is square.
    const bool all = u.columns == m && v.columns == n,
               some = u.columns == less && v.columns == less;
    // Where a side is put in place of A, there is no second try.
    const bool isInPlace = u.place == a.base || v.place == a.base;
    call.divides = !isInPlace && (all || some || (u.columns == 0 && v.columns == 0));
    if (some && less > 0)
      call.jobU = all ? "A" : "S";
    makeRoom(call);
    return [=] {
      *info = call.solve();
      if (u.turned)
        turn(m, u.columns, turnedU.get(), Index(call.ldu), u.place, u.leading);
      if (!v.turned)
        turn(v.columns, n, turnedV.get(), Index(call.ldvt), v.place, v.leading);
      tellProgress(progress);
    };
  });
}

#define HET_MAKE(T)                                                                      \
  template Answer syevd<T>(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,      \
                           Index, Matrices<T>, Real<T> *, int *, Progress *, Index);     \
  template Answer sygvd<T>(cusolverDnHandle_t, int, cusolverEigMode_t, cublasFillMode_t, \
                           Index, Matrices<T>, Matrices<T>, Real<T> *, int *);           \
  template Answer gesvd<T>(cusolverDnHandle_t, Index, Index, Matrices<T>, Real<T> *,     \
                           Side<T>, Side<T>, int *, Progress *);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver::host
