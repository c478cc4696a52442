/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Atomics on memory that cores share: the network's own work on cores' memory only, so
 * each line of DRAM has a lock at a home core, by tickets. Who waits reads the ticket
 * that is served.
 */
#include "Core.h"

static u32 ticket;

static u32 hashOf(u64 address) {
  u32 line = (u32)(address >> 6);
  return (line ^ line >> 11) * 0x9E3779B1u >> 8;
}

static u32 isAlone(u64 address) {
  return !(u32)(address >> 32) || MAILBOX->coreCount == 1;
}

static u32 nodeOf(u32 hash) { return MAILBOX->homes[hash % MAILBOX->coreCount]; }

static u32 lockOf(u32 hash) {
  return HOME_ADDRESS(locks) +
         (hash >> 8) % HET_TENSIX_LOCKS * (u32)sizeof(HetTensixLock);
}

void het_core_lock(u64 address) {
  if (isAlone(address))
    return;
  u32 hash = hashOf(address), node = nodeOf(hash), lock = lockOf(hash);
  ticket = hetNocCount(node, lock + __builtin_offsetof(HetTensixLock, next));
  while (hetNocReadWord(node, lock + __builtin_offsetof(HetTensixLock, serving)) != ticket)
    ;
}

void het_core_unlock(u64 address) {
  if (isAlone(address))
    return;
  hetNocWait();
  u32 hash = hashOf(address), node = nodeOf(hash), lock = lockOf(hash);
  hetNocWriteWord(node, lock + __builtin_offsetof(HetTensixLock, serving), ticket + 1);
}
