// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors, and solutions and inverses by them, by LAPACK.

#include "Host.h"
#include "HostLapack.h"

#include <functional>

namespace het::solver::host {

using Work = std::function<void()>;

template <class T>
Answer potrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Matrices<T> a,
             int *info, Index batch) {
  if (!fitHost(n, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    return [=, size = hostSize(n), lda = hostSize(a.leading)] {
      for (Index i = 0; i < batch; ++i)
        hostLapack<T>().potrf(letterOf(uplo), &size, hostMatrix(a, i), &lda, info + i, 1);
    };
  });
}

template <class T>
Answer potrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Index nrhs,
             Matrices<T> a, Matrices<T> b, int *info, Index batch) {
  if (!fitHost(n, nrhs, a.leading, b.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    return [=, size = hostSize(n), columns = hostSize(nrhs), lda = hostSize(a.leading),
            ldb = hostSize(b.leading)] {
      *info = 0;
      for (Index i = 0; i < batch; ++i) {
        int status = 0;
        hostLapack<T>().potrs(letterOf(uplo), &size, &columns, hostMatrix(a, i), &lda,
                              hostMatrix(b, i), &ldb, &status, 1);
        if (status)
          *info = status;
      }
    };
  });
}

template <class T>
Answer potri(cusolverDnHandle_t handle, cublasFillMode_t uplo, Index n, Matrices<T> a,
             int *info) {
  if (!fitHost(n, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    return [=, size = hostSize(n), lda = hostSize(a.leading)] {
      hostLapack<T>().potri(letterOf(uplo), &size, a.base, &lda, info, 1);
    };
  });
}

template <class T>
Answer trtri(cusolverDnHandle_t handle, cublasFillMode_t uplo, bool unit, Index n,
             Matrices<T> a, int *info) {
  if (!fitHost(n, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    return [=, size = hostSize(n), lda = hostSize(a.leading)] {
      hostLapack<T>().trtri(letterOf(uplo), unit ? "U" : "N", &size, a.base, &lda, info,
                            1, 1);
    };
  });
}

template <class T>
Answer getrf(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, Pivots pivots,
             int *info) {
  if (!pivots.base || !fitHost(m, n, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const Index count = m < n ? m : n;
    const std::shared_ptr<int[]> narrow = roomFor<int>(pivots.wide ? count : 1);
    return [=, rows = hostSize(m), columns = hostSize(n), lda = hostSize(a.leading)] {
      int *own = pivots.wide ? narrow.get() : static_cast<int *>(pivots.base), status = 0;
      hostLapack<T>().getrf(&rows, &columns, a.base, &lda, own, &status);
      for (Index i = 0; i < count && pivots.wide; ++i)
        static_cast<int64_t *>(pivots.base)[i] = own[i];
      if (info)
        *info = status;
    };
  });
}

template <class T>
Answer getrs(cusolverDnHandle_t handle, cublasOperation_t trans, Index n, Index nrhs,
             Matrices<T> a, Pivots pivots, Matrices<T> b, int *info) {
  if (!pivots.base || !fitHost(n, nrhs, a.leading, b.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const std::shared_ptr<int[]> narrow = roomFor<int>(pivots.wide ? n : 1);
    return [=, size = hostSize(n), columns = hostSize(nrhs), lda = hostSize(a.leading),
            ldb = hostSize(b.leading)] {
      const int *own = static_cast<const int *>(pivots.base);
      if (pivots.wide) {
        for (Index i = 0; i < n; ++i)
          narrow[i] = static_cast<int>(static_cast<const int64_t *>(pivots.base)[i]);
        own = narrow.get();
      }
      hostLapack<T>().getrs(letterOf<T>(trans), &size, &columns, a.base, &lda, own,
                            b.base, &ldb, info, 1);
    };
  });
}

