// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collective operations by messages. Where elements are reduced, each rank reduces a
// slice of them, which it gets from all others at once: so they are added in the order of
// the ranks, and a result is computed once, whoever gets it.

#include "Algorithms.h"

#include <algorithm>
#include <cstring>

namespace het::nccl {
namespace {

/// Arrays up to this size are reduced by every rank for itself: one step, not two.
constexpr size_t maxReducedByAll = 8192;
/// Arrays from this size on are passed on by all ranks, where the way leaves the process.
constexpr size_t minPassedOn = 65536;

/// The elements [begin, end) of an array that one of the ranks works on.
struct Slice {
  size_t begin, end;
  size_t count() const { return end - begin; }
};

Slice sliceOf(size_t count, int rank, int ranks) {
  // A multiple of 64 bytes of the narrowest type.
  const size_t each = (count / ranks + (count % ranks != 0) + 63) / 64 * 64;
  const size_t begin = std::min(count, each * rank);
  return {begin, std::min(count, begin + each)};
}

class Performance {
public:
  Performance(Links &links, Scratch &scratch, const Collective &collective)
      : links(links), scratch(scratch), collective(collective), me(links.rank()),
        ranks(links.size()), width(sizeOf(collective.reduction.type)) {}

  Outcome allReduce();
  Outcome reduceToRoot();
  Outcome broadcast();
  Outcome allGather();
  Outcome reduceScatter();

private:
  Outcome exchangeFactors();
  Outcome reduceSlice(const std::vector<Outgoing> &outgoing, const char *own,
                      size_t count, char *out);
  Outcome reduceByAll();
  Outcome reduceSlices(char *out);
  Outcome broadcastPassedOn();
  template <class OfRank> Outcome sendToAll(const char *data, size_t size, OfRank place);
  size_t offsetOf(int rank) const {
    return sliceOf(collective.count, rank, ranks).begin * width;
  }
  size_t sizeOfSlice(int rank) const {
    return sliceOf(collective.count, rank, ranks).count() * width;
  }

  Links &links;
  Scratch &scratch;
  const Collective &collective;
  const int me, ranks;
  const size_t width;
  std::vector<Scalar> factors;
};

void copy(char *to, const char *from, size_t size) {
  if (to != from && size)
    std::memcpy(to, from, size);
}

/// Every rank needs the factors of all: it multiplies where it adds.
Outcome Performance::exchangeFactors() {
  if (!collective.reduction.hasFactors)
    return {};
  factors.resize(ranks);
  factors[me] = *collective.factor;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int k = 0; k < ranks; ++k)
    if (k != me) {
      outgoing.push_back({k, &factors[me], sizeof(Scalar)});
      incoming.push_back({k, &factors[k], sizeof(Scalar)});
    }
  return links.exchange(outgoing, incoming);
}

/// Sends, gets as many elements from each other rank, and reduces them with this rank's.
Outcome Performance::reduceSlice(const std::vector<Outgoing> &outgoing, const char *own,
                                 size_t count, char *out) {
  const size_t size = count * width;
  int remote = 0;
  for (int k = 0; k < ranks; ++k)
    remote += !links.isOfProcess(k);
  scratch.inputs.resize(std::max(scratch.inputs.size(), remote * size));
  char *free = scratch.inputs.data();
  std::vector<Incoming> incoming;
  for (int k = 0; k < ranks; ++k) {
    if (k == me)
      continue;
    incoming.push_back({k, free, size, links.isOfProcess(k)});
    free += links.isOfProcess(k) ? 0 : size;
  }
  if (Outcome outcome = links.exchange(outgoing, incoming); !outcome.ok())
    return outcome;
  std::vector<const void *> inputs;
  for (const Incoming &one : incoming)
    inputs.push_back(one.data);
  inputs.insert(inputs.begin() + me, own);
  if (count)
    reduce(collective.reduction, inputs, factors, count, out);
  links.release();
  return {};
}

Outcome Performance::reduceByAll() {
  const size_t size = collective.bytes();
  scratch.result.resize(std::max(scratch.result.size(), size));
  std::vector<Outgoing> outgoing;
  for (int k = 0; k < ranks; ++k)
    if (k != me)
      outgoing.push_back({k, collective.send, size});
  Outcome outcome =
      reduceSlice(outgoing, collective.send, collective.count, scratch.result.data());
  if (outcome.ok()) // others may still read what is in the result's place
    outcome = links.finish();
  if (outcome.ok())
    copy(collective.receive, scratch.result.data(), size);
  return outcome;
}

/// Each rank's slice of the result, to its place in `out`.
Outcome Performance::reduceSlices(char *out) {
  std::vector<Outgoing> outgoing;
  for (int k = 0; k < ranks; ++k)
    if (k != me)
      outgoing.push_back({k, collective.send + offsetOf(k), sizeOfSlice(k)});
  return reduceSlice(outgoing, collective.send + offsetOf(me), sizeOfSlice(me) / width,
                     out);
}

/// Sends one message to every other rank, and gets one of each.
template <class OfRank>
Outcome Performance::sendToAll(const char *data, size_t size, OfRank place) {
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int k = 0; k < ranks; ++k)
    if (k != me) {
      outgoing.push_back({k, data, size});
      incoming.push_back(place(k));
    }
  return links.exchange(outgoing, incoming);
}

