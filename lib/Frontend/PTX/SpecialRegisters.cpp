// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpecialRegisters.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

static constexpr struct {
  StringLiteral name;
  Intrinsic::ID id;
} registers[] = {{"%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid},
                 {"%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid},
                 {"%nwarpid", Intrinsic::nvvm_read_ptx_sreg_nwarpid},
                 {"%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq},
                 {"%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt},
                 {"%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le},
                 {"%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt},
                 {"%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge},
                 {"%clock", Intrinsic::nvvm_read_ptx_sreg_clock},
                 {"%clock64", Intrinsic::nvvm_read_ptx_sreg_clock64},
                 {"%globaltimer", Intrinsic::nvvm_read_ptx_sreg_globaltimer},
                 {"%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x},
                 {"%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y},
                 {"%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z},
                 {"%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x},
                 {"%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y},
                 {"%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z},
                 {"%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x},
                 {"%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y},
                 {"%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
                 {"%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x},
                 {"%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y},
                 {"%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
                 {"%clusterid.x", Intrinsic::nvvm_read_ptx_sreg_clusterid_x},
                 {"%clusterid.y", Intrinsic::nvvm_read_ptx_sreg_clusterid_y},
                 {"%clusterid.z", Intrinsic::nvvm_read_ptx_sreg_clusterid_z},
                 {"%nclusterid.x", Intrinsic::nvvm_read_ptx_sreg_nclusterid_x},
                 {"%nclusterid.y", Intrinsic::nvvm_read_ptx_sreg_nclusterid_y},
                 {"%nclusterid.z", Intrinsic::nvvm_read_ptx_sreg_nclusterid_z},
                 {"%cluster_ctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x},
                 {"%cluster_ctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y},
                 {"%cluster_ctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z},
                 {"%cluster_nctaid.x", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x},
                 {"%cluster_nctaid.y", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y},
                 {"%cluster_nctaid.z", Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z},
                 {"%cluster_ctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank},
                 {"%cluster_nctarank", Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank},
                 {"%is_explicit_cluster", Intrinsic::nvvm_is_explicit_cluster}};

Value *het::ptx::readSpecialRegister(IRBuilder<> &b, StringRef name) {
  for (const auto &entry : registers)
    if (entry.name == name)
      return b.CreateIntrinsic(entry.id, {});
  if (name == "%clock_hi")
    return b.CreateTrunc(
        b.CreateLShr(b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_clock64, {}), 32),
        b.getInt32Ty());
  const bool isHigh = name == "%globaltimer_hi";
  if (isHigh || name == "%globaltimer_lo")
    return b.CreateTrunc(
        b.CreateLShr(b.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_globaltimer, {}),
                     isHigh ? 32 : 0),
        b.getInt32Ty());
  if (name == "WARP_SZ" || name == "%warpsize")
    return b.getInt32(32);
  return nullptr;
}
