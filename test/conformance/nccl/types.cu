// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lnccl
//
// Every type with every operation, to the bit: elements are combined in the order of the
// ranks, narrow ones in float and rounded once, and all ranks have the same result.

#include "Inputs/collectives.h"
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

using namespace coll;

constexpr int ranks = 3;

template <class T> constexpr bool isInteger = std::is_integral<T>::value;
/// What a type is computed in.
template <class T>
using Wide = std::conditional_t<isInteger<T> || std::is_same<T, double>::value, T, float>;

template <class T> Wide<T> wide(T value) { return static_cast<Wide<T>>(value); }

template <class T> Wide<T> add(Wide<T> a, Wide<T> b) {
  if constexpr (isInteger<T>)
    return T(uint64_t(a) + uint64_t(b));
  else
    return a + b;
}
template <class T> Wide<T> multiply(Wide<T> a, Wide<T> b) {
  if constexpr (isInteger<T>)
    return T(uint64_t(a) * uint64_t(b));
  else
    return a * b;
}

template <class T> T combine(ncclRedOp_t op, const T *values, const Wide<T> *factors) {
  Wide<T> result = Wide<T>();
  for (int rank = 0; rank < ranks; ++rank) {
    Wide<T> next = wide(values[rank]);
    if (factors)
      next = multiply<T>(next, factors[rank]);
    else if (op == ncclAvg && !isInteger<T>)
      next = next * (Wide<T>(1) / Wide<T>(ranks));
    if (rank == 0)
      result = next;
    else if (op == ncclProd)
      result = multiply<T>(result, next);
    else if (op == ncclMax)
      result = result > next || next != next ? result : next;
    else if (op == ncclMin)
      result = result < next || next != next ? result : next;
    else
      result = add<T>(result, next);
  }
  return static_cast<T>(op == ncclAvg && isInteger<T> ? result / ranks : result);
}

template <class T> T number(unsigned &state) {
  const unsigned bits = check::random(state);
  if constexpr (isInteger<T>)
    return T(bits) * T(0x10001) + T(bits >> 7);
  else
    return T(float(int(bits % 4001) - 2000) / 256 * (bits & 1 << 20 ? 1.f : 0.01f));
}

template <class T>
void run(World &world, Arrays<T> &in, Arrays<T> &out, ncclDataType_t type,
         const std::vector<ncclRedOp_t> &ops, ncclRedOp_t meaning,
         const Wide<T> *factors) {
  const size_t count = in[0].size();
  world.all([&](int rank) {
    return ncclAllReduce(in[rank], out[rank], count, type, ops[rank], world.comms[rank],
                         world.streams[rank]);
  });
  out.get();
  for (size_t i = 0; i < count; ++i) {
    const T values[ranks] = {in[0].host[i], in[1].host[i], in[2].host[i]};
    const T expected = combine<T>(meaning, values, factors);
    for (int rank = 0; rank < ranks; ++rank)
      CHECK_AT(i, out[rank].host[i], expected);
  }
}

template <class T> void checkType(World &world, ncclDataType_t type, size_t count) {
  Arrays<T> in(ranks, count), out(ranks, count);
  unsigned state = 1234567 + type;
  in.fill([&](int, size_t) { return number<T>(state); });
  for (ncclRedOp_t op : {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg})
    run(world, in, out, type, std::vector<ncclRedOp_t>(ranks, op), op, nullptr);

  // Factors in the program's memory and on the device.
  Arrays<T> factors(ranks, 1);
  factors.fill([](int rank, size_t) { return T(rank + 2); });
  std::vector<ncclRedOp_t> ops(ranks);
  std::vector<Wide<T>> expected;
  for (int rank = 0; rank < ranks; ++rank) {
    T here = factors[rank].host[0];
    expected.push_back(wide(here));
    NCCL(ncclRedOpCreatePreMulSum(
        &ops[rank], rank == 1 ? &here : static_cast<T *>(factors[rank]), type,
        rank == 1 ? ncclScalarHostImmediate : ncclScalarDevice, world.comms[rank]));
  }
  run(world, in, out, type, ops, ncclSum, expected.data());
  for (int rank = 0; rank < ranks; ++rank)
    NCCL(ncclRedOpDestroy(ops[rank], world.comms[rank]));
}

// All halves and bfloat16 numbers come back as they are, but for NaNs.
template <class T> void checkAll(World &world, ncclDataType_t type) {
  Arrays<T> in(ranks, 65536), out(ranks, 65536);
  in.fill([](int, size_t i) {
    T value;
    const uint16_t bits = uint16_t(i);
    memcpy(&value, &bits, sizeof(value));
    return value;
  });
  world.all([&](int rank) {
    return ncclAllReduce(in[rank], out[rank], 65536, type, ncclMax, world.comms[rank],
                         world.streams[rank]);
  });
  out.get();
  for (size_t i = 0; i < 65536; ++i) {
    const float found = static_cast<float>(out[0].host[i]);
    CHECK_AT(i, found, static_cast<float>(in[0].host[i]));
  }
}

int main(int, char **arguments) {
  wantDevices(ranks, arguments);
  World world(ranks);
  for (size_t count : {77, 20011}) {
    checkType<int8_t>(world, ncclInt8, count);
    checkType<uint8_t>(world, ncclUint8, count);
    checkType<int32_t>(world, ncclInt32, count);
    checkType<uint32_t>(world, ncclUint32, count);
    checkType<int64_t>(world, ncclInt64, count);
    checkType<uint64_t>(world, ncclUint64, count);
    checkType<__half>(world, ncclFloat16, count);
    checkType<float>(world, ncclFloat32, count);
    checkType<double>(world, ncclFloat64, count);
    checkType<__nv_bfloat16>(world, ncclBfloat16, count);
    checkType<__nv_fp8_e4m3>(world, ncclFloat8e4m3, count);
    checkType<__nv_fp8_e5m2>(world, ncclFloat8e5m2, count);
  }
  checkAll<__half>(world, ncclFloat16);
  checkAll<__nv_bfloat16>(world, ncclBfloat16);
  return check::finish("types");
}
