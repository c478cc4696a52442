// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations about the cluster of a block; a part of HetIROps.td.

#ifndef HET_IR_HETIRCLUSTEROPS_TD
#define HET_IR_HETIRCLUSTEROPS_TD

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

def HetIR_ClusterDimOp : HetIR_DimPositionOp<"cluster_dim", "Grid"> {
  let summary = "number of blocks of a cluster in one dimension";
  let description = [{
    At least 1; grid_dim of the same dimension is a multiple of it. The block with
    the indices b of the launch with the sizes s belongs to the cluster with the
    indices b / s, and is in it at b mod s; its rank there counts x fastest. The
    blocks of a cluster are under way at once. Uniform over the grid.
  }];
}

def HetIR_ClusterGivenOp : HetIR_PlainPositionOp<"cluster_given", "Grid"> {
  let summary = "whether the launch or its kernel says a size of clusters";
  let description = "1 if one is said, which may be of one block, else 0. Uniform over the grid.";
}

def HetIR_ClusterArriveOp : HetIR_Op<"cluster_arrive", [
    MemoryEffects<[MemRead, MemWrite, MemWrite<HetIR_Convergence>]>]> {
  let summary = "arrival at the cluster's barrier without waiting";
  let description = [{
    What the thread did to memory before it is visible to those that pass the
    next `hetir.grid_barrier cluster`. Nobody waits.
  }];
  let assemblyFormat = "attr-dict";
}

// What shared memory of a cluster's other blocks has to do with: not the same for all
// blocks of a grid, whatever the operands are.
class HetIR_ClusterMemoryOp<string mnemonic>
    : HetIR_Op<mnemonic, [Pure, UniformityOpInterface]> {
  let extraClassDeclaration = [{
    ::het::ir::Level inferResultLevel(unsigned, ::llvm::ArrayRef<::het::ir::Level> operands) {
      ::het::ir::Level level = ::het::ir::Level::Block;
      for (::het::ir::Level operand : operands)
        level = std::max(level, operand);
      return level;
    }
  }];
}

def HetIR_ClusterMapOp : HetIR_ClusterMemoryOp<"cluster_map"> {
  let summary = "the same object in the shared memory of another block of the cluster";
  let description = [{
    `pointer` leads into the shared memory of a block of the cluster, this one or
    another; the result to the same place in that of the block with the rank
    `rank`. That block has begun and must not have ended; who uses the result
    sees to it by a barrier of the cluster.
  }];
  let arguments = (ins LLVM_PointerInAddressSpace<0>:$pointer, I32:$rank);
  let results = (outs LLVM_PointerInAddressSpace<0>:$result);
  let assemblyFormat = "$pointer `,` $rank attr-dict `:` type($pointer) `->` type($result)";
}

def HetIR_ClusterRankOp : HetIR_ClusterMemoryOp<"cluster_rank"> {
  let summary = "the block of the cluster whose shared memory a pointer leads to";
  let description = "Its rank in the cluster; 0xFFFFFFFF if the pointer leads elsewhere.";
  let arguments = (ins LLVM_PointerInAddressSpace<0>:$pointer);
  let results = (outs I32:$result);
  let assemblyFormat = "$pointer attr-dict `:` type($pointer)";
}

def HetIR_ClusterAddressOp : HetIR_ClusterMemoryOp<"cluster_address"> {
  let summary = "a pointer to shared memory of the cluster as 32 bits";
  let description = [{
    The number that `hetir.cluster_pointer` makes the pointer of. For the block's own
    shared memory it is the low half of the address in space 3.
  }];
  let arguments = (ins LLVM_PointerInAddressSpace<0>:$pointer);
  let results = (outs I32:$result);
  let assemblyFormat = "$pointer attr-dict `:` type($pointer)";
}

def HetIR_ClusterPointerOp : HetIR_ClusterMemoryOp<"cluster_pointer"> {
  let summary = "the pointer to shared memory of the cluster that 32 bits stand for";
  let description = "The reverse of `hetir.cluster_address`, in the blocks of one cluster.";
  let arguments = (ins I32:$address);
  let results = (outs LLVM_PointerInAddressSpace<0>:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
}

#endif // HET_IR_HETIRCLUSTEROPS_TD
