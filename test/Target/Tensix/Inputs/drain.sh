# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Drains the chip that a program is on, and lets it back. The argument is a program that
# runs until a file is there.
. "$(dirname "$0")/../../../Run/Inputs/await.sh"
stop="$XDG_RUNTIME_DIR/stop"
list() { hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 4,5,7-; }
is_on() { list | grep -q "^$1 "; }
# Until the program is on a device.
await_on() {
  await is_on $1
  list
}
turns() { test -e "$stop.turns" && wc -c < "$stop.turns" || echo 0; }
has_turned() { test $(turns) -ge $1; }
# Until it has ended two kernels there, and begun the next.
await_kernels() { await has_turned $(($(turns) + 3)); }
hetrun --prefer=tensix:0,host "$1" "$stop" > "$XDG_RUNTIME_DIR/out" &
program=$!
await_on tensix:0
await_kernels
echo == drain
hetrun drain tensix:0 | sed "s/^$program/PID/"
list
echo == undrain
hetrun undrain tensix:0
await_on tensix:0
await_kernels
touch "$stop"
wait $program
echo "status $?"
cat "$XDG_RUNTIME_DIR/out"
