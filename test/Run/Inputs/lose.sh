# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a program that runs until a file is there, takes its device away when it has a
# checkpoint, and ends it when it is elsewhere, or has failed. Arguments: the time between
# checkpoints, how long to wait behind the first one, options, the program, and what it is
# given behind the file's name. LOSE: the variable that names the file which takes a device away.
every=$1; wait=$2; option=$3; program=$4; shift 4
rm -f lose stop last.hetckpt last.hetckpt.1
env ${LOSE:-HET_HOST_LOSE}=$PWD/lose hetrun "$option" --checkpoint=last.hetckpt --every=$every $program stop "$@" > out &
process=$!
# A file from before it had anything is none to go on from.
has() { grep -sq run last.hetckpt last.hetckpt.1; }
for try in $(seq 3000); do
  has && break
  sleep 0.02
done
sleep $wait
touch lose
for try in $(seq 3000); do
  hetrun ps | grep "^$process " | grep -q "is lost" && break
  kill -0 $process 2> /dev/null || break
  sleep 0.02
done
hetrun ps | grep "^$process " | tr -s ' ' | cut -d ' ' -f 3-5,7-
touch stop
wait $process
echo "status $?"
cat out
