// What the operations and attributes themselves refuse.
//
// RUN: het-opt %s -split-input-file -verify-diagnostics

llvm.func @barrier_id() {
  // expected-error @below {{has an id above 15}}
  hetir.barrier id 16
  llvm.return
}

// -----

llvm.func @arrival_without_count(%x: i32) {
  // expected-error @+2 {{expected 'count'}}
  hetir.barrier_arrive %x
  llvm.return
}

// -----

llvm.func @number(%x: i64) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%x' expects different type than prior uses: 'i32' vs 'i64'}}
  hetir.named_barrier %x
  llvm.return
}

// -----

llvm.func @aligned(%x: i32) {
  // expected-error @below {{'hetir.aligned' belongs on a barrier of a block}}
  hetir.team_sync %x {hetir.aligned}
  llvm.return
}

// -----

llvm.func @predicate(%x: i32) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%x' expects different type than prior uses: 'i1' vs 'i32'}}
  %0 = hetir.ballot %x, %x
  llvm.return
}

// -----

llvm.func @dimension() {
  // expected-error @+2 {{expected ::het::ir::Dim to be one of: x, y, z}}
  // expected-error @+2 {{failed to parse HetIR_DimAttr}}
  %0 = hetir.thread_id w
  llvm.return
}

// -----

llvm.func @shuffled(%x: i32, %v: vector<2xf32>) {
  // expected-error @below {{operand #1 must be 32-bit signless integer or 64-bit signless integer or 16-bit float or bfloat16 type or 32-bit float or 64-bit float, but got 'vector<2xf32>'}}
  %0, %1 = hetir.shuffle idx %x, %v, %x, %x : vector<2xf32>
  llvm.return
}

// -----

llvm.func @match(%x: i32, %v: f32) {
  // expected-error @below {{must be 32-bit signless integer or 64-bit signless integer, but got 'f32'}}
  %0, %1 = hetir.match any %x, %v : f32
  llvm.return
}

// -----

llvm.func @nameless(%x: f32) {
  // expected-error @below {{names no function}}
  %0 = hetir.math ""(%x) exact : (f32) -> f32
  llvm.return
}

// -----

llvm.func @clock() {
  // expected-error @below {{has a result of another width than its clock's}}
  %0 = hetir.clock cycles32 : i64
  llvm.return
}

// -----

llvm.func @shared() {
  // expected-error @below {{LLVM pointer in address space 3}}
  %0 = hetir.dynamic_shared : !llvm.ptr<1>
  llvm.return
}

// -----

llvm.func @slots(%a: i32) {
  // expected-error @below {{has 2 slots for 1 live values}}
  %0 = hetir.safe_point 0 entry(%a : i32) {hetir.slots = array<i32: 0, 1>}
  llvm.return
}

// -----

// expected-error @below {{'hetir.kernel' belongs on a function}}
llvm.mlir.global external @object() {hetir.kernel} : i32

// -----

// expected-error @below {{'hetir.variable' belongs on a global}}
llvm.func @function() attributes {hetir.variable} {
  llvm.return
}

// -----

llvm.func @level() {
  // expected-error @below {{'hetir.uniform' is a level}}
  %0 = hetir.lane_id {hetir.uniform = 3 : i32}
  llvm.return
}

// -----

// expected-error @below {{hetIR version: found 7.2, expected at most 0.6; update hetcc's runtime}}
module attributes {hetir.version = "7.2"} {
}

// -----

// expected-error @below {{'hetir.version': found "new", expected "<major>.<minor>"}}
module attributes {hetir.version = "new"} {
}

// -----

// expected-error @below {{'hetir.line_info' belongs on a module}}
llvm.func @lines() attributes {hetir.line_info = "/src"} {
  llvm.return
}

// -----

// expected-error @below {{'hetir.line_info' is a folder's name}}
module attributes {hetir.line_info} {
}

// -----

// expected-error @below {{'hetir.native_math' belongs on a module}}
llvm.func @native() attributes {hetir.native_math} {
  llvm.return
}
