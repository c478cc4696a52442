// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How descriptions are made, and how functions tell what is in them.

#ifndef HET_LIBS_CUSPARSE_DESCRIPTIONS_H
#define HET_LIBS_CUSPARSE_DESCRIPTIONS_H

#include "Library.h"

namespace het::sparse {

/// A new description, which `fill` fills in.
template <class Descr, class Fill>
cusparseStatus_t make(Descr **place, cudaDataType type, const Fill &fill) {
  if (!place)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (!sizeOf(type))
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  *place = new (std::nothrow) Descr;
  if (!*place)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  fill(**place);
  return CUSPARSE_STATUS_SUCCESS;
}

/// Puts members of a description where the program wants them: pairs of a place, which
/// must not be null, and a member.
template <class Descr> cusparseStatus_t tell(const Descr *description) {
  return description ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;
}
template <class Descr, class Value, class... Rest>
cusparseStatus_t tell(const Descr *description, Value *place, Value Descr::*member,
                      Rest... rest) {
  if (!description || !place)
    return CUSPARSE_STATUS_INVALID_VALUE;
  *place = description->*member;
  return tell(description, rest...);
}

template <class Descr>
cusparseStatus_t change(Descr *description, void *value, void *Descr::*member) {
  if (!description || !value)
    return CUSPARSE_STATUS_INVALID_VALUE;
  description->*member = value;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace het::sparse

#endif // HET_LIBS_CUSPARSE_DESCRIPTIONS_H
