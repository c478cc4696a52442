// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of a random program: it draws what to do next, does it, and tells the model.
// No lock is held while CUDA may block, and nothing that may block is called while the
// thread holds a gate closed. A program of one thread depends on its seed alone.

#ifndef HET_RANDOM_STREAMS_PROGRAM_H
#define HET_RANDOM_STREAMS_PROGRAM_H

#include "Graphs.h"
#include "Operations.h"
#include "Waiting.h"

class Program {
public:
  Program(Group &group, unsigned thread) : host(group, thread) {}

  void run(unsigned steps);

private:
  void step();
  void holdBack();

  HostThread host;
  Operations operations{host};
  Ordering ordering{host};
  Waiting waiting{host};
  Graphs graphs{host, ordering};
};

inline void Program::run(unsigned steps) {
  for (unsigned i = 0; i < steps; ++i) {
    host.beginStep();
    step();
    ++progress()->steps;
  }
  host.openGate();
}

/// A host function, until its gate is opened.
inline void Program::holdBack() {
  if (std::shared_ptr<Gate> gate = host.closeGate())
    operations.put(host.choices.anyStream(), gate);
}

inline void Program::step() {
  Choices &choices = host.choices;
  const unsigned kind = choices.below(100);
  progress()->at = "an operation";
  if (kind < 38)
    return operations.put(choices.anyStream());
  if (kind < 50)
    return ordering.record(choices.anyEvent(), choices.anyStream());
  if (kind < 62)
    return ordering.wait(choices.anyStream(), choices.anyEvent());
  if (kind < 66)
    return waiting.query(choices.anyEvent());
  if (kind < 70)
    return waiting.query(choices.anyStream());
  if (kind < 72)
    return waiting.synchronize(choices.anyEvent());
  if (kind < 75)
    return waiting.synchronize(choices.chance(20) ? host.group.streams[0]
                                                  : choices.ownStream());
  if (kind < 76)
    return waiting.synchronizeDevice();
  if (kind < 79)
    return operations.copyOut(choices.ownStream(), choices.chance(50));
  if (kind < 82)
    return operations.copyIn(choices.ownStream(), choices.chance(50));
  if (kind < 84)
    return ordering.replace(choices.ownStream());
  if (kind < 86)
    return ordering.replace(choices.anyEvent());
  if (kind < 88)
    return operations.allocate(choices.anyStream());
  if (kind < 90)
    return operations.release(choices.anyStream());
  if (kind < 92)
    return graphs.capture();
  if (kind < 94 && !graphs.isEmpty())
    return graphs.launchAny();
  if (kind < 96)
    return holdBack();
  if (kind < 98)
    return waiting.measure();
  operations.touchHost();
}

#endif // HET_RANDOM_STREAMS_PROGRAM_H
