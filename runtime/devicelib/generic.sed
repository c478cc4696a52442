# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Takes everything out of textual LLVM IR that names a machine or leaves a choice open:
# triple and data layout, target attributes, "may or may not fuse", reduced precision of
# a division, and the address space of constant tables.
/^target (triple|datalayout)/d
/^declare .*@llvm\.fmuladd\./d
s/ "(target-cpu|target-features|tune-cpu|frame-pointer|min-legal-vector-width|stack-protector-buffer-size|no-trapping-math)"="[^"]*"//g
s/llvm\.fmuladd\./llvm.fma./g
s/, !fpmath ![0-9]+//g
s/\b(optnone|uwtable|mustprogress|nobuiltin)\b//g
s/ "no-builtins"//g
s/ addrspace\(4\)//g
s/^(attributes #[0-9]+ = \{) *\}/\1 nounwind }/
