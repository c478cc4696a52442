// Build files define short names: -DN=1024. What is read ahead of each source has no such
// names of its own, but for T, as in NVIDIA's headers, and V.
//
// RUN: hetcc -DA=1 -DB=1 -DC=1 -DD=1 -DE=1 -DF=1 -DG=1 -DH=1 -DI=1 -DJ=1 -DK=1 -DL=1 -c %s -o %t.o
// RUN: hetcc -DM=1 -DN=1 -DO=1 -DP=1 -DQ=1 -DR=1 -DS=1 -DU=1 -DW=1 -DX=1 -DY=1 -DZ=1 -c %s -o %t.o

texture<float, 2> reference;

__global__ void kernel(float *out, cudaTextureObject_t object) {
  *out = tex2D<float>(object, 1.0f, 2.0f) + tex2D(reference, 1.0f, 2.0f);
}
