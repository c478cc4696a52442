#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# link-names.sh CC LIBRARIES HEADERS WORK
#
# Links a program with -lcudart, -lcudart_static, -lcuda and by full path, with
# every linker that is installed, against a moved copy of the libraries, and runs
# it. Checks that nothing but the API is exported.
set -eu
cc=$1 libraries=$2 headers=$3 work=$4
rm -rf "$work"
mkdir -p "$work/moved"
for name in libhetrt.so libcudart.so libcudart_static.a libcuda.so \
            libcudadevrt.a libculibos.a; do
  cp "$libraries/$name" "$work/moved/"
done
cat >"$work/main.c" <<'C'
#include <cuda_runtime_api.h>
int main(void) {
  int version = 0;
  return cudaRuntimeGetVersion(&version) != cudaSuccess || version != CUDART_VERSION;
}
C

tried=0
for linker in bfd gold lld; do
  "$cc" -fuse-ld=$linker -Wl,--version >/dev/null 2>&1 || continue
  tried=$((tried + 1))
  for how in "-L$work/moved -lcudart" \
             "-L$work/moved -lcudadevrt -lcudart_static -lculibos -lpthread -ldl" \
             "-L$work/moved -lcuda" \
             "$work/moved/libcudart.so" \
             "$work/moved/libcudart_static.a $work/moved/libcudadevrt.a"; do
    # shellcheck disable=SC2086  # $how is a list of arguments
    "$cc" -I"$headers" -fuse-ld=$linker "$work/main.c" $how \
      -Wl,-rpath,"$work/moved" -o "$work/main"
    readelf -d "$work/main" | grep -q 'NEEDED.*libhetrt.so\]' ||
      { echo "error: $linker, $how: the program needs no libhetrt.so"; exit 1; }
    "$work/main" || { echo "error: $linker, $how: the program failed"; exit 1; }
  done
done
[ $tried -gt 0 ] || { echo "error: found no linker"; exit 1; }

other=$(nm -D --defined-only "$work/moved/libhetrt.so" | awk '{print $3}' |
        grep -Ev '^(cuda|cu[A-Z]|__cuda|het[A-Z]|HETRT_)' || true)
[ -z "$other" ] || { echo "error: exported, but not of the API: $other"; exit 1; }
