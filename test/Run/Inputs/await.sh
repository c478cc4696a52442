# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# await COMMAND...: waits until the command succeeds.
# not timed: it gives up after minutes, which only a hang takes
await() {
  for try in $(seq 15000); do
    "$@" && return
    sleep 0.02
  done
  echo "await: $* did not succeed"
  return 1
}
