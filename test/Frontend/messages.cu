// REQUIRES: hetcc
// RUN: not hetcc -c %s -o %t.o 2>&1 | FileCheck %s

// Both passes read the file; what both find is shown once.

// CHECK: messages.cu:[[#@LINE+2]]:{{.*}}: error: use of undeclared identifier 'missing'
// CHECK-NOT: undeclared
__global__ void kernel(int *p) { p[0] = missing; }
// CHECK: 1 error generated.
