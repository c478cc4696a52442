// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory in inline PTX: shared memory by 32-bit addresses, vectors, scopes and orders in
// either order of words, barriers in memory, asynchronous copies, addresses' conversions.
// PTX ISA: ld, st, atom, red, cvta, isspacep, cp.async, cp.async.bulk,
// cp.reduce.async.bulk, mbarrier, membar, fence.proxy, prefetch, createpolicy, discard.

#include "Inputs/check.h"

typedef unsigned u32;
typedef unsigned long long u64;

__device__ u32 sharedAddress(const void *p) { return (u32)__cvta_generic_to_shared(p); }

__global__ void sharedAccesses(u32 *out, const u32 *in) {
  __shared__ u32 words[64];
  __shared__ u64 wide[8];
  const u32 i = threadIdx.x, at = sharedAddress(words + i);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(in[i]) : "memory");
  words[32 + i] = i;
  asm volatile("bar.sync 0;" ::: "memory");
  u32 r;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r) : "r"(sharedAddress(words + (i ^ 1))) : "memory");
  out[i] = r;
  asm volatile("atom.shared.add.u32 %0, [%1+-4], 1;"
               : "=r"(r)
               : "r"(sharedAddress(words + 1 + 32))
               : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  out[32 + i] = words[32];
  if (i < 4)
    asm volatile("st.volatile.shared.v2.b64 [%0], {%1, %2};" ::"r"(sharedAddress(wide + i * 2)),
                 "l"((u64)i << 40), "l"((u64)i + 7)
                 : "memory");
  __syncthreads();
  out[64 + i] = (u32)(wide[i % 8] >> (i % 2 ? 0 : 40));
  // Generic, from shared and back; which space it is.
  u64 generic;
  u32 isShared, isGlobal;
  asm("{ .reg .u64 s; cvta.to.shared.u64 s, %1; add.u64 s, s, 4; cvta.shared.u64 %0, s; }"
      : "=l"(generic)
      : "l"(words + i));
  asm("{ .reg .pred p; isspacep.shared p, %2; selp.u32 %0, 1, 0, p;"
      "  isspacep.shared p, %3; selp.u32 %1, 1, 0, p; }"
      : "=r"(isShared), "=r"(isGlobal)
      : "l"(words + i), "l"(out));
  out[96 + i] = (generic == (u64)(words + i + 1)) * 4 + isShared * 2 + isGlobal;
}

__global__ void copies(u32 *out, const u32 *in) {
  __shared__ __align__(16) u32 tile[32 * 4];
  const u32 i = threadIdx.x, to = sharedAddress(tile + i * 4);
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(in + i * 4),
               "r"(i % 5 * 4)
               : "memory");
  asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 4; ++k)
    out[i * 4 + k] = tile[i * 4 + k];
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in));
}

__global__ void vectors(u32 *out, const u32 *in) {
  u32 a, b, c, d;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(in));
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0+8], {%1, %2};" ::"l"(out), "r"(a), "r"(d) : "memory");
  asm volatile("st.cg.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out + 4), "r"(d), "r"(c), "r"(b), "r"(a)
               : "memory");
  short x, y;
  asm volatile("ld.volatile.global.v2.s16 {%0, %1}, [%2];" : "=h"(x), "=h"(y) : "l"(in) : "memory");
  asm volatile("{ .reg .u16 t; ld.global.u8 t, [%1]; cvt.u32.u16 %0, t; }" : "=r"(a) : "l"(in));
  out[8] = (u32)(x * 3 + y);
  out[9] = a;
  asm volatile("fence.gpu.sc;\n\tfence.acq_rel.sys;\n\tmembar.gl;" ::: "memory");
}

// Vectors of registers, whole and by their parts, and registers of 128 bits.
__global__ void vectorRegisters(u32 *out, const u32 *in) {
  asm volatile("{ .reg .v4 .u32 v; ld.global.v4.u32 v, [%1]; add.u32 v.x, v.x, v.w; mov.u32 v.g, 7;"
               "  st.global.v4.u32 [%0], v; }" ::"l"(out),
               "l"(in)
               : "memory");
  asm volatile("{ .reg .v2 .b64 w; .reg .v4 .f32 f; ld.global.v2.b64 w, [%1]; mov.b64 {f.x, f.y}, w.y;"
               "  mov.b64 {f.z, f.w}, w.x; st.global.v4.f32 [%0+16], f; }" ::"l"(out),
               "l"(in)
               : "memory");
  asm volatile("{ .reg .b128 q; .reg .b64 l, h; ld.global.b128 q, [%1]; mov.b128 {l, h}, q; xor.b64 l, l, h;"
               "  mov.b128 q, {h, l}; st.global.b128 [%0+32], q; }" ::"l"(out),
               "l"(in)
               : "memory");
  u64 pair;
  asm("{ .reg .v2 .u32 p<2>; mov.u32 p1.x, %1; mov.u32 p1.y, 5; mov.b64 %0, p1; }" : "=l"(pair) : "r"(in[1]));
  out[12] = (u32)pair;
  out[13] = (u32)(pair >> 32);
}

