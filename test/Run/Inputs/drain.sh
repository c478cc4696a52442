# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Drains the device that a program is on, and lets it back; then a program of higher
# priority wants it. The argument is a program that runs until a file is there.
stop="$XDG_RUNTIME_DIR/stop"
list() { hetrun ps | grep "^$1 " | tr -s ' ' | cut -d ' ' -f 4,5,7-; }
# Until a program is on a device.
await() {
  for try in $(seq 500); do
    list $1 | grep -q "^$2 " && break
    sleep 0.02
  done
  list $1 | sed "s/process [0-9]*/process N/"
}
named() { sed "s/^$program/PID/"; }
hetrun drain host:7
hetrun --devices=host --prefer=host:7,host:8,host "$1" "$stop" > "$XDG_RUNTIME_DIR/out" &
program=$!
await $program host:8
echo == drain
hetrun drain host:8 | named
echo == undrain
hetrun undrain host:8
hetrun undrain host:7
await $program host:7
echo == wanted
hetrun --devices=host --prefer=host:7 --priority=2 "$1" "$stop" > "$XDG_RUNTIME_DIR/out2" &
other=$!
await $program host:8
await $other host:7
kill -9 $other
echo == ended
await $program host:7
echo == by hand
hetrun move $program host > /dev/null
sleep 0.7
list $program
echo == nowhere
hetrun drain host:8
hetrun drain host:7
hetrun drain host | named
hetrun undrain host:9
hetrun undrain host:8
await $program host:8
touch "$stop"
wait $program
echo "status $?"
cat "$XDG_RUNTIME_DIR/out"
