/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Requests to the network on the chip by the tile's interface to NoC 0, as Tenstorrent's
 * documents have it (tt-isa-documentation, WormholeB0/NoC/MemoryMap.md, Counters.md,
 * Ordering.md; BabyRISCV/MemoryOrdering.md). One request initiator for each kind. All
 * requests name their virtual channel, so that those to one node stay in order.
 */
#include "Core.h"

#define NIU 0xFFB20000u
#define INITIATOR_BYTES 0x400u
enum { READS = 0, WRITES = 1, ATOMICS = 2 };

enum {
  TARGET_LOW = 0x00,
  TARGET_MIDDLE = 0x04,
  RETURN_LOW = 0x0C,
  RETURN_MIDDLE = 0x10,
  PACKET_TAG = 0x18,
  CONTROL = 0x1C,
  LENGTH = 0x20, /* or an atomic's operation */
  DATA = 0x24,
  COMMAND = 0x28,
  ATOMICS_ANSWERED = 0x200,
  WRITES_ANSWERED = 0x204,
  READS_ANSWERED = 0x208
};

#define KIND_READ 0u
#define KIND_ATOMIC 1u
#define KIND_WRITE 2u
#define ANSWER 0x10u
#define STATIC_CHANNEL (0x80u | 1u << 13)
/* Add to all 32 bits of word 0 of 16 bytes. */
#define COUNT_UP (1u << 12 | 31u << 2)

static u32 self;
static u32 readsSent, writesSent, atomicsSent;
static volatile u32 settled;
static volatile u32 landing[16] __attribute__((aligned(64)));

static u32 get(u32 offset) { return *(volatile u32 *)(NIU + offset); }

static void set(u32 initiator, u32 offset, u32 value) {
  *(volatile u32 *)(NIU + initiator * INITIATOR_BYTES + offset) = value;
}

/* Until it is free for a request. */
static void await(u32 initiator) {
  while (get(initiator * INITIATOR_BYTES + COMMAND) & 1u)
    ;
}

/* Stores to this core's memory are done before what follows. A load overtakes stores but
   those to its own address, and the interface is another region of memory. */
static void settle(void) {
  u32 word;
  __asm__ volatile("sw zero, 0(%1)\n\tlw %0, 0(%1)\n\taddi %0, %0, 0"
                   : "=&r"(word)
                   : "r"(&settled)
                   : "memory");
}

void hetNocStart(void) {
  self = MAILBOX->homes[MAILBOX->core];
  readsSent = get(READS_ANSWERED);
  writesSent = get(WRITES_ANSWERED);
  atomicsSent = get(ATOMICS_ANSWERED);
}

void hetNocRead(u32 node, u32 address, volatile void *local, u32 bytes) {
  await(READS);
  settle();
  set(READS, TARGET_LOW, address);
  set(READS, TARGET_MIDDLE, node << 4);
  set(READS, RETURN_LOW, (u32)local);
  set(READS, RETURN_MIDDLE, self << 4);
  set(READS, PACKET_TAG, 0);
  set(READS, CONTROL, KIND_READ | ANSWER | STATIC_CHANNEL);
  set(READS, LENGTH, bytes);
  set(READS, COMMAND, 1);
  ++readsSent;
  while (get(READS_ANSWERED) != readsSent)
    ;
  __asm__ volatile("" ::: "memory");
}

void hetNocWrite(const volatile void *local, u32 node, u32 address, u32 bytes) {
  await(WRITES);
  settle();
  set(WRITES, TARGET_LOW, (u32)local);
  set(WRITES, TARGET_MIDDLE, self << 4);
  set(WRITES, RETURN_LOW, address);
  set(WRITES, RETURN_MIDDLE, node << 4);
  set(WRITES, PACKET_TAG, 0);
  set(WRITES, CONTROL, KIND_WRITE | ANSWER | STATIC_CHANNEL);
  set(WRITES, LENGTH, bytes);
  set(WRITES, COMMAND, 1);
  ++writesSent;
}

void hetNocWait(void) {
  while (get(WRITES_ANSWERED) != writesSent)
    ;
  __asm__ volatile("" ::: "memory");
}

u32 hetNocCount(u32 node, u32 address) {
  await(ATOMICS);
  settle();
  set(ATOMICS, TARGET_LOW, address);
  set(ATOMICS, TARGET_MIDDLE, node << 4);
  set(ATOMICS, RETURN_LOW, (u32)landing);
  set(ATOMICS, RETURN_MIDDLE, self << 4);
  set(ATOMICS, PACKET_TAG, 0);
  set(ATOMICS, CONTROL, KIND_ATOMIC | ANSWER | STATIC_CHANNEL);
  set(ATOMICS, LENGTH, COUNT_UP);
  set(ATOMICS, DATA, 1);
  set(ATOMICS, COMMAND, 1);
  ++atomicsSent;
  while (get(ATOMICS_ANSWERED) != atomicsSent)
    ;
  return landing[0];
}

/* What is at the other end lies at the same place in 64 bytes. */
static volatile u32 *landingFor(u32 address) { return landing + address % 64 / 4; }

u32 hetNocReadWord(u32 node, u32 address) {
  hetNocRead(node, address, landingFor(address), 4);
  return *landingFor(address);
}

void hetNocWriteWord(u32 node, u32 address, u32 value) {
  *landingFor(address) = value;
  hetNocWrite(landingFor(address), node, address, 4);
  hetNocWait();
}
