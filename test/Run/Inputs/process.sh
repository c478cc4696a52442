# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Saves and restores a program with what stands for CRIU in this folder.
. "$(dirname "$0")/await.sh"
hetrun --devices=host --control "$1" stop > out &
program=$!
list() { hetrun ps | grep "^$program " | tr -s ' ' | cut -d ' ' -f 3-5; }
is_there() { list | grep -q host; }
await is_there
touch broken
hetrun checkpoint $program saved/
rm broken
hetrun checkpoint $program saved/
list
touch full
mkdir other
hetrun checkpoint $program other
rm full
list
hetrun restore other
hetrun restore saved --device=host:3 | sed "s/^$program\$/PID/"
list
touch stop
wait $program
cat asked out
