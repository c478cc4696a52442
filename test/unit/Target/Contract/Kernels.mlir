// The kernels of the contract suite. Each is lowered by the target under test, as the
// runtime would ask for it. The module has hetIR's data layout, by which arguments lie.

module attributes {dlti.dl_spec = #dlti.dl_spec<
  !llvm.ptr = dense<64> : vector<4xi64>, !llvm.ptr<1> = dense<64> : vector<4xi64>,
  !llvm.ptr<3> = dense<64> : vector<4xi64>, !llvm.ptr<4> = dense<64> : vector<4xi64>,
  !llvm.ptr<5> = dense<64> : vector<4xi64>, i1 = dense<8> : vector<2xi64>,
  i8 = dense<8> : vector<2xi64>, i16 = dense<16> : vector<2xi64>,
  i32 = dense<32> : vector<2xi64>, i64 = dense<64> : vector<2xi64>,
  i128 = dense<128> : vector<2xi64>, "dlti.endianness" = "little">} {

// *address = value
llvm.func @store(%address: !llvm.ptr<1>, %value: i32) attributes {hetir.kernel} {
  llvm.store %value, %address : i32, !llvm.ptr<1>
  llvm.return
}

llvm.func @trap() attributes {hetir.kernel} {
  hetir.trap
  llvm.unreachable
}

// out[thread of the grid] += 1 + that number, of a grid and blocks of two dimensions
llvm.func @numbers(%out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %bx = hetir.block_id x
  %by = hetir.block_id y
  %gx = hetir.grid_dim x
  %row = llvm.mul %by, %gx : i32
  %block = llvm.add %row, %bx : i32
  %tx = hetir.thread_id x
  %ty = hetir.thread_id y
  %nx = hetir.block_dim x
  %ny = hetir.block_dim y
  %trow = llvm.mul %ty, %nx : i32
  %thread = llvm.add %trow, %tx : i32
  %threads = llvm.mul %nx, %ny : i32
  %first = llvm.mul %block, %threads : i32
  %index = llvm.add %first, %thread : i32
  %place = llvm.getelementptr %out[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %old = llvm.load %place : !llvm.ptr<1> -> i32
  %number = llvm.add %index, %one : i32
  %new = llvm.add %old, %number : i32
  llvm.store %new, %place : i32, !llvm.ptr<1>
  llvm.return
}

// out[0..3] = the arguments, widened; their places are C's
llvm.func @arguments(%a: i8, %out: !llvm.ptr<1>, %b: i16, %c: i32, %d: i8, %e: i64) attributes {hetir.kernel} {
  %a64 = llvm.zext %a : i8 to i64
  %b64 = llvm.zext %b : i16 to i64
  %c64 = llvm.zext %c : i32 to i64
  %d64 = llvm.zext %d : i8 to i64
  llvm.store %a64, %out : i64, !llvm.ptr<1>
  %p1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %b64, %p1 : i64, !llvm.ptr<1>
  %p2 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %c64, %p2 : i64, !llvm.ptr<1>
  %p3 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %d64, %p3 : i64, !llvm.ptr<1>
  %p4 = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
  llvm.store %e, %p4 : i64, !llvm.ptr<1>
  llvm.return
}

// out[block * threads + thread] = (threads - 1 - thread) + 100 * block, by way of both
// kinds of shared memory
llvm.mlir.global external @box() {addr_space = 3 : i32, alignment = 4 : i64} : i32
llvm.func @shared(%out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %hundred = llvm.mlir.constant(100 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %box = llvm.mlir.addressof @box : !llvm.ptr<3>
  %dynamic = hetir.dynamic_shared : <3>
  %thread = hetir.thread_id x
  %threads = hetir.block_dim x
  %block = hetir.block_id x
  %mine = llvm.getelementptr %dynamic[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %thread, %mine : i32, !llvm.ptr<3>
  %first = llvm.icmp "eq" %thread, %zero : i32
  llvm.cond_br %first, ^leader, ^meet
^leader:
  %base = llvm.mul %block, %hundred : i32
  llvm.store %base, %box : i32, !llvm.ptr<3>
  llvm.br ^meet
^meet:
  hetir.barrier
  %last = llvm.sub %threads, %one : i32
  %other = llvm.sub %last, %thread : i32
  %theirs = llvm.getelementptr %dynamic[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %value = llvm.load %theirs : !llvm.ptr<3> -> i32
  %start = llvm.load %box : !llvm.ptr<3> -> i32
  %sum = llvm.add %value, %start : i32
  %begin = llvm.mul %block, %threads : i32
  %index = llvm.add %begin, %thread : i32
  %place = llvm.getelementptr %out[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %sum, %place : i32, !llvm.ptr<1>
  llvm.return
}

// Each block counts itself, meets all others, and stores what was counted.
llvm.func @meet(%count: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %thread = hetir.thread_id x
  %block = hetir.block_id x
  %first = llvm.icmp "eq" %thread, %zero : i32
  llvm.cond_br %first, ^count, ^meet
^count:
  %old = llvm.atomicrmw add %count, %one syncscope("device") monotonic : !llvm.ptr<1>, i32
  llvm.br ^meet
^meet:
  hetir.grid_barrier
  llvm.cond_br %first, ^say, ^end
^say:
  %seen = llvm.atomicrmw add %count, %zero syncscope("device") monotonic : !llvm.ptr<1>, i32
  %place = llvm.getelementptr %out[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %seen, %place : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}

// A block whose word is 0 meets its cluster, any other the grid; then it puts its number
// there, counted from 1.
llvm.func @choose(%out: !llvm.ptr<1>) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %block = hetir.block_id x
  %place = llvm.getelementptr %out[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %choice = llvm.load volatile %place : !llvm.ptr<1> -> i32
  %isFirst = llvm.icmp "eq" %choice, %zero : i32
  llvm.cond_br %isFirst, ^cluster, ^grid
^cluster:
  hetir.cluster_arrive
  hetir.grid_barrier cluster
  llvm.br ^end
^grid:
  hetir.grid_barrier
  llvm.br ^end
^end:
  %behind = llvm.add %block, %one : i32
  llvm.store %behind, %place : i32, !llvm.ptr<1>
  llvm.return
}

// The first 32 threads of a block meet the grid, the others the cluster where the block's
// word is 0, else the block.
llvm.func @split(%choices: !llvm.ptr<1>) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %half = llvm.mlir.constant(32 : i32) : i32
  %block = hetir.block_id x
  %thread = hetir.thread_id x
  %place = llvm.getelementptr %choices[%block] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %choice = llvm.load volatile %place : !llvm.ptr<1> -> i32
  %isFirst = llvm.icmp "ult" %thread, %half : i32
  llvm.cond_br %isFirst, ^grid, ^others
^others:
  %isCluster = llvm.icmp "eq" %choice, %zero : i32
  llvm.cond_br %isCluster, ^cluster, ^block
^grid:
  hetir.grid_barrier
  llvm.br ^end
^cluster:
  hetir.cluster_arrive
  hetir.grid_barrier cluster
  llvm.br ^end
^block:
  hetir.barrier
  llvm.br ^end
^end:
  llvm.return
}

// In each phase a thread counts in two loops by itself and for as long as it wants, meets
// all threads of the grid, and goes on with what another one has then. In the end it stores
// that, and what was given at the beginning.
llvm.func @apart(%out: !llvm.ptr<1>, %kept: !llvm.ptr<1>, %given: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %rounds: i32, %phases: i32) attributes {hetir.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %few = llvm.mlir.constant(7 : i32) : i32
  %far = llvm.mlir.constant(37 : i32) : i32
  %factor = llvm.mlir.constant(1664525 : i32) : i32
  %thread = hetir.thread_id x
  %threads = hetir.block_dim x
  %block = hetir.block_id x
  %blocks = hetir.grid_dim x
  %first = llvm.mul %block, %threads : i32
  %index = llvm.add %first, %thread : i32
  %all = llvm.mul %threads, %blocks : i32
  %behind = llvm.add %index, %far : i32
  %place = llvm.urem %behind, %all : i32
  %u = llvm.load %given invariant : !llvm.ptr<1> -> i32
  %own = llvm.getelementptr %out[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %other = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %longer = llvm.and %thread, %few : i32
  %short = llvm.mul %longer, %rounds : i32
  %long = llvm.add %short, %rounds : i32
  llvm.br ^phase(%zero, %index : i32, i32)
^phase(%p: i32, %x: i32):
  llvm.br ^a(%zero, %x : i32, i32)
^a(%ai: i32, %ax: i32):
  %am = llvm.mul %ax, %factor : i32
  %ar = llvm.load volatile %given : !llvm.ptr<1> -> i32
  %as = llvm.add %am, %ar : i32
  %ay = llvm.add %as, %ai : i32
  %an = llvm.add %ai, %one : i32
  %amore = llvm.icmp "slt" %an, %long : i32
  llvm.cond_br %amore, ^a(%an, %ay : i32, i32), ^between
^between:
  llvm.br ^b(%zero, %ay : i32, i32)
^b(%bi: i32, %bx: i32):
  %bm = llvm.mul %bx, %factor : i32
  %br = llvm.load volatile %given : !llvm.ptr<1> -> i32
  %bs = llvm.add %bm, %br : i32
  %by = llvm.xor %bs, %bi : i32
  %bn = llvm.add %bi, %one : i32
  %bmore = llvm.icmp "slt" %bn, %short : i32
  llvm.cond_br %bmore, ^b(%bn, %by : i32, i32), ^meet
^meet:
  llvm.store %by, %own : i32, !llvm.ptr<1>
  hetir.grid_barrier
  %theirs = llvm.load %other : !llvm.ptr<1> -> i32
  %next = llvm.xor %by, %theirs : i32
  hetir.grid_barrier
  %q = llvm.add %p, %one : i32
  %more = llvm.icmp "slt" %q, %phases : i32
  llvm.cond_br %more, ^phase(%q, %next : i32, i32), ^end
^end:
  llvm.store %next, %own : i32, !llvm.ptr<1>
  %keep = llvm.getelementptr %kept[%index] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %u, %keep : i32, !llvm.ptr<1>
  llvm.return
}

llvm.mlir.global internal constant @text("printed\0A\00") {addr_space = 4 : i32}
llvm.func @print() attributes {hetir.kernel} {
  %text = llvm.mlir.addressof @text : !llvm.ptr<4>
  %none = llvm.mlir.zero : !llvm.ptr
  %count = hetir.printf %text, %none : !llvm.ptr<4>, !llvm.ptr
  llvm.return
}

llvm.mlir.global internal constant @expression("x > 0\00") {addr_space = 4 : i32}
llvm.mlir.global internal constant @file("file.cu\00") {addr_space = 4 : i32}
llvm.mlir.global internal constant @function("kernel\00") {addr_space = 4 : i32}
llvm.func @assertion() attributes {hetir.kernel} {
  %line = llvm.mlir.constant(12 : i32) : i32
  %expression = llvm.mlir.addressof @expression : !llvm.ptr<4>
  %file = llvm.mlir.addressof @file : !llvm.ptr<4>
  %function = llvm.mlir.addressof @function : !llvm.ptr<4>
  hetir.assert_fail %expression, %file, %line, %function : !llvm.ptr<4>, !llvm.ptr<4>, !llvm.ptr<4>
  hetir.trap
  llvm.unreachable
}

} // module
