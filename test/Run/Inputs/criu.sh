# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Saves a program with CRIU in the middle of its work, ends it, restores it, and waits for
# its end: criu.sh DEVICES DEVICE PROGRAM ARGUMENT...
. "$(dirname "$0")/await.sh"
devices=$1 device=$2
shift 2
hetrun --devices="$devices" --control "$@" > out 2> drawn < /dev/null &
program=$!
await grep -q '#' drawn
hetrun checkpoint $program saved/ || exit 1
kill -9 $program
wait $program
test ! -s out || echo "it had ended before"
hetrun restore saved --device="$device" | sed "s/^$program\$/PID/"
hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 3-5 | head -1
await grep -q digest out
cat out
