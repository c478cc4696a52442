# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Takes its chip from a program that has a checkpoint, and ends it when it is elsewhere. The
# argument is a program that runs until a file is there.
rm -f lose stop last.hetckpt
HET_TILE_MODEL_LOSE=$PWD/lose hetrun --prefer=tensix:0,host --checkpoint=last.hetckpt \
  --every=100ms "$1" stop > out &
process=$!
# A file from before it had anything is none to go on from.
has() { test -e last.hetckpt && grep -q run last.hetckpt; }
for try in $(seq 3000); do
  has && break
  sleep 0.02
done
touch lose
for try in $(seq 3000); do
  hetrun ps | grep "^$process " | tr -s ' ' | cut -d ' ' -f 4 | grep -q 'host\|failed' && break
  kill -0 $process 2> /dev/null || break
  sleep 0.02
done
hetrun ps | grep "^$process " | tr -s ' ' | cut -d ' ' -f 3-5,7-
touch stop
wait $process
echo "status $?"
cat out
