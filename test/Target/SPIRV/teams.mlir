// Team operations of the flat form: a team is a sub-group of 32.
//
// REQUIRES: spirv-dis
// DEFINE: %{dis} = python3 %S/Inputs/artifact.py | spirv-dis | FileCheck %s --check-prefix
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams" %s --kernel=votes | %{dis}=VOTES
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams" %s --kernel=shuffles | %{dis}=SHUFFLES
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams" %s --kernel=reduces | %{dis}=REDUCES
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams8" %s --kernel=votes | %{dis}=SPLIT
// RUN: het-lower --target=spirv "--arch=spirv1.3;teams16" %s --kernel=shuffles | %{dis}=THROUGH

// Of sub-groups of 8, each gives its part of a ballot between two barriers of the block.
// SPLIT: OpExecutionMode %{{.*}} SubgroupSize 8
// SPLIT: OpGroupNonUniformBallot %v4uint %uint_3
// SPLIT: OpStore
// SPLIT: OpControlBarrier %uint_2 %uint_2 %uint_784
// SPLIT: OpControlBarrier %uint_2 %uint_2 %uint_784
// A shuffle is through memory.
// THROUGH-NOT: OpGroupNonUniformShuffle
// THROUGH: OpControlBarrier %uint_2 %uint_2 %uint_784
// VOTES: OpExecutionMode %{{.*}} SubgroupSize 32
// VOTES: OpGroupNonUniformBallot %v4uint %uint_3
// VOTES: OpControlBarrier %uint_3 %uint_3 %uint_784
llvm.func @votes(%p: !llvm.ptr, %x: i1) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %b = hetir.ballot %all, %x
  %any = hetir.vote any %all, %x
  hetir.team_sync %all
  %z = llvm.zext %any : i1 to i32
  %s = llvm.add %b, %z : i32
  llvm.store %s, %p : i32, !llvm.ptr
  llvm.return
}

// SHUFFLES: OpGroupNonUniformShuffle %ulong %uint_3
// SHUFFLES: OpGroupNonUniformShuffle %uint %uint_3
llvm.func @shuffles(%p: !llvm.ptr, %q: !llvm.ptr, %d: f64, %x: f32) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %clamp = llvm.mlir.constant(31 : i32) : i32
  %w, %in0 = hetir.shuffle down %all, %d, %one, %clamp : f64
  %v, %in1 = hetir.shuffle xor %all, %x, %one, %clamp : f32
  llvm.store %w, %p : f64, !llvm.ptr
  llvm.store %v, %q : f32, !llvm.ptr
  llvm.return
}

// REDUCES: OpGroupNonUniformIAdd %uint %uint_3 Reduce
// REDUCES: OpGroupNonUniformUMax %uint %uint_3 Reduce
llvm.func @reduces(%p: !llvm.ptr, %x: i32) attributes {hetir.kernel} {
  %all = llvm.mlir.constant(-1 : i32) : i32
  %a = hetir.team_reduce add %all, %x
  %b = hetir.team_reduce umax %all, %x
  %s = llvm.add %a, %b : i32
  llvm.store %s, %p : i32, !llvm.ptr
  llvm.return
}
