/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The core's library: what runs beside a kernel on a core without an operating system. It
 * has one thread; other cores are reached over the network on the chip. It is compiled
 * for each kind of chip; HET_TENSIX_BLACKHOLE is 1 for that one.
 */
#ifndef HET_LIB_TARGET_TENSIX_CORE_CORE_H
#define HET_LIB_TARGET_TENSIX_CORE_CORE_H

#include "../TensixABI.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#define MAILBOX ((volatile HetTensixMailbox *)HET_TENSIX_MAILBOX)
#define HOME ((volatile HetTensixHome *)HET_TENSIX_HOME)
#define HOME_ADDRESS(field) (HET_TENSIX_HOME + __builtin_offsetof(HetTensixHome, field))

/* The kernel. The second is for blocks that were suspended, where it is another one. */
u32 het_tensix_run(HetTensixBlock *block, u32 pc);
__attribute__((weak)) u32 het_tensix_resume(HetTensixBlock *block, u32 pc);

/* From here on this core reads what others have written to its memory. Blackhole's cores
   keep 64 bytes of it, which a fence forgets; Wormhole's keep nothing. */
static inline void hetForget(void) {
#if HET_TENSIX_BLACKHOLE
  __asm__ volatile("fence" ::: "memory");
#else
  __asm__ volatile("" ::: "memory");
#endif
}

/* Between accesses of a word and of parts of it: the stores so far are on their way to
   memory. On Wormhole a load overtakes stores but those that begin where it does; what
   LLVM makes of kernels has this by itself (Lowering/OrderAccesses.cpp). */
static inline void hetOrder(void) {
#if HET_TENSIX_BLACKHOLE
  __asm__ volatile("" ::: "memory");
#else
  u32 word;
  __asm__ volatile("sw zero, %0\n\tlw zero, %0" : "=m"(word)::"memory");
#endif
}

/* Start.c */
_Noreturn void hetStop(u32 fault, u64 address, u32 detail);
/* Called before this core says that it is done; null: nothing. */
extern void (*hetAtEnd)(void);

/* Parking.c */
/* The block of an item of the launch; the number of its state, or HET_TENSIX_NO_STATE. */
u32 hetBlockOf(u32 item, u32 *state);
/* Makes a block go on from a state that was given. */
void hetTakeUp(HetTensixBlock *block, u32 number);
/* The host's flag, as it is now; kernels call it, too. */
u32 het_core_parking(void);
u32 het_core_poll_interval(void);
u32 hetIsToPark(void);
/* When all cores have come to a grid barrier: whether it is passed. Else those that stand
   there park. */
u32 hetPassesGridBarrier(void);
/* This core runs no more blocks. `anyParked`: not all have ended. */
void hetLeaveGrid(u32 anyParked);

/* Noc.c. `node` is a coordinate; what lies at `local` and at the other end agrees in its
   address modulo 64. */
void hetNocStart(void);
/* Returns when the bytes are there. */
void hetNocRead(u32 node, u32 address, volatile void *local, u32 bytes);
/* May return before the bytes have left `local`. Writes to one node arrive in order. */
void hetNocWrite(const volatile void *local, u32 node, u32 address, u32 bytes);
/* Returns when all writes have arrived. */
void hetNocWait(void);
/* Adds 1 to a word at a multiple of 16 of a core's memory; returns what was there. */
u32 hetNocCount(u32 node, u32 address);
u32 hetNocReadWord(u32 node, u32 address);
void hetNocWriteWord(u32 node, u32 address, u32 value);

/* Cache.c: memory by flat addresses. Accesses are of a power
   of two up to 64 bytes, and aligned to it. */
const void *het_core_read(u64 address, u32 bytes);
/* As it is in memory now. */
const void *het_core_read_fresh(u64 address, u32 bytes);
/* Where to put what is to be written there. */
void *het_core_place(u64 address, u32 bytes);
/* Sends what was put there on its way. */
void het_core_publish(u64 address);
/* All that this core has written is in memory; nothing that it has read is kept. */
void het_core_fence(void);
/* The same for the host's memory, and for what the host has written so far. */
void het_core_system_fence(void);
/* Where an address lies in DRAM, and how many bytes from it on lie behind each other
   there; a fault where there is no memory. */
u32 hetLocate(u64 address, u32 *node, u32 *place);
/* Any bytes. */
void het_core_copy(u64 to, u64 from, u32 bytes);
void het_core_fill(u64 to, u32 byte, u32 bytes);

/* Locks.c: between them this core alone changes what lies there. */
void het_core_lock(u64 address);
void het_core_unlock(u64 address);

/* Vector.c: between memory and the vector unit's Dst. A slot of Dst has 256 words. */
void het_vector_start(void);
/* `count` words from that address on, into a slot. */
void het_vector_load(u64 address, u32 count, u32 slot);
void het_vector_store(u64 address, u32 count, u32 slot);
/* Where to put words for a slot, and sending them there. */
u32 *het_vector_stage(void);
void het_vector_fill(u32 count, u32 slot);
/* A slot's words. */
const u32 *het_vector_drain(u32 count, u32 slot);
/* Negative if a lane of register 7 is: then floats are in doubt. */
u32 het_vector_doubt(void);

#endif