// Phases of a barrier in memory: all threads arrive, in one way or another, and wait.
__global__ void barriers(u32 *out) {
  __shared__ u64 barrier;
  __shared__ u32 values[32];
  const u32 i = threadIdx.x, at = sharedAddress(&barrier);
  if (i == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
  __syncthreads();
  u32 sum = 0;
  for (u32 phase = 0; phase < 3; ++phase) {
    values[i] = i * (phase + 1);
    u64 state;
    if (i == 3)
      asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], 16;"
                   "mbarrier.complete_tx.shared.b64 [%1], 16;"
                   : "=l"(state)
                   : "r"(at)
                   : "memory");
    else
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    if (i % 2)
      asm volatile("{ .reg .pred p;\n"
                   "WAIT:\n mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%0], %1;\n"
                   "@!p bra WAIT; }" ::"r"(at),
                   "r"(phase & 1)
                   : "memory");
    else
      asm volatile("{ .reg .pred p;\n"
                   "WAIT:\n mbarrier.test_wait.shared.b64 p, [%0], %1;\n"
                   "@p bra DONE;\n bra WAIT;\nDONE: }" ::"r"(at),
                   "l"(state)
                   : "memory");
    sum += values[31 - i];
    __syncthreads();
  }
  out[i] = sum;
  u32 pending;
  asm volatile("{ .reg .b64 s; ld.shared.b64 s, [%1]; mbarrier.pending_count.b64 %0, s; }"
               : "=r"(pending)
               : "r"(at));
  out[32 + i] = pending;
}

template <class T> struct Pair {
  T first, second;
};
__device__ void put(Pair<u32> *p, u32 n) {
  asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(p), "r"(n), "r"(~n) : "memory");
}
__device__ void put(Pair<u64> *p, u32 n) {
  asm volatile("st.release.gpu.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"((u64)n), "l"(~(u64)n)
               : "memory");
}
__device__ void put(Pair<unsigned short> *p, u32 n) {
  asm volatile("st.volatile.v2.u16 [%0], {%1, %2};" ::"l"(p), "h"((unsigned short)n),
               "h"((unsigned short)~n)
               : "memory");
}
__device__ Pair<u32> get(Pair<u32> *p) {
  Pair<u32> r;
  asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(r.first), "=r"(r.second) : "l"(p) : "memory");
  return r;
}
__device__ Pair<u64> get(Pair<u64> *p) {
  Pair<u64> r;
  asm volatile("ld.acquire.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(r.first), "=l"(r.second) : "l"(p) : "memory");
  return r;
}
__device__ Pair<unsigned short> get(Pair<unsigned short> *p) {
  Pair<unsigned short> r;
  asm volatile("ld.volatile.v2.u16 {%0, %1}, [%2];" : "=h"(r.first), "=h"(r.second) : "l"(p) : "memory");
  return r;
}

// What one store of several elements leaves is seen as a whole: blocks write pairs of a
// number and its complement to one place, and look whether there is another pair.
template <class T> __global__ void pairs(Pair<T> *place, u32 *torn, u32 rounds) {
  for (u32 i = 0; i < rounds; ++i) {
    put(place, i * 0x01000193 + blockIdx.x);
    const Pair<T> seen = get(place);
    if (seen.second != (T)~seen.first)
      atomicAdd(torn, 1);
  }
}

template <class T> void checkPairs() {
  check::Array<Pair<T>> place(std::vector<Pair<T>>{{0, (T)~(T)0}});
  check::Array<u32> torn(1);
  pairs<<<4, 1>>>((Pair<T> *)place, (u32 *)torn, 3000);
  CHECK_EQ(torn.get()[0], 0u);
}

__device__ void waitFor(u32 barrier, u32 parity) {
  asm volatile("{ .reg .pred p;\n"
               "WAIT:\n mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@!p bra WAIT; }" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

// Bulk copies into shared memory, whose bytes a barrier waits for, within it, and back; the
// last adds to what is there.
__global__ void bulkCopies(u32 *out, const u32 *in) {
  __shared__ __align__(16) u32 tile[128], again[64];
  __shared__ u64 barrier;
  const u32 i = threadIdx.x, at = sharedAddress(&barrier), to = sharedAddress(tile);
  if (i == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;\n"
                 "fence.mbarrier_init.release.cluster;\n"
                 "fence.proxy.async.shared::cta;" ::"r"(at),
                 "r"(blockDim.x)
                 : "memory");
  }
  __syncthreads();
  if (i == 0) {
    // Bytes may come before anyone has said so.
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(in), "r"(256), "r"(at)
                 : "memory");
    asm volatile("{ .reg .b64 policy, none;\n"
                 "  createpolicy.range.global.L2::evict_last.b64 policy, [%1], 256, 512;\n"
                 "  createpolicy.cvt.L2.b64 policy, policy;\n"
                 "  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%3], 512;\n"
                 "  cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"
                 ".L2::cache_hint [%0+256], [%1+256], %2, [%3], policy;\n"
                 "  cp.async.bulk.prefetch.L2.global [%1], %2; }" ::"r"(to),
                 "l"(in), "r"(256), "r"(at)
                 : "memory");
  }
  asm volatile("{ .reg .b64 none; mbarrier.arrive.shared.b64 none, [%0]; }" ::"r"(at)
               : "memory");
  waitFor(at, 0);
  for (u32 k = i; k < 128; k += blockDim.x)
    tile[k] ^= k;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (i == 0)
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%3], 256;\n"
                 "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];" ::"r"(sharedAddress(again)),
                 "r"(to + 256), "r"(256), "r"(at)
                 : "memory");
  asm volatile("{ .reg .b64 none; mbarrier.arrive.shared.b64 none, [%0]; }" ::"r"(at)
               : "memory");
  waitFor(at, 1);
  if (i == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group.read 0;" ::"l"(out),
                 "r"(to), "r"(512)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [%0+256], [%1], 0;\n"
                 "cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;" ::"l"(out),
                 "r"(sharedAddress(again)), "r"(128)
                 : "memory");
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(out + 128) : "memory");
  }
}

