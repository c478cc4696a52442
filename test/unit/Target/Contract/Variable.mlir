// A kernel with a variable of its package, apart from the others: a request has one
// kernel, and the variables of its file are that one's.

// *address = the address of the package's variable
llvm.mlir.global external @counter() {addr_space = 1 : i32, hetir.variable} : i32
llvm.func @variable(%address: !llvm.ptr<1>) attributes {hetir.kernel} {
  %counter = llvm.mlir.addressof @counter : !llvm.ptr<1>
  %number = llvm.ptrtoint %counter : !llvm.ptr<1> to i64
  llvm.store %number, %address : i64, !llvm.ptr<1>
  llvm.return
}
