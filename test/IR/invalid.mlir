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

llvm.func @copies(%p: !llvm.ptr, %x: i32) {
  // expected-error @below {{'hetir.copy' belongs on a store}}
  %0 = llvm.load %p {hetir.copy = "ca"} : !llvm.ptr -> i32
  llvm.return
}

// -----

llvm.func @cache_of_copies(%p: !llvm.ptr, %x: i32) {
  // expected-error @below {{'hetir.copy': found "cs", expected "ca" or "cg"}}
  llvm.store %x, %p {hetir.copy = "cs"} : i32, !llvm.ptr
  llvm.return
}

// -----

llvm.func @pending(%p: !llvm.ptr) {
  // expected-error @below {{attribute 'pending' failed to satisfy constraint}}
  "hetir.copy_wait"() {pending = -1 : i32} : () -> ()
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

llvm.func @flushed_sum(%a: f32) {
  // expected-error @below {{found other operands or another result than 'add_ftz' has}}
  %sum = hetir.math "add_ftz"(%a) exact : (f32) -> f32
  llvm.return
}

// -----

llvm.func @flushed_double(%a: f64) {
  // expected-error @below {{found other operands or another result than 'mul_ftz' has}}
  %product = hetir.math "mul_ftz"(%a, %a) exact : (f64, f64) -> f64
  llvm.return
}

// -----

llvm.func @texture(%t: i64, %x: f32) {
  // expected-error @below {{found coordinates ('f32'), expected one i32 or two f32}}
  %0 = hetir.texture_fetch %t[%x] : (f32) -> vector<4xi32>
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

// expected-error @below {{hetIR version: found 7.2, expected at most 0.7; update hetcc's runtime}}
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

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{'hetir.matrix_multiply' op has no shape of MatrixForms.def}}
  %0:2 = hetir.matrix_multiply multiply 8 x 8 x 8 f16, f16, f32 -> f32, %r(%r) : (i32) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{'hetir.matrix_multiply' op has no shape of MatrixForms.def}}
  %0:4 = hetir.matrix_multiply multiply 16 x 8 x 8 f16, bf16, f32 -> f32, %r(%r) : (i32) -> (i32, i32, i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{has a sum of a type that its elements have not}}
  %0:4 = hetir.matrix_multiply multiply 16 x 8 x 8 bf16, bf16, f16 -> f32, %r(%r) : (i32) -> (i32, i32, i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{combines elements in a way that they have not}}
  %0:2 = hetir.matrix_multiply multiply 8 x 8 x 128 b1, b1, s32 -> s32, %r(%r) : (i32) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{saturates what is no sum of integers}}
  %0:2 = hetir.matrix_multiply xor_count 8 x 8 x 128 b1, b1, s32 -> s32 saturate, %r(%r) : (i32) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{found 3 registers and 2 results, expected 4 and 2}}
  %0:2 = hetir.matrix_multiply multiply 8 x 8 x 16 s8, s8, s32 -> s32, %r(%r, %r, %r) : (i32, i32, i32) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{has a register of another width than its elements ask for}}
  %0:2 = hetir.matrix_multiply multiply 8 x 8 x 16 s8, s8, s32 -> s32, %r(%r, %r, %r, %w) : (i32, i32, i32, i64) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{found 3 matrices, expected 1, 2 or 4}}
  %0:3 = hetir.matrix_load %r, %p : (!llvm.ptr<3>) -> (i32, i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{found 3 matrices, expected a multiple of its depth}}
  %0:3 = hetir.matrix_load_rows depth 2 %p, %w : (!llvm.ptr<3>) -> (i32, i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%w: i64, %p: !llvm.ptr<3>) {
  // expected-error @below {{attribute 'depth' failed to satisfy constraint: 32-bit signless integer attribute whose value is positive}}
  %0:2 = hetir.matrix_load_rows depth 0 %p, %w : (!llvm.ptr<3>) -> (i32, i32)
  llvm.return
}

// -----

llvm.func @matrices(%r: i32, %p: !llvm.ptr<3>) {
  // expected-error @below {{found 3 matrices, expected 1, 2 or 4}}
  hetir.matrix_store %r, %p(%r, %r, %r) : <3>, i32, i32, i32
  llvm.return
}
