/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * For programs that steer where their kernels run (libhetrt.so). Only in a process that
 * runs under `hetrun --control` (or --hop, --checkpoint), or with HET_CONTROL=1: any
 * other pays nothing for this and is answered with an error.
 *
 * Devices have CUDA's numbers. A place is a device's name as in HET_DEVICES ("host",
 * "ptx:0", "spirv:0"); behind it there may be #2, #3, ... for another one of that name.
 * Every function may be called from any thread, but not from a host function of a stream.
 * Each returns 0, or one of the codes below; hetMigrateError says more of this thread's
 * last failure. See docs/design/moving.md.
 */
#ifndef HET_MIGRATE_H
#define HET_MIGRATE_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
  HET_MIGRATE_OK = 0,
  HET_MIGRATE_UNAVAILABLE = 1, /* no such device or file, no memory left */
  HET_MIGRATE_UNSUPPORTED = 2, /* what is there can not be moved; nothing has changed */
  HET_MIGRATE_INVALID = 3,     /* an argument, a file, or a process that is not movable */
  HET_MIGRATE_INTERNAL = 4
};

/* Parks what runs on the device and goes on with it, memory and all, at `place`.
   Pointers, streams and events stay what they were. */
int hetMoveDevice(int device, const char *place);

/* Parks what runs on the device, until hetResumeDevice. */
int hetPauseDevice(int device);
int hetResumeDevice(int device);

/* Writes the device to a file (docs/spec/hetckpt.md); it goes on afterwards, unless it is
   paused. The file is there as a whole, or as it was before. */
int hetSaveCheckpoint(int device, const char *file);

/* Takes a checkpoint up on a device on which nothing was done yet, waits for its kernels,
   and writes the device to `to`, unless that is null. */
int hetFinishCheckpoint(int device, const char *file, const char *to);

/* Called by the thread that moves a device, before anything is parked and when the device
   runs again; `succeeded` is 0 where the move was refused. Null: none. They do not call
   functions of this header. */
typedef void (*HetBeforeMove)(int device, const char *from, const char *to, void *data);
typedef void (*HetAfterMove)(int device, const char *from, const char *to, int succeeded,
                             void *data);
int hetOnMove(HetBeforeMove before, HetAfterMove after, void *data);

/* A text, empty where nothing has failed; the runtime's, until this thread's next call.
 */
const char *hetMigrateError(void);

#ifdef __cplusplus
}
#endif

#endif