template <class T>
Answer geqrf(cusolverDnHandle_t handle, Index m, Index n, Matrices<T> a, T *tau,
             int *info) {
  if (!fitHost(m, n, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const int rows = hostSize(m), columns = hostSize(n), lda = hostSize(a.leading),
              ask = -1;
    T answer = T(0);
    int status = 0;
    hostLapack<T>().geqrf(&rows, &columns, a.base, &lda, tau, &answer, &ask, &status);
    const int size = answered(answer);
    const std::shared_ptr<T[]> room = roomFor<T>(size);
    return [=] {
      hostLapack<T>().geqrf(&rows, &columns, a.base, &lda, tau, room.get(), &size, info);
    };
  });
}

template <class T>
Answer orgqr(cusolverDnHandle_t handle, Index m, Index n, Index k, Matrices<T> a,
             const T *tau, int *info) {
  if (!fitHost(m, n, k, a.leading))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const int rows = hostSize(m), columns = hostSize(n), count = hostSize(k),
              lda = hostSize(a.leading), ask = -1;
    T answer = T(0);
    int status = 0;
    hostLapack<T>().orgqr(&rows, &columns, &count, a.base, &lda, tau, &answer, &ask,
                          &status);
    const int size = answered(answer);
    const std::shared_ptr<T[]> room = roomFor<T>(size);
    return [=] {
      hostLapack<T>().orgqr(&rows, &columns, &count, a.base, &lda, tau, room.get(), &size,
                            info);
    };
  });
}

template <class T>
Answer ormqr(cusolverDnHandle_t handle, const Reflectors<T> &r, int *info) {
  if (!fitHost(r.m, r.n, r.count, r.leading, r.leadingC))
    return std::nullopt;
  return callHost(handle, [&]() -> Work {
    const int rows = hostSize(r.m), columns = hostSize(r.n), count = hostSize(r.count),
              lda = hostSize(r.leading), ldc = hostSize(r.leadingC), ask = -1;
    const char *side = r.left ? "L" : "R", *trans = !r.conjugated  ? "N"
                                                    : isComplex<T> ? "C"
                                                                   : "T";
    const auto call = [=](T *work, const int *size, int *status) {
      hostLapack<T>().ormqr(side, trans, &rows, &columns, &count, r.vectors, &lda, r.tau,
                            r.c, &ldc, work, size, status, 1, 1);
    };
    T answer = T(0);
    int status = 0;
    call(&answer, &ask, &status);
    const int size = answered(answer);
    const std::shared_ptr<T[]> room = roomFor<T>(size);
    return [=] { call(room.get(), &size, info); };
  });
}

#define HET_MAKE(T)                                                                      \
  template Answer potrf<T>(cusolverDnHandle_t, cublasFillMode_t, Index, Matrices<T>,     \
                           int *, Index);                                                \
  template Answer potrs<T>(cusolverDnHandle_t, cublasFillMode_t, Index, Index,           \
                           Matrices<T>, Matrices<T>, int *, Index);                      \
  template Answer potri<T>(cusolverDnHandle_t, cublasFillMode_t, Index, Matrices<T>,     \
                           int *);                                                       \
  template Answer trtri<T>(cusolverDnHandle_t, cublasFillMode_t, bool, Index,            \
                           Matrices<T>, int *);                                          \
  template Answer getrf<T>(cusolverDnHandle_t, Index, Index, Matrices<T>, Pivots,        \
                           int *);                                                       \
  template Answer getrs<T>(cusolverDnHandle_t, cublasOperation_t, Index, Index,          \
                           Matrices<T>, Pivots, Matrices<T>, int *);                     \
  template Answer geqrf<T>(cusolverDnHandle_t, Index, Index, Matrices<T>, T *, int *);   \
  template Answer orgqr<T>(cusolverDnHandle_t, Index, Index, Index, Matrices<T>,         \
                           const T *, int *);                                            \
  template Answer ormqr<T>(cusolverDnHandle_t, const Reflectors<T> &, int *);
HET_FOR_EACH_TYPE(HET_MAKE)

} // namespace het::solver::host
