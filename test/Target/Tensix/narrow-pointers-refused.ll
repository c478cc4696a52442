; What has no meaning yet is refused by name.
;
; REQUIRES: tensix-pass
; RUN: not tensix-pass narrow-pointers %s 2>&1 | FileCheck %s
; CHECK: error: function 'gather': a vector of pointers is not supported on Tensix cores yet: %v = load <4 x ptr>

define void @gather(ptr addrspace(5) %p, ptr addrspace(5) %q) {
  %v = load <4 x ptr>, ptr addrspace(5) %p, align 32
  store <4 x ptr> %v, ptr addrspace(5) %q, align 32
  ret void
}
