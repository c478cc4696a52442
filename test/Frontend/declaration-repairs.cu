// Declarations that nvcc takes and Clang does not: templates that are `constexpr` and cannot
// be, calls of both sides, and a call that is ambiguous but for a parameter pack.
//
// RUN: hetcc --het-emit=llvm -std=c++17 -expt-relaxed-constexpr %s -o /dev/null 2>&1 | count 0
// RUN: hetcc --het-emit=llvm -std=c++17 -expt-relaxed-constexpr %s -o - | FileCheck %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DNO_TEMPLATE %s -o /dev/null 2>&1 | FileCheck --check-prefix=TEMPLATE %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DCONSTANT %s -o /dev/null 2>&1 | FileCheck --check-prefix=CONSTANT %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DNO_MEMBER %s -o /dev/null 2>&1 | FileCheck --check-prefix=MEMBER %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DSTATIC_MEMBER %s -o /dev/null 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DEVALUATED %s -o /dev/null 2>&1 | FileCheck --check-prefix=EVALUATED %s
// RUN: not hetcc --het-emit=llvm -std=c++17 -DTWO_PACKS %s -o /dev/null 2>&1 | FileCheck --check-prefix=PACKS %s

#include <vector>

// A variable that constant expressions cannot have, in members of class templates, their
// definitions outside the class, constructors and function templates.
struct Counted {
  int n;
  __host__ __device__ Counted(int n) : n(n) {}
  __host__ __device__ ~Counted() { n = 0; }
};
template <class T> struct Table {
  int size;
  template <class U> constexpr Table(U n) : size(0) {
    std::vector<int> list(n);
    size = int(list.size());
  }
  __host__ __device__ constexpr Table(T *, int n) : size(n) { Counted counted(n); }
  constexpr int total() const;
  [[nodiscard]] static constexpr __host__ __device__ int twice(int n) {
    Counted counted(n);
    return 2 * counted.n;
  }
  constexpr bool isEmpty() const { return !size; }
};
template <class T> constexpr int Table<T>::total() const {
  std::vector<int> list(size, 2);
  return int(list.size());
}
// Of both sides, as -expt-relaxed-constexpr has it.
template <class T> constexpr int half(T n) {
  Counted counted(n);
  return counted.n / 2;
}
int onHost() { return Table<int>(3).total() + half(4); }
#ifdef NO_TEMPLATE
// TEMPLATE: :[[# @LINE + 1]]:{{.*}} error: variable of non-literal type
constexpr int plain(int n) { Counted counted(n); return counted.n; }
#endif
#ifdef CONSTANT
// CONSTANT: :[[# @LINE + 1]]:{{.*}} error: constexpr variable 'never'
constexpr int never = half(4);
#endif

// CHECK-LABEL: define {{.*}}@templates(
extern "C" __global__ void templates(int *out, int n) {
  // CHECK: shl nsw i32 {{.*}} 1
  // CHECK: sdiv i32
  out[0] = Table<int>::twice(n) + half(n);
}

// A function that is `constexpr` and says no side is the host's where the device's callee
// would be an error.
struct Stream {
  int id;
};
template <class T> struct Filled {
  T value;
  template <class G> __device__ constexpr void fill(G const &group) { value = group.rank(); }
  __host__ constexpr void fill(Stream stream) { value = stream.id; }
};
template <class T> struct Owner {
  Filled<T> filled{0};
  constexpr void fill(Stream stream);
};
template <class T> constexpr void Owner<T>::fill(Stream stream) { filled.fill(stream); }
int fillOnHost() {
  Owner<int> owner;
  owner.fill(Stream{3});
  return owner.filled.value;
}
#ifdef NO_MEMBER
// MEMBER: :[[# @LINE - 14]]:{{.*}} error: no member named 'rank' in 'Stream'
__global__ void noMember(Filled<int> filled) { filled.fill(Stream{3}); }
#endif

// Of two templates without parameters the one that has no pack, in operands that are not
// evaluated.
template <class...> struct List {
  static constexpr int is = 1;
};
template <class, int> struct One {
  static constexpr int is = 2;
};
#define DEFINE_GET(signature, ...)                                                       \
  template <signature> constexpr auto get() noexcept -> One<__VA_ARGS__> { return {}; }
namespace {
template <class... Ts> constexpr auto get() noexcept -> List<Ts...> { return {}; }
DEFINE_GET(class T, T, 1)
struct Members {
  template <class... Ts> __device__ List<Ts...> get() { return {}; }
  template <class T> __device__ One<T, 1> get() { return {}; }
};
} // namespace
// CHECK-LABEL: define {{.*}}@packs(
extern "C" __global__ void packs(int *out) {
  // CHECK: store i32 2
  out[0] = decltype(get<int>())::is;
  // CHECK: store i32 1
  out[1] = decltype(get<int, int>())::is;
  // CHECK: store i32 2
  out[2] = decltype(Members().get<int>())::is;
}
#ifdef EVALUATED
template <class...> constexpr int call() { return 1; }
template <class> constexpr int call() { return 2; }
// EVALUATED: :[[# @LINE + 1]]:{{.*}} error: call to 'call' is ambiguous
int evaluated() { return call<int>(); }
#endif
template <class A, class... Ts> List<A, Ts...> both();
template <class A, class B, class... Ts> One<A, 1> both();
#ifdef TWO_PACKS
// PACKS: :[[# @LINE + 1]]:{{.*}} error: call to 'both' is ambiguous
using Both = decltype(both<int, int>());
#endif

// A member of a base class that depends on a template's parameters may be named as if it
// did not. A static function has no `this`, so it stays an error there.
template <class T> struct View {
  T *slots;
  __device__ T *slot(T n) const { return slots + n; }
  __device__ T *next(T *slot) const { return slot + 2; }
};
template <class T> struct MutableView : View<T> {
  template <class U> __device__ T get(U n) {
    T *place = slot(n);
    for (int i = 0; i < 3; ++i)
      place = next(place);
    return *place;
  }
#ifdef STATIC_MEMBER
  // STATIC: :[[# @LINE + 1]]:{{.*}} error: explicit qualification required to use member 'slot'
  template <class U> __device__ static T *of(U n) { return slot(n); }
#endif
};
// CHECK-LABEL: define {{.*}}@dependent(
// CHECK: getelementptr
extern "C" __global__ void dependent(MutableView<int> view, int *out) {
  *out = view.get(*out);
#ifdef STATIC_MEMBER
  *out = *MutableView<int>::of(*out);
#endif
}
