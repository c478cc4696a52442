// What nvcc takes and Clang does not: in an `asm` a `%` that begins no operand and stands
// for itself, and operands without a comma between them; a launch written `<< <`.
//
// RUN: hetcc --het-emit=llvm %s -o /dev/null 2>&1 | count 0
// RUN: hetcc --het-emit=llvm %s -o - | FileCheck %s
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
