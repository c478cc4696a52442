# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ends_early.sh PROGRAM CACHE: runs it 20 times, each time a little longer, and each time
# with a copy of the cache as it is.
set -eu
export HET_CACHE_DIR="$2.copy"
for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  rm -rf "$HET_CACHE_DIR"
  cp -r "$2" "$HET_CACHE_DIR"
  "$1" $((run * 12))
done
