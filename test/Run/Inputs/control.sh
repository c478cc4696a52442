# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Moves, pauses and resumes a program in the middle of its kernel (checkpoint.cu). Its
# output goes to $XDG_RUNTIME_DIR/out.
. "$(dirname "$0")/await.sh"
go="$XDG_RUNTIME_DIR/go"
hetrun --devices=host --control "$1" - "$go" > "$XDG_RUNTIME_DIR/out" &
program=$!
await test -e "$go.begun"
hasStopped() { ! grep -L '^State:.T' /proc/$program/task/*/status | grep -q .; }
list() { hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 2-; }
list
hetrun move $program host:1
hetrun move $program host:1
hetrun move $program null
hetrun move $program 'no name'
hetrun pause $program
hetrun pause $program
# Its kernel may go on, and does when it is resumed.
touch "$go"
await test -e "$go.released"
list
# A paused program stays so when it has been written; the path is this shell's.
cd "$XDG_RUNTIME_DIR"
hetrun checkpoint $program middle.hetckpt
hetrun checkpoint $program nowhere/middle.hetckpt
list
hetrun resume $program
hetrun resume $program
# One that is stopped can not answer, and says so.
kill -STOP $program
await hasStopped
hetrun ps
hetrun move $program host
kill -CONT $program
touch "$go.end"
ls -l "$XDG_RUNTIME_DIR/het"
wait $program
echo "status $?, sockets $(ls "$XDG_RUNTIME_DIR/het" | wc -l)"