Outcome Performance::allReduce() {
  Outcome outcome = exchangeFactors();
  if (!outcome.ok())
    return outcome;
  if (collective.bytes() <= maxReducedByAll)
    return reduceByAll();
  char *own = collective.receive + offsetOf(me);
  outcome = reduceSlices(own);
  return outcome.ok() ? sendToAll(own, sizeOfSlice(me),
                                  [&](int k) {
                                    return Incoming{k, collective.receive + offsetOf(k),
                                                    sizeOfSlice(k)};
                                  })
                      : outcome;
}

Outcome Performance::reduceToRoot() {
  Outcome outcome = exchangeFactors();
  if (!outcome.ok())
    return outcome;
  const bool isRoot = me == collective.root;
  scratch.result.resize(std::max(scratch.result.size(), sizeOfSlice(me)));
  char *own = isRoot ? collective.receive + offsetOf(me) : scratch.result.data();
  if (outcome = reduceSlices(own); !outcome.ok())
    return outcome;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  if (!isRoot)
    outgoing.push_back({collective.root, own, sizeOfSlice(me)});
  for (int k = 0; isRoot && k < ranks; ++k)
    if (k != me)
      incoming.push_back({k, collective.receive + offsetOf(k), sizeOfSlice(k)});
  return links.exchange(outgoing, incoming);
}

/// The root gives each rank a slice, which passes it on: it sends the array once, not
/// once to each.
Outcome Performance::broadcastPassedOn() {
  const bool isRoot = me == collective.root;
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  const char *from = isRoot ? collective.send : collective.receive;
  for (int k = 0; isRoot && k < ranks; ++k)
    if (k != me)
      outgoing.push_back({k, from + offsetOf(k), sizeOfSlice(k)});
  if (!isRoot)
    incoming.push_back(
        {collective.root, collective.receive + offsetOf(me), sizeOfSlice(me)});
  if (Outcome outcome = links.exchange(outgoing, incoming); !outcome.ok())
    return outcome;
  outgoing.clear();
  incoming.clear();
  for (int k = 0; k < ranks; ++k) {
    if (k == me)
      continue;
    if (k != collective.root)
      outgoing.push_back({k, from + offsetOf(me), sizeOfSlice(me)});
    if (!isRoot)
      incoming.push_back({k, collective.receive + offsetOf(k), sizeOfSlice(k)});
  }
  return links.exchange(outgoing, incoming);
}

Outcome Performance::broadcast() {
  const size_t size = collective.bytes();
  const bool isRoot = me == collective.root;
  if (isRoot)
    copy(collective.receive, collective.send, size);
  if (!links.isAllLocal() && ranks > 2 && size >= minPassedOn)
    return broadcastPassedOn();
  std::vector<Outgoing> outgoing;
  std::vector<Incoming> incoming;
  for (int k = 0; isRoot && k < ranks; ++k)
    if (k != me)
      outgoing.push_back({k, collective.send, size});
  if (!isRoot)
    incoming.push_back({collective.root, collective.receive, size});
  return links.exchange(outgoing, incoming);
}

Outcome Performance::allGather() {
  const size_t size = collective.bytes();
  copy(collective.receive + me * collective.stride, collective.send, size);
  return sendToAll(collective.send, size, [&](int k) {
    return Incoming{k, collective.receive + k * collective.stride, size};
  });
}

Outcome Performance::reduceScatter() {
  if (Outcome outcome = exchangeFactors(); !outcome.ok())
    return outcome;
  std::vector<Outgoing> outgoing;
  for (int k = 0; k < ranks; ++k)
    if (k != me)
      outgoing.push_back(
          {k, collective.send + k * collective.stride, collective.bytes()});
  return reduceSlice(outgoing, collective.send + me * collective.stride, collective.count,
                     collective.receive);
}

} // namespace

Outcome perform(Links &links, Scratch &scratch, const Collective &collective) {
  Performance performance(links, scratch, collective);
  Outcome outcome;
  switch (collective.kind) {
  case Collective::Kind::AllReduce:
    outcome = performance.allReduce();
    break;
  case Collective::Kind::Reduce:
    outcome = performance.reduceToRoot();
    break;
  case Collective::Kind::Broadcast:
    outcome = performance.broadcast();
    break;
  case Collective::Kind::AllGather:
    outcome = performance.allGather();
    break;
  case Collective::Kind::ReduceScatter:
    outcome = performance.reduceScatter();
    break;
  }
  return outcome.ok() ? links.finish() : outcome;
}

} // namespace het::nccl
