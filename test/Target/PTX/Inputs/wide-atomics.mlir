llvm.func @exchange(%p: !llvm.ptr<1>, %a: i128, %b: i128) attributes {hetir.kernel} {
  %pair = llvm.cmpxchg %p, %a, %b monotonic monotonic {alignment = 16 : i64} : !llvm.ptr<1>, i128
  %old = llvm.extractvalue %pair[0] : !llvm.struct<(i128, i1)>
  llvm.store %old, %p : i128, !llvm.ptr<1>
  llvm.return
}
