#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# each-header.sh <headers> <command…>: runs the command on a source that includes
# one public header and nothing else, for each of them, and says which failed.
# Parts of other headers are left out.
headers=$1
shift
failed=0
suffix=${SUFFIX:-cu}
source=$(mktemp -d)
trap 'rm -rf "$source"' EXIT
cd "$headers" || exit 2
for header in $(find . -name '*.h' ! -path './__het/*' ! -name '__het_*' | sed 's|^\./||' | sort); do
  printf '#include <%s>\n' "$header" >"$source/one.$suffix"
  "$@" "$source/one.$suffix" || { echo "FAILED: $header"; failed=1; }
done
[ $failed = 0 ] && echo "all headers compile"
exit $failed
