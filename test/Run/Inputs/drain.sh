# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Drains the device that a program is on, and lets it back; then a program of higher
# priority wants it. The argument is a program that runs until a file is there.
. "$(dirname "$0")/await.sh"
stop="$XDG_RUNTIME_DIR/stop"
list() { hetrun ps | grep "^$1 " | tr -s ' ' | cut -d ' ' -f 4,5,7-; }
is_on() { list $1 | grep -q "^$2 "; }
# Until a program is on a device.
await_on() {
  await is_on $1 $2
  list $1 | sed "s/process [0-9]*/process N/"
}
named() { sed "s/^$program/PID/"; }
hetrun drain host:7
hetrun --devices=host --prefer=host:7,host:8,host "$1" "$stop" > "$XDG_RUNTIME_DIR/out" &
program=$!
await_on $program host:8
echo == drain
hetrun drain host:8 | named
echo == undrain
hetrun undrain host:8
hetrun undrain host:7
await_on $program host:7
echo == wanted
hetrun --devices=host --prefer=host:7 --priority=2 "$1" "$stop" > "$XDG_RUNTIME_DIR/out2" &
other=$!
await_on $program host:8
await_on $other host:7
kill -9 $other
echo == ended
await_on $program host:7
echo == by hand
hetrun move $program host > /dev/null
# Each asks all programs to think again.
hetrun drain host:9 > /dev/null
hetrun undrain host:9
list $program
echo == nowhere
hetrun drain host:8
hetrun drain host:7
hetrun drain host | named
hetrun undrain host:9
hetrun undrain host:8
await_on $program host:8
touch "$stop"
wait $program
echo "status $?"
cat "$XDG_RUNTIME_DIR/out"
