/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Requests to the network on the chip by the tile's interface to NoC 0, as Tenstorrent's
 * documents have it (tt-isa-documentation, WormholeB0 and BlackholeA0: NoC/MemoryMap.md,
 * Counters.md, Ordering.md; BabyRISCV/MemoryOrdering.md). One request initiator for each
 * kind. All requests name their virtual channel, so that those to one node stay in order.
 */
#include "Core.h"

#define NIU 0xFFB20000u
enum { READS = 0, WRITES = 1, ATOMICS = 2 };

/* Registers of an initiator. A place is an address, and behind it the node. */
enum { TARGET = 0x00, RETURN = 0x0C, PACKET_TAG = 0x18, CONTROL = 0x1C };
enum { LENGTH = 0x20 /* or an atomic's operation */ };
#if HET_TENSIX_BLACKHOLE
#define INITIATOR_BYTES 0x800u
enum { DATA = 0x28, COMMAND = 0x40 };
#else
#define INITIATOR_BYTES 0x400u
enum { DATA = 0x24, COMMAND = 0x28 };
#endif
enum { ATOMICS_ANSWERED = 0x200, WRITES_ANSWERED = 0x204, READS_ANSWERED = 0x208 };

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

typedef struct {
  u32 node, address;
} Place;

static u32 get(u32 offset) { return *(volatile u32 *)(NIU + offset); }

static void set(u32 initiator, u32 offset, u32 value) {
  *(volatile u32 *)(NIU + initiator * INITIATOR_BYTES + offset) = value;
}

/* Wormhole has four bits of the address and then the node in one word. */
static void setPlace(u32 initiator, u32 offset, Place place) {
  set(initiator, offset, place.address);
#if HET_TENSIX_BLACKHOLE
  set(initiator, offset + 4, 0);
  set(initiator, offset + 8, place.node);
#else
  set(initiator, offset + 4, place.node << 4);
#endif
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

static void request(u32 initiator, u32 kind, Place target, Place answer, u32 length) {
  await(initiator);
  settle();
  setPlace(initiator, TARGET, target);
  setPlace(initiator, RETURN, answer);
  set(initiator, PACKET_TAG, 0);
  set(initiator, CONTROL, kind | ANSWER | STATIC_CHANNEL);
  set(initiator, LENGTH, length);
  if (kind == KIND_ATOMIC)
    set(initiator, DATA, 1);
  set(initiator, COMMAND, 1);
}

void hetNocStart(void) {
  self = MAILBOX->homes[MAILBOX->core];
  readsSent = get(READS_ANSWERED);
  writesSent = get(WRITES_ANSWERED);
  atomicsSent = get(ATOMICS_ANSWERED);
}

void hetNocRead(u32 node, u32 address, volatile void *local, u32 bytes) {
  request(READS, KIND_READ, (Place){node, address}, (Place){self, (u32)local}, bytes);
  ++readsSent;
  while (get(READS_ANSWERED) != readsSent)
    ;
  hetForget();
}

void hetNocWrite(const volatile void *local, u32 node, u32 address, u32 bytes) {
  request(WRITES, KIND_WRITE, (Place){self, (u32)local}, (Place){node, address}, bytes);
  ++writesSent;
}

void hetNocWait(void) {
  while (get(WRITES_ANSWERED) != writesSent)
    ;
  __asm__ volatile("" ::: "memory");
}

u32 hetNocCount(u32 node, u32 address) {
  request(ATOMICS, KIND_ATOMIC, (Place){node, address}, (Place){self, (u32)landing},
          COUNT_UP);
  ++atomicsSent;
  while (get(ATOMICS_ANSWERED) != atomicsSent)
    ;
  hetForget();
  return landing[0];
}

/* Landing place: the same place in 64 bytes as at the other end. */
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
