// What LLVM IR has and SPIR-V, or a consumer of it, has not.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=multiplies | %{dis}=MULTIPLIES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=narrow | %{dis}=NARROW
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=wide | %{dis}=WIDE
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=lowest | %{dis}=LOWEST
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=merges | %{dis}=MERGES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=meets | %{dis}=MEETS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=truths | %{dis}=TRUTHS
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=chosen | %{dis}=CHOSEN
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=negates | %{dis}=NEGATES
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=negates | %{dis}=ALONE
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=negates_alone | %{dis}=ALONE
// RUN: het-lower --target=spirv --arch=spirv1.3 %s --kernel=truth_as_number | %{dis}=NUMBER
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=complement | %{dis}=COMPLEMENT
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=complement_alone | %{dis}=APART
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=converted_twice | %{dis}=TWICE
// RUN: het-lower --target=spirv "--arch=spirv1.3;cpu" %s --kernel=zero_over_integer | %{dis}=QUOTIENT

// MULTIPLIES-NOT: OpUMulExtended
// MULTIPLIES: OpUDiv %ulong
llvm.func @multiplies(%p: !llvm.ptr, %q: !llvm.ptr, %a: i64, %b: i64) attributes {hetir.kernel} {
  %r = "llvm.intr.umul.with.overflow"(%a, %b) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %o = llvm.extractvalue %r[1] : !llvm.struct<(i64, i1)>
  %w = llvm.zext %o : i1 to i32
  llvm.store %w, %p : i32, !llvm.ptr
  llvm.return
}

// A number of 24 bits takes three bytes.
// NARROW: OpLoad %ushort
// NARROW: OpLoad %uchar
llvm.func @narrow(%p: !llvm.ptr, %q: !llvm.ptr) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> i24
  %w = llvm.zext %v : i24 to i32
  llvm.store %w, %q : i32, !llvm.ptr
  llvm.return
}

// WIDE-NOT: OpTypeInt 128
// WIDE: OpLoad %ulong
// WIDE: OpLoad %ulong
llvm.func @wide(%p: !llvm.ptr, %q: !llvm.ptr, %i: i64) attributes {hetir.kernel} {
  %e = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i128
  %v = llvm.load %e : !llvm.ptr -> i128
  %s = llvm.mlir.constant(3 : i128) : i128
  %r = llvm.intr.fshl(%v, %v, %s) : (i128, i128, i128) -> i128
  %a = "llvm.intr.abs"(%r) <{is_int_min_poison = false}> : (i128) -> i128
  llvm.store %a, %q : i128, !llvm.ptr
  llvm.return
}

// LOWEST: OpBitwiseAnd %ulong
// LOWEST: OpINotEqual %bool
llvm.func @lowest(%p: !llvm.ptr, %x: i64) attributes {hetir.kernel} {
  %b = llvm.trunc %x : i64 to i1
  %one = llvm.mlir.constant(7 : i32) : i32
  %two = llvm.mlir.constant(9 : i32) : i32
  %v = llvm.select %b, %one, %two : i1, i32
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.return
}

// A structure that comes from several blocks, or is chosen or frozen, is its numbers.
// MERGES-NOT: OpPhi %_struct
// MERGES-NOT: OpSelect %_struct
// MERGES-DAG: OpPhi %float
// MERGES-DAG: OpPhi %uint
llvm.func @pair(%p: !llvm.ptr) -> !llvm.struct<"pair", (f32, i32)> attributes {passthrough = ["noinline"]} {
  %v = llvm.load volatile %p : !llvm.ptr -> f32
  %n = llvm.load volatile %p : !llvm.ptr -> i32
  %none = llvm.mlir.poison : !llvm.struct<"pair", (f32, i32)>
  %half = llvm.insertvalue %v, %none[0] : !llvm.struct<"pair", (f32, i32)>
  %all = llvm.insertvalue %n, %half[1] : !llvm.struct<"pair", (f32, i32)>
  llvm.return %all : !llvm.struct<"pair", (f32, i32)>
}
llvm.func @merges(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1, %d: i1, %n: i32) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.call @pair(%p) : (!llvm.ptr) -> !llvm.struct<"pair", (f32, i32)>
  llvm.cond_br %c, ^loop(%a, %n : !llvm.struct<"pair", (f32, i32)>, i32), ^end(%a : !llvm.struct<"pair", (f32, i32)>)
