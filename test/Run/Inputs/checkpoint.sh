# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checkpoints of a program in the middle of its kernel, in $XDG_RUNTIME_DIR: parked.hetckpt
# by hand while it is paused, again.hetckpt when its time has come. The program's output is
# out and went-on.
. "$(dirname "$0")/await.sh"
cd "$XDG_RUNTIME_DIR"
touch go.end again.end
hetrun --devices=host --control "$1" - go > out &
program=$!
await test -e go.begun
hetrun pause $program
touch go
await test -e go.released
hetrun checkpoint $program parked.hetckpt
hetrun resume $program
wait $program
echo "status $?"

# It goes on after its checkpoint.
hetrun --devices=host --checkpoint=again.hetckpt --after=1ms "$1" - again > went-on &
program=$!
await test -e again.hetckpt
touch again
wait $program
echo "status $?"
