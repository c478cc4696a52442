# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Drains the chip that a program is on, and lets it back. The argument is a program that
# runs until a file is there.
stop="$XDG_RUNTIME_DIR/stop"
list() { hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 4,5,7-; }
# Until the program is on a device.
await() {
  for try in $(seq 1500); do
    list | grep -q "^$1 " && break
    sleep 0.02
  done
  list
}
hetrun --prefer=tensix:0,host "$1" "$stop" > "$XDG_RUNTIME_DIR/out" &
program=$!
await tensix:0
sleep 0.5 # until a kernel runs
echo == drain
hetrun drain tensix:0 | sed "s/^$program/PID/"
list
echo == undrain
hetrun undrain tensix:0
await tensix:0
sleep 0.5
touch "$stop"
wait $program
echo "status $?"
cat "$XDG_RUNTIME_DIR/out"