^loop(%l: !llvm.struct<"pair", (f32, i32)>, %i: i32):
  %b = llvm.call @pair(%q) : (!llvm.ptr) -> !llvm.struct<"pair", (f32, i32)>
  %s = llvm.select %d, %b, %l : i1, !llvm.struct<"pair", (f32, i32)>
  %f = llvm.freeze %s : !llvm.struct<"pair", (f32, i32)>
  %j = llvm.sub %i, %one : i32
  %go = llvm.icmp "ne" %j, %one : i32
  llvm.cond_br %go, ^loop(%f, %j : !llvm.struct<"pair", (f32, i32)>, i32), ^end(%f : !llvm.struct<"pair", (f32, i32)>)
^end(%r: !llvm.struct<"pair", (f32, i32)>):
  %x = llvm.extractvalue %r[0] : !llvm.struct<"pair", (f32, i32)>
  %m = llvm.extractvalue %r[1] : !llvm.struct<"pair", (f32, i32)>
  llvm.store %x, %p : f32, !llvm.ptr
  llvm.store %m, %q : i32, !llvm.ptr
  llvm.return
}

// Cases that lead to one block with a phi meet before it.
// MEETS: OpSwitch %{{.*}} 3 %[[MEET:[^ ]+]] 8 %[[OTHER:[^ ]+]] 21 %[[MEET]]
// MEETS: %[[MEET]] = OpLabel
// MEETS-NEXT: OpBranch
llvm.func @meets(%p: !llvm.ptr, %n: i32, %a: i32, %b: i32) attributes {hetir.kernel} {
  llvm.switch %n : i32, ^end(%a : i32) [3: ^same(%a : i32), 8: ^other, 21: ^same(%a : i32)]
^other:
  llvm.store volatile %n, %p : i32, !llvm.ptr
  llvm.br ^same(%b : i32)
^same(%x: i32):
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^end(%x : i32)
^end(%y: i32):
  llvm.store volatile %y, %p : i32, !llvm.ptr
  llvm.return
}

// Truth values of a vector are no bits of an integer.
// TRUTHS: OpIEqual %v4bool
// TRUTHS: OpCompositeExtract %bool
// TRUTHS: OpShiftLeftLogical
llvm.func @truths(%p: !llvm.ptr, %q: !llvm.ptr, %n: i8) attributes {hetir.kernel} {
  %v = llvm.load %p : !llvm.ptr -> vector<4xi32>
  %w = llvm.load %q : !llvm.ptr -> vector<4xi32>
  %e = llvm.icmp "eq" %v, %w : vector<4xi32>
  %b = llvm.bitcast %e : vector<4xi1> to i4
  %r = llvm.zext %b : i4 to i8
  llvm.store %r, %p : i8, !llvm.ptr
  llvm.return
}

// One truth value chooses between vectors.
// CHOSEN: %[[CONDITIONS:[^ ]+]] = OpVectorShuffle %v4bool
// CHOSEN: OpSelect %v4uint %[[CONDITIONS]]
llvm.func @chosen(%p: !llvm.ptr, %q: !llvm.ptr, %n: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %first = llvm.icmp "eq" %n, %zero : i32
  %v = llvm.load %p : !llvm.ptr -> vector<4xi32>
  %w = llvm.load %q : !llvm.ptr -> vector<4xi32>
  %r = llvm.select %first, %v, %w : i1, vector<4xi32>
  llvm.store %r, %p : vector<4xi32>, !llvm.ptr
  llvm.return
}

// Where there are barriers, a negation turns over a bit that no compiler knows.
// NEGATES-NOT: OpFNegate
// NEGATES: %[[OFFSETS:[^ ]+]] = OpLoad %v3ulong %__spirv_BuiltInGlobalOffset
// NEGATES: %[[OFFSET:[^ ]+]] = OpCompositeExtract %ulong %[[OFFSETS]] 0
// NEGATES: %[[LOW:[^ ]+]] = OpUConvert %uint %[[OFFSET]]
// NEGATES: %[[SIGN:[^ ]+]] = OpBitwiseXor %uint %[[LOW]] %uint_2147483648
// NEGATES: OpBitwiseXor %uint %{{[^ ]+}} %[[SIGN]]
// NEGATES-NOT: OpFNegate
llvm.func @negates(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fneg %x : f32
  hetir.barrier
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}

