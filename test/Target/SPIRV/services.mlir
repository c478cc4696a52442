// What a kernel leaves for the host.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=prints | %{dis}=PRINTS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=traps | %{dis}=TRAPS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=recurses | %{dis}=RECURSES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=times | %{dis}=TIMES

// PRINTS: OpFunctionCall %{{[a-z]+}} %__het_spirv_printf
llvm.mlir.global internal constant @text("hello\00") {addr_space = 4 : i32}
llvm.func @prints() attributes {hetir.kernel} {
  %t = llvm.mlir.addressof @text : !llvm.ptr<4>
  %none = llvm.mlir.zero : !llvm.ptr
  %n = hetir.printf %t, %none : !llvm.ptr<4>, !llvm.ptr
  llvm.return
}

// A thread that traps leaves the kernel.
// TRAPS: OpFunctionCall %void %__het_spirv_trap
// TRAPS-NOT: OpUnreachable
llvm.func @traps(%p: !llvm.ptr) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %bad = llvm.icmp "eq" %v, %zero : i32
  llvm.cond_br %bad, ^trap, ^end
^trap:
  hetir.trap
  llvm.unreachable
^end:
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// A function that calls itself is a loop with a stack.
// RECURSES: OpName %{{.*}} "user.deep.iterative"
// RECURSES: OpFunctionCall %{{.*}} %user_deep_iterative
llvm.func internal @deep(%p: !llvm.ptr, %n: i32) -> i32 attributes {passthrough = ["noinline"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %v = llvm.load volatile %p : !llvm.ptr -> i32
  %go = llvm.icmp "ult" %v, %n : i32
  llvm.cond_br %go, ^go, ^end
^go:
  %m = llvm.sub %n, %one : i32
  %a = llvm.call @deep(%p, %m) : (!llvm.ptr, i32) -> i32
  %b = llvm.call @deep(%p, %a) : (!llvm.ptr, i32) -> i32
  llvm.return %b : i32
^end:
  llvm.return %v : i32
}
llvm.func @recurses(%p: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %v = llvm.call @deep(%p, %n) : (!llvm.ptr, i32) -> i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// The clock is a word that the host sets forward and each reader by one.
// TIMES: OpAtomicIAdd %ulong
llvm.func @times(%p: !llvm.ptr) attributes {hetir.kernel} {
  %t = hetir.clock nanoseconds : i64
  llvm.store %t, %p : i64, !llvm.ptr
  llvm.return
}
