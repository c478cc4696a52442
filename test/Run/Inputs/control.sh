# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Moves, pauses and resumes a program while it runs. Its output goes to
# $XDG_RUNTIME_DIR/out.
hetrun --devices=host --control "$1" > "$XDG_RUNTIME_DIR/out" &
program=$!
# Until it has opened its device; its first kernel takes far longer than this.
for try in $(seq 1000); do
  hetrun ps | grep -q "^$program " && break
  sleep 0.01
done
list() { hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 2-; }
list
hetrun move $program host:1
hetrun move $program host:1
hetrun move $program null
hetrun move $program 'no name'
hetrun pause $program
hetrun pause $program
list
sleep 0.2
# A paused program stays so when it has been written; the path is this shell's.
cd "$XDG_RUNTIME_DIR"
hetrun checkpoint $program middle.hetckpt
hetrun checkpoint $program nowhere/middle.hetckpt
list
hetrun resume $program
hetrun resume $program
# One that is stopped can not answer, and says so.
kill -STOP $program
hetrun ps
hetrun move $program host
kill -CONT $program
ls -l "$XDG_RUNTIME_DIR/het"
wait $program
echo "status $?, sockets $(ls "$XDG_RUNTIME_DIR/het" | wc -l)"