static void checkVectorRegisters(check::Array<u32> &in) {
  check::Array<u32> out(14);
  vectorRegisters<<<1, 1>>>(out, in);
  out.get();
  const std::vector<u32> &v = in.host;
  const u32 want[] = {v[0] + v[3], 7,    v[2], v[3], v[2],        v[3],        v[0],
                      v[1],        v[2], v[3], v[0] ^ v[2], v[1] ^ v[3], v[1], 5};
  for (int i = 0; i < 14; ++i)
    CHECK_AT(i, out.host[i], want[i]);
}

int main() {
  std::vector<u32> values(128);
  for (int i = 0; i < 128; ++i)
    values[i] = 0x80c0ffee + i * 0x01234567;
  check::Array<u32> in(values), out(128);
  sharedAccesses<<<1, 32>>>(out, in);
  out.get();
  for (int i = 0; i < 32; ++i) {
    CHECK_AT(i, out.host[i], values[i ^ 1]);
    CHECK_AT(i, out.host[32 + i], 32u);
    CHECK_AT(i, out.host[64 + i], i % 8 % 2 ? i % 8 / 2 + 7u : i % 8 / 2);
    CHECK_AT(i, out.host[96 + i], 6u);
  }
  copies<<<1, 32>>>(out, in);
  out.get();
  for (int i = 0; i < 128; ++i)
    CHECK_AT(i, out.host[i], i % 4 < i / 4 % 5 ? values[i] : 0u);
  vectors<<<1, 1>>>(out, in);
  out.get();
  const u32 want[] = {values[0], values[3], values[3], values[2], values[1], values[0],
                      (u32)((short)values[0] * 3 + (short)(values[0] >> 16)), values[0] & 0xff};
  for (int i = 0; i < 8; ++i)
    CHECK_AT(i, out.host[2 + i], want[i]);
  checkVectorRegisters(in);
  barriers<<<1, 32>>>(out);
  out.get();
  for (int i = 0; i < 32; ++i) {
    CHECK_AT(i, out.host[i], (31u - i) * 6);
    CHECK_AT(i, out.host[32 + i], 32u);
  }
  checkPairs<u32>();
  checkPairs<u64>();
  checkPairs<unsigned short>();
  check::Array<u32> copied(160);
  bulkCopies<<<1, 32>>>(copied, in);
  copied.get();
  for (u32 i = 0; i < 128; ++i)
    CHECK_AT(i, copied.host[i],
             (values[i] ^ i) + (i < 32 ? values[64 + i] ^ (64 + i) : 0));
  return check::finish("memory");
}
