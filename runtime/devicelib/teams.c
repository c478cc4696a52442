/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Team operations over slots: the scratch form of votes, shuffles, matches and
 * reductions. Each operation comes twice: __het_team_X for the lanes of one team
 * that stand at it together, __het_block_X for all teams of a block whose threads
 * arrive together. A lane takes part with the lanes that its mask names.
 *
 * An operand is an array over the lanes of the block, or one value for all of them:
 * its step is 1 or 0. With step 0 and a constant the loops over lanes become vectors.
 * A result that nobody uses is null.
 *
 * Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync".
 */
#include "teams.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef uint8_t u8;

#define FOR_LANES(l, lanes)                                                    \
  for (u32 l = 0; l < HET_TEAM; ++l)                                           \
    if ((lanes) >> l & 1u)

/* Defines the two forms of an operation from its body. */
#define TEAM_OPERATION(name, parameters, arguments)                            \
  HET_ALWAYS_INLINE void __het_team_##name(u32 team, u32 lanes,                 \
                                           NAMES parameters) {                 \
    if (lanes == HET_ALL_LANES)                                                \
      name##OfTeam(team * HET_TEAM, HET_ALL_LANES, NAMES arguments);           \
    else                                                                       \
      name##OfTeam(team * HET_TEAM, lanes, NAMES arguments);                   \
  }                                                                            \
  HET_ALWAYS_INLINE void __het_block_##name(u64 threads, const u32 *pcs,        \
                                            NAMES parameters) {                \
    for (u32 team = 0; (u64)team * HET_TEAM < threads; ++team) {               \
      u32 lanes = hetLanesOf(team, threads, pcs);                              \
      if (lanes == HET_ALL_LANES)                                              \
        name##OfTeam(team * HET_TEAM, HET_ALL_LANES, NAMES arguments);         \
      else                                                                     \
        name##OfTeam(team * HET_TEAM, lanes, NAMES arguments);                 \
    }                                                                          \
  }
#define NAMES(...) __VA_ARGS__

#define IN(T, name) const T *restrict name, u64 name##Step
#define PASS(name) name, name##Step
#define AT(name, l) name[(first + (l)) * name##Step]

HET_INLINE u32 ballotOf(u32 first, u32 lanes, IN(u8, predicate)) {
  u32 ballot = 0;
  for (u32 l = 0; l < HET_TEAM; ++l)
    ballot |= (u32)(AT(predicate, l) & 1u) << l;
  return ballot & lanes;
}

HET_INLINE void ballotOfTeam(u32 first, u32 lanes, IN(u32, mask),
                             IN(u8, predicate), u32 *restrict result) {
  u32 ballot = ballotOf(first, lanes, PASS(predicate));
  FOR_LANES(l, lanes) result[first + l] = ballot & AT(mask, l);
}
TEAM_OPERATION(ballot, (IN(u32, mask), IN(u8, predicate), u32 *restrict result),
               (PASS(mask), PASS(predicate), result))

enum { ANY, ALL, UNI };

HET_INLINE void voteOfTeam(u32 first, u32 lanes, u32 kind, IN(u32, mask),
                           IN(u8, predicate), u8 *restrict result) {
  u32 ballot = ballotOf(first, lanes, PASS(predicate));
  FOR_LANES(l, lanes) {
    u32 voters = lanes & AT(mask, l);
    u32 yes = ballot & voters;
    result[first + l] = kind == ANY   ? yes != 0
                        : kind == ALL ? yes == voters
                                      : yes == 0 || yes == voters;
  }
}
TEAM_OPERATION(vote,
               (u32 kind, IN(u32, mask), IN(u8, predicate), u8 *restrict result),
               (kind, PASS(mask), PASS(predicate), result))

HET_INLINE void active_maskOfTeam(u32 first, u32 lanes, u32 *restrict result) {
  FOR_LANES(l, lanes) result[first + l] = lanes;
}
TEAM_OPERATION(active_mask, (u32 *restrict result), (result))

#define MATCH(name, T)                                                         \
  HET_INLINE void name##OfTeam(u32 first, u32 lanes, u32 kind, IN(u32, mask),  \
                               IN(T, value), u32 *restrict result, u8 *restrict same) {          \
    FOR_LANES(l, lanes) {                                                      \
      u32 others = lanes & AT(mask, l), equal = 0;                             \
      FOR_LANES(o, others)                                                     \
      equal |= (u32)(AT(value, o) == AT(value, l)) << o;                       \
      if (same)                                                                \
        same[first + l] = equal == others;                                     \
      result[first + l] = kind == ANY || equal == others ? equal : 0;          \
    }                                                                          \
  }                                                                            \
  TEAM_OPERATION(name,                                                         \
                 (u32 kind, IN(u32, mask), IN(T, value), u32 *restrict result,          \
                  u8 *restrict same),                                                   \
                 (kind, PASS(mask), PASS(value), result, same))
MATCH(match_b32, u32)
MATCH(match_b64, u64)

enum { IDX, UP, DOWN, XOR };

