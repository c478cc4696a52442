// Interim code serves until better code is there: functions are inlined and values in
// registers, but loops are left as they are. It has the same entry and header.
//
// RUN: het-lower --target=host --options=interim %s -o %t.so
// RUN: llvm-nm -D --defined-only %t.so | FileCheck %s --check-prefix=EXPORTS
// EXPORTS: het_kernel
// EXPORTS-NEXT: het_run
// EXPORTS-NOT: {{[a-z]}}
// RUN: llvm-objdump -d %t.so | FileCheck %s --check-prefix=CODE
// CODE: <het_run>:
// CODE-NOT: vpadd
//
// Without the word the loop is vector code.
// RUN: het-lower --target=host --arch=x86-64-v3 %s -o %t.better.so
// RUN: llvm-objdump -d %t.better.so | FileCheck %s --check-prefix=BETTER
// BETTER: vpadd
//
// Blocks that are suspended in one can be resumed in the other.
// RUN: het-lower --target=host "--options=parkable=100 interim" %S/parkable.mlir -o %t.so
// RUN: het-lower --target=host --options=parkable=100 %S/parkable.mlir -o %t.better.so
// RUN: python3 %S/Inputs/state.py %t.so > %t.state && python3 %S/Inputs/state.py %t.better.so | diff %t.state -
// RUN: FileCheck %s --check-prefix=STATE --input-file %t.state
// STATE: layout {{[1-9a-f]}}
//
// A target that has none says so.
// RUN: not het-lower --target=null --options=interim %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: options: found 'interim', expected none for this target
llvm.func @kernel(%p: !llvm.ptr<1>, %x: i32) attributes {hetir.kernel} {
  %t = hetir.thread_id x
  %q = llvm.getelementptr %p[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %v = llvm.load %q : !llvm.ptr<1> -> i32
  %s = llvm.add %v, %x : i32
  llvm.store %s, %q : i32, !llvm.ptr<1>
  llvm.return
}
