// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where numbers lie between passes, and what a pass is told of it.

#include "Passes.h"
#include "Stages.h"

#include <algorithm>
#include <utility>

namespace het::fft {

namespace {

class Scheduler {
public:
  Scheduler(const Problem &problem, bool inPlace)
      : problem(problem), inPlace(inPlace), last(problem.rank - 1) {}
  cufftResult run(Schedule &schedule);

private:
  Layout layoutAfter(int stage, Buffer buffer) const;
  bool outputHolds(const Stage &stage) const;
  bool runsInPlace(int stage, Buffer source, Buffer target) const;
  Buffer chooseTarget(int stage) const;
  void chooseTargets();
  PlannedPass describe(int stage) const;
  void describeEnds(int stage, PlannedPass &planned) const;
  void describePairs(const Stage &stage, PlannedPass &planned) const;
  void addFactors(const Stage &stage, PlannedPass &planned) const;
  void addCounters(int stage, PlannedPass &planned) const;
  void addSteps(const Stage &stage, PlannedPass &planned) const;
  Buffer sourceOf(int stage) const { return stage ? targets[stage - 1] : Buffer::Input; }

  const Problem &problem;
  const bool inPlace;
  const int last;
  std::vector<Stage> stages;
  std::vector<Buffer> targets;
};

/// Numbers one after another.
Layout packed(const Index *sizes, int rank) {
  Layout layout;
  Index step = 1;
  for (int axis = rank - 1; axis >= 0; --axis) {
    layout.step[axis] = step;
    step *= sizes[axis];
  }
  layout.distance = step;
  return layout;
}

/// `stage` -1 is before the first.
Layout Scheduler::layoutAfter(int stage, Buffer buffer) const {
  if (buffer == Buffer::Input)
    return problem.in.layout;
  if (buffer == Buffer::Output)
    return problem.out.layout;
  return packed(stages[stage].sizes, problem.rank);
}

/// Whether what lies after a stage may lie in the output.
bool Scheduler::outputHolds(const Stage &stage) const {
  if (problem.out.form == Form::Real || problem.out.storage != Storage::Plain)
    return false;
  for (int axis = 0; axis < problem.rank; ++axis)
    if (stage.sizes[axis] != problem.sizeOf(problem.out, axis))
      return false;
  return true;
}

/// Whether each tile writes only where it has read: it reads all before.
bool Scheduler::runsInPlace(int stage, Buffer source, Buffer target) const {
  if (!stages[stage].isWhole())
    return false;
  const Layout from = layoutAfter(stage - 1, source), to = layoutAfter(stage, target);
  const bool fromReal = stage == 0 && problem.in.form == Form::Real,
             toReal = target == Buffer::Output && problem.out.form == Form::Real;
  if (fromReal == toReal)
    return from == to;
  // Rows of real numbers, and of half as many complex ones.
  const Layout &real = fromReal ? from : to, &complex = fromReal ? to : from;
  if (real.step[last] != 1 || complex.step[last] != 1)
    return false;
  for (int axis = 0; axis < last; ++axis)
    if (real.step[axis] != 2 * complex.step[axis])
      return false;
  return problem.batch == 1 || real.distance == 2 * complex.distance;
}

/// The target of a stage before the last, whose own target is known.
Buffer Scheduler::chooseTarget(int stage) const {
  const Buffer next = targets[stage + 1];
  const auto fits = [&](Buffer buffer) {
    if (buffer == Buffer::Output && !outputHolds(stages[stage]))
      return false;
    if (buffer == Buffer::Output && inPlace && stage == 0 &&
        !runsInPlace(0, Buffer::Input, buffer))
      return false;
    return buffer != next || runsInPlace(stage + 1, buffer, buffer);
  };
  for (Buffer buffer : {next, Buffer::Output, Buffer::WorkA})
    if (fits(buffer))
      return buffer;
  return Buffer::WorkB;
}

void Scheduler::chooseTargets() {
  // What cannot be computed in place is copied first.
  if (inPlace && stages.size() == 1 && !runsInPlace(0, Buffer::Input, Buffer::Output)) {
    Stage copy;
    copy.axis = -1;
    for (int axis = 0; axis < problem.rank; ++axis)
      copy.sizes[axis] = problem.sizeOf(problem.in, axis);
    stages.insert(stages.begin(), copy);
  }
  targets.assign(stages.size(), Buffer::Output);
  for (int stage = static_cast<int>(stages.size()) - 2; stage >= 0; --stage)
    targets[stage] = chooseTarget(stage);
}

void Scheduler::describeEnds(int at, PlannedPass &planned) const {
  const Stage &stage = stages[at];
  End &from = planned.pass.from, &to = planned.pass.to;
  const bool copies = stage.axis < 0;
  if (planned.source == Buffer::Input) {
    from.storage = problem.in.storage;
    from.form = problem.in.form == Form::Real ? Form::Real : Form::Complex;
  }
  if (planned.target == Buffer::Output) {
    to.storage = problem.out.storage;
    to.form = problem.out.form == Form::Real ? Form::Real : Form::Complex;
  }
  if (problem.in.form == Form::Hermitian && stage.axis == last && stage.beginsAxis)
    from.form = Form::Hermitian;
  from.whole = stage.n;
  from.length = stage.beginsAxis ? stage.n : stage.length;
  to.length = copies ? 1 : stage.sizes[stage.axis];
  if (!copies) {
    from.step = layoutAfter(at - 1, planned.source).step[stage.axis];
    to.step = layoutAfter(at, planned.target).step[stage.axis];
  }
  if (stage.pairs)
    describePairs(stage, planned);
  from.pointStep = stage.length / stage.radix;
  to.pointStep = stage.done;
}

/// Real numbers by twos on one side, and on the other points of twice as many.
void Scheduler::describePairs(const Stage &stage, PlannedPass &planned) const {
  End &from = planned.pass.from, &to = planned.pass.to;
  const Table roots = {Table::Roots, 2 * stage.n, stage.n + 1, 1};
  if (from.form == Form::Real) {
    from.pairStep = from.step;
    from.step *= 2;
  }
  if (from.form == Form::Hermitian) {
    from.whole = 2 * stage.n;
    planned.fromPairRoots = roots;
  }
  if (to.form == Form::Real) {
    to.pairStep = to.step;
    to.step *= 2;
    to.length = stage.n;
  } else if (stage.endsAxis) {
    planned.toPairRoots = roots;
  }
}

/// Twiddles, and what Bluestein's algorithm multiplies with.
void Scheduler::addFactors(const Stage &stage, PlannedPass &planned) const {
  planned.roots = {Table::Roots, stage.radix, stage.radix, 1};
  if (!stage.beginsLength()) {
    const Index n = stage.done * stage.radix;
    int bits = 0;
    while ((Index(1) << bits) < n)
      ++bits;
    constexpr int bitsOfOneTable = 13;
    if (bits > bitsOfOneTable) {
      bits = (bits + 1) / 2;
      const Index step = Index(1) << bits;
      planned.coarse = {Table::Roots, n, (n + step - 1) / step, step};
    }
    planned.fine = {Table::Roots, n, std::min(n, Index(1) << bits), 1};
    planned.pass.fineBits = bits;
  }
  if (stage.convolution == Convolution::None)
    return;
  const Table chirp = {Table::Chirp, stage.n, 0, 1};
  const bool forward = stage.convolution == Convolution::Forward;
  if (forward && stage.beginsLength())
    planned.fromFactors = chirp;
  if (forward && stage.endsLength())
    planned.toFactors = {Table::Spectrum, stage.n, stage.length, 1};
  if (!forward && stage.beginsLength())
    planned.pass.from.swapInner = true;
  if (!forward && stage.endsLength()) {
    planned.pass.to.swapInner = true;
    planned.toFactors = chirp;
  }
}

/// Lines in the order of their places in memory.
void Scheduler::addCounters(int at, PlannedPass &planned) const {
  const Stage &stage = stages[at];
  Pass &pass = planned.pass;
  const Layout from = layoutAfter(at - 1, planned.source),
               to = layoutAfter(at, planned.target);
  std::vector<Counter> counters;
  for (int axis = 0; axis < problem.rank; ++axis)
    if (axis != stage.axis)
      counters.push_back({stage.sizes[axis], from.step[axis], to.step[axis], 0, 0, 0});
  counters.push_back({problem.batch, from.distance, to.distance, 0, 0, 0});
  if (stage.axis >= 0) {
    counters.push_back({stage.done, 0, 0, 1, 1, 1});
    counters.push_back({stage.length / stage.radix / stage.done, 0, 0, stage.done,
                        stage.done * stage.radix, 0});
  }
  const auto isOne = [](const Counter &counter) { return counter.count == 1; };
  counters.erase(std::remove_if(counters.begin(), counters.end(), isOne), counters.end());
  const auto fromStep = [&](const Counter &counter) {
    return counter.from + counter.fromPoint * pass.from.step;
  };
  std::sort(counters.begin(), counters.end(), [&](const Counter &a, const Counter &b) {
    return std::pair(fromStep(a), a.to) < std::pair(fromStep(b), b.to);
  });
  std::copy(counters.begin(), counters.end(), pass.counter);
  pass.counters = static_cast<int>(counters.size());
  for (const Counter &counter : counters)
    pass.allLines *= counter.count;
  const bool any = !counters.empty();
  pass.from.byPoint =
      !any || pass.from.pointStep * pass.from.step < fromStep(counters.front());
  pass.to.byPoint =
      !any || pass.to.pointStep * pass.to.step <
                  counters.front().to + counters.front().toPoint * pass.to.step;
}

void Scheduler::addSteps(const Stage &stage, PlannedPass &planned) const {
  Pass &pass = planned.pass;
  pass.radix = stage.radix;
  pass.radixDivisor = Divisor(stage.radix);
  const int most = problem.doubles ? tilePoints<double> : tilePoints<float>;
  while (2 * pass.lines * pass.radix <= most && 2 * pass.lines <= maxLines &&
         pass.lines < pass.allLines) {
    pass.lines *= 2;
    ++pass.lineBits;
  }
  unsigned done = pass.lines;
  for (int radix : stepsOf(stage.radix)) {
    pass.stepRadix[pass.steps] = radix;
    pass.stepDivisor[pass.steps++] = Divisor(done);
    done *= radix;
  }
}

PlannedPass Scheduler::describe(int at) const {
  PlannedPass planned;
  planned.source = sourceOf(at);
  planned.target = targets[at];
  describeEnds(at, planned);
  addFactors(stages[at], planned);
  addCounters(at, planned);
  addSteps(stages[at], planned);
  return planned;
}

cufftResult Scheduler::run(Schedule &schedule) {
  if (!makeStages(problem, stages))
    return CUFFT_INVALID_SIZE;
  chooseTargets();
  for (int i = 0; i < static_cast<int>(stages.size()); ++i) {
    schedule.passes.push_back(describe(i));
    if (targets[i] != Buffer::WorkA && targets[i] != Buffer::WorkB)
      continue;
    size_t bytes = problem.doubles ? sizeof(Complex<double>) : sizeof(Complex<float>);
    bytes *= problem.batch;
    for (Index size : stages[i].sizes)
      bytes *= size;
    size_t &most = schedule.workBytes[targets[i] == Buffer::WorkB];
    most = std::max(most, (bytes + 255) / 256 * 256);
  }
  return CUFFT_SUCCESS;
}

} // namespace

cufftResult makeSchedule(const Problem &problem, bool inPlace, Schedule &schedule) {
  return Scheduler(problem, inPlace).run(schedule);
}

} // namespace het::fft
