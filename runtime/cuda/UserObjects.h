// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the program that live while graphs need them: each is destroyed by a
// function of the program when nobody refers to it any more.

#ifndef HET_RUNTIME_CUDA_USEROBJECTS_H
#define HET_RUNTIME_CUDA_USEROBJECTS_H

#include "Api.h"

#include <atomic>
#include <map>

struct CUuserObject_st {
  CUuserObject_st(void *object, cudaHostFn_t destroy, unsigned references)
      : object(object), destroy(destroy), references(references) {}

  void *const object;
  const cudaHostFn_t destroy;
  std::atomic<unsigned> references;

  /// False if there are not so many.
  bool release(unsigned count);
};

namespace het::cuda {

/// References that a graph has, or an instance of it. A copy has as many.
class UserObjects {
public:
  UserObjects() = default;
  ~UserObjects() { clear(); }
  UserObjects(const UserObjects &other) { add(other); }
  UserObjects &operator=(const UserObjects &) = delete;

  /// References that are the caller's become the graph's.
  void take(CUuserObject_st &object, unsigned count) { counts[&object] += count; }
  /// New ones, as many as the other has.
  void add(const UserObjects &other);
  /// False if the graph has not so many.
  bool release(CUuserObject_st &object, unsigned count);
  void clear();
  bool empty() const { return counts.empty(); }

private:
  std::map<CUuserObject_st *, unsigned> counts;
};

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_USEROBJECTS_H
