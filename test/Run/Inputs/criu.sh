# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Saves a program with CRIU in the middle of its work, ends it, restores it, and waits for
# its end: criu.sh DEVICES DEVICE PROGRAM ARGUMENT...
devices=$1 device=$2
shift 2
hetrun --devices="$devices" --control "$@" > out 2> drawn < /dev/null &
program=$!
for try in $(seq 500); do
  grep -q '#' drawn && break
  sleep 0.02
done
hetrun checkpoint $program saved/ || exit 1
kill -9 $program
wait $program
test ! -s out || echo "it had ended before"
hetrun restore saved --device="$device" | sed "s/^$program\$/PID/"
hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 3-5 | head -1
for try in $(seq 600); do
  grep -q digest out && break
  sleep 0.1
done
cat out