/* The lane that lane l reads from, or -1 where that is out of range. `clamp` holds
   the bound in bits 0-4 and the segment mask in bits 8-12. */
HET_INLINE int sourceOf(u32 kind, u32 l, u32 source, u32 clamp) {
  u32 segment = clamp >> 8 & 31u, b = source & 31u;
  u32 low = l & segment;
  int high = (int)(low | (clamp & 31u & ~segment));
  int from = kind == UP     ? (int)(l - b)
             : kind == DOWN ? (int)(l + b)
             : kind == XOR  ? (int)(l ^ b)
                            : (int)(low | (b & ~segment));
  int inRange = kind == UP ? from >= high : from <= high;
  return inRange ? from : -1;
}

/* A lane that reads from one that takes no part gets its own value: PTX leaves it
   undefined. */
#define SHUFFLE(name, T)                                                       \
  HET_INLINE void name##OfTeam(u32 first, u32 lanes, u32 kind, IN(u32, mask),  \
                               IN(T, value), IN(u32, source), IN(u32, clamp),  \
                               T *restrict result, u8 *restrict inRange) {                       \
    (void)mask, (void)maskStep;                                                \
    FOR_LANES(l, lanes) {                                                      \
      int from = sourceOf(kind, l, AT(source, l), AT(clamp, l));               \
      if (inRange)                                                             \
        inRange[first + l] = from >= 0;                                        \
      u32 reads = from >= 0 && (lanes >> from & 1u) ? (u32)from : l;           \
      result[first + l] = AT(value, reads);                                    \
    }                                                                          \
  }                                                                            \
  TEAM_OPERATION(name,                                                         \
                 (u32 kind, IN(u32, mask), IN(T, value), IN(u32, source),      \
                  IN(u32, clamp), T *restrict result, u8 *restrict inRange),                     \
                 (kind, PASS(mask), PASS(value), PASS(source), PASS(clamp),    \
                  result, inRange))
SHUFFLE(shuffle_b32, u32)
SHUFFLE(shuffle_b64, u64)

enum { ADD, MIN, MAX, UMIN, UMAX, AND, OR, XOR_BITS };

HET_INLINE u32 combine(u32 kind, u32 a, u32 b) {
  switch (kind) {
  case ADD:
    return a + b;
  case MIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case MAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case UMIN:
    return a < b ? a : b;
  case UMAX:
    return a > b ? a : b;
  case AND:
    return a & b;
  case OR:
    return a | b;
  default:
    return a ^ b;
  }
}

HET_INLINE void reduceOfTeam(u32 first, u32 lanes, u32 kind, IN(u32, mask),
                             IN(u32, value), u32 *restrict result) {
  FOR_LANES(l, lanes) {
    u32 others = lanes & AT(mask, l);
    u32 sum = AT(value, l);
    FOR_LANES(o, others) if (o != l) sum = combine(kind, sum, AT(value, o));
    result[first + l] = sum;
  }
}
TEAM_OPERATION(reduce, (u32 kind, IN(u32, mask), IN(u32, value), u32 *restrict result),
               (kind, PASS(mask), PASS(value), result))

enum { BARRIER_AND, BARRIER_OR, BARRIER_COUNT };

/* A barrier's predicates over the threads that have not ended. */
u32 __het_barrier_reduce(u64 threads, const u32 *pcs, u32 kind,
                         const u8 *predicate) {
  u32 present = 0, yes = 0;
  for (u64 t = 0; t < threads; ++t) {
    u32 here = !pcs || pcs[t] != HET_ENDED;
    present += here;
    yes += here && predicate[t];
  }
  return kind == BARRIER_COUNT ? yes
         : kind == BARRIER_AND ? (u32)(yes == present)
                               : (u32)(yes != 0);
}

/* Where a suspended block's threads stand, all of them together; HET_ENDED: not together,
   or some have ended where `mayEnd` is 0. `first` becomes one of those that have not. */
u32 __het_suspended_at(const u32 *pcs, u64 threads, u32 mayEnd, u64 *first) {
  u32 at = HET_ENDED;
  for (u64 t = threads; t-- > 0;) {
    if (pcs[t] == HET_ENDED ? mayEnd : pcs[t] == at)
      continue;
    if (at != HET_ENDED || pcs[t] == HET_ENDED)
      return HET_ENDED;
    at = pcs[t];
    *first = t;
  }
  return at;
}

/* Whether a value of `size` bytes is the same in all threads that have not ended. */
u32 __het_is_uniform(const u32 *pcs, u64 threads, const u8 *values, u64 size, u64 first) {
  for (u64 t = 0; t < threads; ++t)
    for (u64 i = 0; pcs[t] != HET_ENDED && i < size; ++i)
      if (values[t * size + i] != values[first * size + i])
        return 0;
  return 1;
}

u32 __het_any_alive(const u32 *pcs, u64 threads) {
  u32 any = 0;
  for (u64 t = 0; t < threads; ++t)
    any |= pcs[t] != HET_ENDED;
  return any;
}
