/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Services that a kernel does for itself, without a driver or process to call: output,
 * assertions (DeviceABI/Services.h). For targets' own C files, which are compiled to
 * bitcode that names no machine and linked into kernels. Addresses are generic unless
 * they say GLOBAL.
 */
#ifndef HET_LIB_TARGET_SUPPORT_LOWERING_SERVICECODE_H
#define HET_LIB_TARGET_SUPPORT_LOWERING_SERVICECODE_H

#include "het/DeviceABI/Services.h"

#define GLOBAL __attribute__((address_space(1)))
#define SERVICE_CODE static inline

typedef GLOBAL HetServices Services;
typedef uint32_t u32;
typedef uint64_t u64;

/* Length with the NUL. */
SERVICE_CODE u32 lengthOf(const char *text) {
  u32 length = 0;
  while (text[length++])
    ;
  return length;
}

SERVICE_CODE GLOBAL char *copyText(GLOBAL char *to, const char *from) {
  do
    *to++ = *from;
  while (*from++);
  return to;
}

SERVICE_CODE u32 alignTo(u32 size, u32 alignment) {
  return (size + alignment - 1) & ~(alignment - 1);
}

/* Room for a record, or null. */
SERVICE_CODE GLOBAL HetServiceRecord *reserve(Services *services, u32 bytes) {
  u64 begin = __atomic_fetch_add(&services->outputUsed, (u64)bytes, __ATOMIC_RELAXED);
  if (begin + bytes > services->outputBytes)
    return 0;
  return (GLOBAL HetServiceRecord *)(services->output + begin);
}

SERVICE_CODE void setFault(Services *services, u32 kind) {
  u32 none = HET_SERVICE_FAULT_NONE;
  __atomic_compare_exchange_n(&services->fault, &none, kind, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

typedef struct {
  u32 x, y, z;
} Position;

SERVICE_CODE void recordAssertion(Services *services, const char *message,
                                  const char *file, u32 line, const char *function,
                                  Position thread, Position block) {
  u32 bytes =
      sizeof(HetServiceRecord) + lengthOf(message) + lengthOf(file) + lengthOf(function);
  bytes = alignTo(bytes, 8);
  GLOBAL HetServiceRecord *record = reserve(services, bytes);
  if (record) {
    record->kind = HET_SERVICE_ASSERT;
    record->line = line;
    record->thread[0] = thread.x;
    record->thread[1] = thread.y;
    record->thread[2] = thread.z;
    record->block[0] = block.x;
    record->block[1] = block.y;
    record->block[2] = block.z;
    GLOBAL char *to = (GLOBAL char *)(record + 1);
    copyText(copyText(copyText(to, message), file), function);
    record->bytes = bytes;
  }
  setFault(services, HET_SERVICE_FAULT_ASSERT);
}

/* A walk over a format and its packed arguments, each at its natural alignment. */
typedef struct {
  const char *at;
  u32 offset; /* of the next argument */
  u32 count;
} Walk;

SERVICE_CODE u32 take(Walk *walk, u32 size) {
  u32 begin = alignTo(walk->offset, size);
  walk->offset = begin + size;
  ++walk->count;
  return begin;
}

SERVICE_CODE int isFlag(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '#' || c == ' ' ||
         c == '.' || c == '\'' || c == 'h' || c == 'L';
}

/* Goes on to the end of the next conversion. Returns its letter and in `begin` where
   its argument lies; 0 at the end of the format. */
SERVICE_CODE char nextConversion(Walk *walk, u32 *begin) {
  while (*walk->at && *walk->at != '%')
    ++walk->at;
  if (!*walk->at)
    return 0;
  int isLong = 0;
  for (++walk->at; *walk->at; ++walk->at) {
    char c = *walk->at;
    if (c == '*')
      take(walk, 4);
    else if (c == 'l' || c == 'j' || c == 'z' || c == 't' || c == 'q')
      isLong = 1;
    else if (!isFlag(c))
      break;
  }
  char letter = *walk->at;
  if (!letter)
    return 0;
  ++walk->at;
  int isWord = letter == 'd' || letter == 'i' || letter == 'u' || letter == 'o' ||
               letter == 'x' || letter == 'X';
  int isWide = letter == 's' || letter == 'p' || letter == 'e' || letter == 'E' ||
               letter == 'f' || letter == 'F' || letter == 'g' || letter == 'G' ||
               letter == 'a' || letter == 'A';
  if (isWord || letter == 'c')
    *begin = take(walk, isLong && isWord ? 8 : 4);
  else if (isWide)
    *begin = take(walk, 8);
  return letter;
}

SERVICE_CODE const char *textAt(const char *arguments, u32 begin) {
  return *(const char *const *)(arguments + begin);
}

SERVICE_CODE int32_t recordOutput(Services *services, const char *format,
                                  const char *arguments) {
  u32 begin = 0, texts = 0;
  Walk walk = {format, 0, 0};
  for (char letter; (letter = nextConversion(&walk, &begin));)
    if (letter == 's' && textAt(arguments, begin))
      texts += lengthOf(textAt(arguments, begin));
  u32 formatBytes = lengthOf(format), argumentBytes = walk.offset;
  u32 first = alignTo(sizeof(HetServiceRecord) + formatBytes, 8);
  u32 bytes = alignTo(first + argumentBytes + texts, 8);
  GLOBAL HetServiceRecord *record = reserve(services, bytes);
  if (!record)
    return -1;
  record->kind = HET_SERVICE_PRINTF;
  record->formatBytes = formatBytes;
  record->argumentBytes = argumentBytes;
  copyText((GLOBAL char *)(record + 1), format);
  GLOBAL char *to = (GLOBAL char *)record + first;
  for (u32 i = 0; i < argumentBytes; ++i)
    *to++ = arguments[i];
  Walk again = {format, 0, 0};
  for (char letter; (letter = nextConversion(&again, &begin));)
    if (letter == 's' && textAt(arguments, begin))
      to = copyText(to, textAt(arguments, begin));
  record->bytes = bytes;
  return (int32_t)walk.count;
}

#endif
