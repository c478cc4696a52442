// What Clang and nvcc warn of, and what Clang alone does.
class Fields {
  int alone;
};
enum Kind { First, Second };
[[deprecated]] void old();

#ifdef SUPPRESS
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
#pragma nv_diag_suppress missing_return_statement, set_but_not_used
#endif
inline int missing(int x) {
  int unused;
  if (x)
    return 1;
}
#ifdef SUPPRESS
#pragma nv_diagnostic pop
#endif

inline void later_on(Kind kind) {
  int later;
  switch (kind) {
  case First:
    break;
  }
  old();
}

__global__ void kernel() {}