// ALONE-NOT: GlobalOffset
// ALONE: OpFNegate
llvm.func @negates_alone(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fneg %x : f32
  llvm.store %y, %p : f32, !llvm.ptr<1>
  llvm.return
}

// NUMBER-DAG: %[[MINUS:[^ ]+]] = OpConstant %float -1
// NUMBER-DAG: %[[PLUS:[^ ]+]] = OpConstant %float 1{{$}}
// NUMBER-NOT: OpConvert{{[SU]}}ToF
// NUMBER: OpSelect %float %{{[^ ]+}} %[[MINUS]]
// NUMBER: OpSelect %float %{{[^ ]+}} %[[PLUS]]
// NUMBER-NOT: OpConvert{{[SU]}}ToF
llvm.func @truth_as_number(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %is = llvm.icmp "ne" %x, %zero : i32
  %s = llvm.sitofp %is : i1 to f32
  llvm.store volatile %s, %p : f32, !llvm.ptr<1>
  %u = llvm.uitofp %is : i1 to f32
  llvm.store volatile %u, %p : f32, !llvm.ptr<1>
  llvm.return
}

// COMPLEMENT: %[[OFFSETS:[^ ]+]] = OpLoad %v3ulong %__spirv_BuiltInGlobalOffset
// COMPLEMENT: %[[OFFSET:[^ ]+]] = OpCompositeExtract %ulong %[[OFFSETS]] 0
// COMPLEMENT: %[[LOW:[^ ]+]] = OpUConvert %uint %[[OFFSET]]
// COMPLEMENT: %[[ONE:[^ ]+]] = OpBitwiseXor %uint %[[LOW]] %uint_1
// COMPLEMENT: %[[ONES:[^ ]+]] = OpISub %uint %{{[^ ]+}} %[[ONE]]
// COMPLEMENT: OpBitwiseXor %uint %{{[^ ]+}} %[[ONES]]
llvm.func @complement(%p: !llvm.ptr<1>, %b: i32) attributes {hetir.kernel} {
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.xor %x, %ones : i32
  %z = llvm.intr.umin(%y, %b) : (i32, i32) -> i32
  llvm.store %z, %p : i32, !llvm.ptr<1>
  llvm.return
}

// APART-NOT: GlobalOffset
// APART: OpBitwiseXor %uint %{{[^ ]+}} %uint_4294967295
llvm.func @complement_alone(%p: !llvm.ptr<1>) attributes {hetir.kernel} {
  %ones = llvm.mlir.constant(-1 : i32) : i32
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.xor %x, %ones : i32
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.return
}

// TWICE: %[[ZERO:[^ ]+]] = OpUConvert %uint
// TWICE: %[[HIDDEN:[^ ]+]] = OpBitwiseXor %uint %{{[^ ]+}} %[[ZERO]]
// TWICE: OpConvertSToF %float %[[HIDDEN]]
llvm.func @converted_twice(%p: !llvm.ptr<1>, %c: i1) attributes {hetir.kernel} {
  %seven = llvm.mlir.constant(7 : i32) : i32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fptosi %x : f32 to i32
  %z = llvm.select %c, %y, %seven : i1, i32
  %w = llvm.sitofp %z : i32 to f32
  llvm.store %w, %p : f32, !llvm.ptr<1>
  llvm.return
}

// QUOTIENT-NOT: OpFDiv
// QUOTIENT: %[[DIVISOR:[^ ]+]] = OpConvertSToF %float
// QUOTIENT: %[[NEGATIVE:[^ ]+]] = OpFOrdLessThan %bool %[[DIVISOR]] %
// QUOTIENT: %[[SIGNED:[^ ]+]] = OpSelect %float %[[NEGATIVE]]
// QUOTIENT: %[[NONZERO:[^ ]+]] = OpFOrdNotEqual %bool %[[DIVISOR]] %
// QUOTIENT: OpSelect %float %[[NONZERO]] %[[SIGNED]]
// QUOTIENT-NOT: OpFDiv
llvm.func @zero_over_integer(%p: !llvm.ptr<1>, %b: i32, %f: f32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %x = llvm.sitofp %b : i32 to f32
  %y = llvm.fdiv %zero, %x : f32
  %z = llvm.fmul %y, %f : f32
  llvm.store %z, %p : f32, !llvm.ptr<1>
  llvm.return
}
