# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a program that runs until a file is there, takes its device away when it has a
# checkpoint, and ends it when it is elsewhere, or has failed. Arguments: the time between
# checkpoints, or `once` for a single one; how many turns of the program to wait for behind
# the first one; options, the program, and what it is given behind the file's name. LOSE:
# the variable that names the file which takes a device away.
. "$(dirname "$0")/await.sh"
every=$1; wait=$2; option=$3; program=$4; shift 4
rm -f lose save stop stop.turns last.hetckpt last.hetckpt.1
periodic="--checkpoint=last.hetckpt --every=$every"
test $every != once || periodic=
env ${LOSE:-HET_HOST_LOSE}=$PWD/lose hetrun "$option" $periodic $program stop "$@" > out &
process=$!
turns() { test -e stop.turns && wc -c < stop.turns || echo 0; }
has_turned() { test $(turns) -ge $1; }
# A file from before it had anything is none to go on from.
has_checkpoint() { grep -sq run last.hetckpt last.hetckpt.1; }
has_saved() { ! test -e save; }
if test $every = once; then
  await has_turned 3
  touch save
  await has_saved
else
  await has_checkpoint
fi
await has_turned $(($(turns) + wait))
touch lose
is_over() {
  hetrun ps | grep "^$process " | grep -q "is lost" || ! kill -0 $process 2> /dev/null
}
await is_over
hetrun ps | grep "^$process " | tr -s ' ' | cut -d ' ' -f 3-5,7-
touch stop
wait $process
echo "status $?"
cat out
