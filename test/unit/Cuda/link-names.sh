#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# link-names.sh CC LIBRARIES HEADERS WORK FUNCTIONS
#
# Links a program with -lcudart, -lcudart_static, -lcuda and by full path, in either order,
# with every linker that is installed, against a moved copy of the libraries, and runs it.
# No program names a folder as a library, and each finds the runtime. Checks that nothing
# but the API is exported, and all of FUNCTIONS, which programs may call.
set -eu
cc=$1 libraries=$2 headers=$3 work=$4 functions=$5
rm -rf "$work"
mkdir -p "$work/moved to" "$work/bin"
moved="$work/moved to"
cp -P "$libraries"/libhetrt.so* "$libraries"/libcuda*.so "$libraries"/libcuda*.a \
  "$libraries/libculibos.a" "$moved/"
cat >"$work/main.c" <<'C'
#include <cuda_runtime_api.h>
int main(void) {
  int version = 0;
  return cudaRuntimeGetVersion(&version) != cudaSuccess || version != CUDART_VERSION;
}
C
# A library whose functions come from the program, and one that brings its own.
cat >"$work/part.c" <<'C'
#include <cuda_runtime_api.h>
int part(void) { int version; return cudaRuntimeGetVersion(&version) != cudaSuccess; }
C

fail() { echo "error: $*"; exit 1; }
soname=$(readelf -d "$moved/libhetrt.so" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')
[ -e "$moved/$soname" ] || fail "libhetrt.so: found the soname '$soname', and no such file"

tried=0
for linker in bfd gold lld; do
  "$cc" -fuse-ld=$linker -Wl,--version >/dev/null 2>&1 || continue
  tried=$((tried + 1))
  link() {
    rm -f "$work/bin/main"
    "$cc" -I"$headers" -fuse-ld=$linker "$@" -o "$work/bin/main" ||
      fail "$linker, $*: not linked"
    ! readelf -d "$work/bin/main" | grep NEEDED.*/ || fail "$linker, $*: names a folder"
  }
  run() {
    LD_LIBRARY_PATH=$1 "$work/bin/main" || fail "$linker: the program failed"
  }
  folder=-L$moved
  for static in "" "$moved/libcudadevrt.a"; do
    for how in -lcudart -lcudart_static -lcuda libcudart.so libcudart_static.a; do
      case $how in -l*) library=$how ;; *) library=$moved/$how ;; esac
      link "$work/main.c" "$folder" ${static:+"$static"} "$library" -lculibos -lpthread -ldl
      run "/nonexistent:$moved"
    done
  done
  for how in -lcudart -lcuda "-lcudart -lcuda -lcudart_static"; do
    # shellcheck disable=SC2086  # $how is a list of arguments
    link "$folder" -Wl,--no-as-needed $how "$work/main.c"
    run "$moved"
  done
  # The shared library itself, by its soname.
  link "$work/main.c" "$folder" -lhetrt -Wl,-rpath,"$moved"
  readelf -d "$work/bin/main" | grep -q "NEEDED.*\[$soname\]" ||
    fail "$linker: -lhetrt: the program does not need $soname"
  run ""
  # ../lib beside the program, which the system's folders do not have.
  link "$work/main.c" "$folder" -lcudart
  unset LD_LIBRARY_PATH
  status=0
  "$work/bin/main" 2>"$work/missing" || status=$?
  [ $status = 127 ] || fail "$linker: without a runtime: found status $status, expected 127"
  grep -q "error: $soname: found in none of .*system's library folders; install" "$work/missing" ||
    fail "$linker: without a runtime: found '$(cat "$work/missing")'"
  ln -s "$moved" "$work/lib"
  run ""
  rm "$work/lib"
  # Libraries: one without functions of its own, one with.
  "$cc" -I"$headers" -fuse-ld=$linker -fPIC -shared "$work/part.c" \
    -Wl,-soname,libpart.so -o "$work/libpart.so"
  echo 'int part(void); int main(void) { return part(); }' >"$work/caller.c"
  link "$work/caller.c" "$work/libpart.so" -Wl,-rpath,"$work" "$folder" -lcudart
  run "$moved"
  "$cc" -I"$headers" -fuse-ld=$linker -fPIC -shared "$work/part.c" "$folder" -lcudart_static \
    -Wl,-soname,libpart.so -o "$work/libpart.so"
  link "$work/caller.c" "$work/libpart.so" -Wl,-rpath,"$work"
  run "$moved"
done
[ $tried -gt 0 ] || fail "found no linker"

other=$(nm -D --defined-only "$moved/libhetrt.so" | awk '{print $3}' |
        grep -Ev '^(cuda|cu[A-Z]|__cuda|het[A-Z]|HETRT_)' || true)
[ -z "$other" ] || fail "exported, but not of the API: $other"

nm -D --defined-only "$moved/libhetrt.so" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
lost=$(sort "$functions" | comm -23 - "$work/exported")
[ -z "$lost" ] || fail "$soname: found no longer: $lost; programs may call it: raise HET_RUNTIME_ABI"
