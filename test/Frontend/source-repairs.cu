// What nvcc takes and Clang does not: in an `asm` a `%` that begins no operand and stands
// for itself, and operands without a comma between them; a launch written `<< <`.
//
// RUN: hetcc --het-emit=llvm %s -o /dev/null 2>&1 | count 0
// RUN: hetcc --het-emit=llvm %s -o - | FileCheck %s
// RUN: not hetcc --het-emit=llvm -DNO_CONSTANT %s -o /dev/null 2>&1 | FileCheck --check-prefix=CONSTANT %s
// RUN: not hetcc --het-emit=llvm -DMISSING_PARENTHESIS %s -o /dev/null 2>&1 | FileCheck --check-prefix=PARENTHESIS %s

// CHECK-LABEL: define {{.*}}@percent(
extern "C" __global__ void percent(unsigned long long *time, unsigned *id) {
  // CHECK: call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(*time));
  // CHECK: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  asm volatile("mov.u32 %0, %laneid;" : "=r"(id[0]));
  // CHECK: call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(id[1]));
}

// CHECK-LABEL: define {{.*}}@comma(
extern "C" __global__ void comma(unsigned char *place, unsigned value, unsigned *p) {
  // CHECK: store atomic
  asm volatile("st.release.sys.global.u8 [%1], %0;" ::"r"(value) "l"(place));
  asm("add.u32 %0, %1, %2;" : "=r"(p[0]) : "r"(value) "r"(p[1]));
#ifdef MISSING_PARENTHESIS
  // PARENTHESIS: :[[# @LINE + 1]]:{{.*}} error: expected ')'
  asm volatile("st.release.sys.global.u8 [%1], %0;" ::"r"(value), "l"(place);
#endif
}

template <class T> void launch(T *time, unsigned *id, int blocks) {
  percent << < blocks, 32 >> > (time, id); comma <<< 1, blocks >> > (0, 1, id);
  comma << <
      1, 1 >>	> (0, 1, id);
}
template void launch(unsigned long long *, unsigned *, int);

// A constant of the class may be named through `this`, also in a base that depends on a
// template's parameters. What is no constant stays an error.
template <class T> struct Slot {
  static constexpr bool isLarge = sizeof(T) > 4;
  T value;
  int offset;
};
template <int n> struct Amount {
  static constexpr int is = n;
};
template <class T> struct Pairs : Slot<T> {
  __device__ int first() const {
    if constexpr (this->isLarge)
      return this->value.first;
    else
      return this -> value;
  }
  __device__ int second() const {
    static_assert(this->isLarge, "");
    return Amount<this->isLarge>::is + this->value.second;
  }
};
struct Pair {
  int first, second;
};
// CHECK-LABEL: define {{.*}}@named(
extern "C" __global__ void named(int *out, Pairs<Pair> pair, Pairs<int> one) {
  out[0] = pair.first() + pair.second() + one.first();
}
#ifdef NO_CONSTANT
// CONSTANT: :[[# @LINE + 2]]:{{.*}} error: constexpr variable 'offset'
struct Other : Slot<int> {
  __device__ int get() const { constexpr int offset = this->offset; return offset; }
};
#endif
