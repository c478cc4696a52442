// What glibc 2.41 and 2.42 declare besides. It is read once for each type, as that is.
#include_next <bits/mathcalls.h>
#undef __GLIBC_MINOR__
#define __GLIBC_MINOR__ 42
__MATHCALL(cospi, , (_Mdouble_ __x));
__MATHCALL(sinpi, , (_Mdouble_ __x));
__MATHCALL(tanpi, , (_Mdouble_ __x));
__MATHCALL(rsqrt, , (_Mdouble_ __x));
