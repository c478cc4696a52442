// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that programs or the front end ask about.

#ifndef HET_CLASS_TRAITS_H
#define HET_CLASS_TRAITS_H

// nvcc's traits of extended lambdas, whose closures its host code cannot call or ask for
// a return type. Here lambdas are ordinary closures on both sides, so none is one of
// these types; that is also what nvcc says without --extended-lambda.
#define __nv_is_extended_device_lambda_closure_type(...)                                 \
  (__het_type<__VA_ARGS__>::isExtendedLambda)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...)                   \
  (__het_type<__VA_ARGS__>::isExtendedLambda)
#define __nv_is_extended_host_device_lambda_closure_type(...)                            \
  (__het_type<__VA_ARGS__>::isExtendedLambda)

template <class> struct __het_type {
  static constexpr bool isExtendedLambda = false;
};

// The class of an object, for `this->constant` (lib/Frontend/SourceRepairs.h).
template <class T> using __het_class = __remove_reference_t(T);

#endif // HET_CLASS_TRAITS_H
