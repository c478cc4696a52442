// The same expressions on the host and in a kernel.
__host__ __device__ double sum(double d, float f) {
  double s, c;
  float sf, cf;
  sincospi(d, &s, &c);
  sincospif(f, &sf, &cf);
  return sinpi(d) + sinpi(f) + sinpif(f) + cospi(d) + cospi(f) + cospif(f) + rsqrt(d) +
         rsqrt(f) + rsqrtf(f) + s + c + sf + cf;
}

__global__ void kernel(double *out, double d, float f) { *out = sum(d, f); }

double onHost(double d, float f) { return sum(d, f); }
