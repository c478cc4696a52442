// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XORWOW, MRG32k3a and Philox: many sequences, which take turns.

#include "Units.cuh"

namespace het::rand {

namespace {

/// Of one number.
template <class State> HET_BOTH double uniform(State &state) {
  return _curand_uniform_double(curand(&state));
}
HET_BOTH double uniform(curandStateMRG32k3a_t &state) {
  return curand_uniform_double(&state);
}

template <Kind kind, class State>
HET_BOTH void makeUnit(State &state, const Output &output, Value<kind> (&values)[1]) {
  if constexpr (kind == Kind::Bits)
    values[0] = curand(&state);
  else if constexpr (kind == Kind::Uniform)
    values[0] = curand_uniform(&state);
  else if constexpr (kind == Kind::UniformDouble)
    values[0] = curand_uniform_double(&state);
  else if constexpr (kind == Kind::PoissonNormal)
    values[0] = scaled<kind>(curand_normal(&state), output);
  else
    values[0] = discrete(uniform(state), output.histogram);
}

template <Kind kind, class State>
HET_BOTH void makeUnit(State &state, const Output &output, Value<kind> (&values)[2]) {
  if constexpr (sizeof(Value<kind>) == sizeof(double)) {
    const double2 x = curand_normal2_double(&state);
    values[0] = scaled<kind>(x.x, output);
    values[1] = scaled<kind>(x.y, output);
  } else {
    const float2 x = curand_normal2(&state);
    values[0] = scaled<kind>(x.x, output);
    values[1] = scaled<kind>(x.y, output);
  }
}

template <class To, class From> HET_BOTH void spread(const From &x, To (&values)[4]) {
  values[0] = x.x;
  values[1] = x.y;
  values[2] = x.z;
  values[3] = x.w;
}

template <Kind kind>
HET_BOTH void makeUnit(curandStatePhilox4_32_10_t &state, const Output &output,
                       Value<kind> (&values)[4]) {
  if constexpr (kind == Kind::Bits) {
    spread(curand4(&state), values);
  } else if constexpr (kind == Kind::Uniform) {
    spread(curand_uniform4(&state), values);
  } else if constexpr (kind == Kind::UniformDouble) {
    spread(curand_uniform4_double(&state), values);
  } else if constexpr (kind == Kind::Poisson) {
    unsigned x[4];
    spread(curand4(&state), x);
    for (int i = 0; i < 4; ++i)
      values[i] = discrete(_curand_uniform_double(x[i]), output.histogram);
  } else if constexpr (sizeof(Value<kind>) == sizeof(double)) {
    double x[4];
    spread(curand_normal4_double(&state), x);
    for (int i = 0; i < 4; ++i)
      values[i] = scaled<kind>(x[i], output);
  } else {
    float x[4];
    spread(curand_normal4(&state), x);
    for (int i = 0; i < 4; ++i)
      values[i] = scaled<kind>(x[i], output);
  }
}

/// One sequence's part of a call: every `count`-th unit from `number` on.
template <Source source, class State, Kind kind> struct FillPart {
  Sequences sequences;
  Output output;
  unsigned long long first, units;
  unsigned skip;

  HET_BOTH void operator()(unsigned long long number) const {
    constexpr unsigned width = unitWidth(source, kind);
    auto *values = static_cast<Value<kind> *>(output.place);
    State &kept = static_cast<State *>(
        sequences.states)[static_cast<unsigned>((first + number) % sequences.count)];
    State state = kept;
    for (unsigned long long unit = number; unit < units; unit += sequences.count) {
      const unsigned long long begin =
          unit * width; // `skip` more than the result's place
      const bool used = begin + width <= skip + output.count;
      if (!used) // the rest of the unit is the next call's
        kept = state;
      Value<kind> made[width];
      makeUnit<kind>(state, output, made);
      for (unsigned i = 0; i < width; ++i)
        if (begin + i >= skip && begin + i - skip < output.count)
          values[begin + i - skip] = made[i];
      if (!used)
        return;
    }
    kept = state;
  }
};

template <Source source, class State>
cudaError_t fill(const Sequences &sequences, unsigned long long first, unsigned skip,
                 const Output &output, Place place) {
  return withKind(output.kind, [&](auto constant) {
    constexpr Kind kind = decltype(constant)::value;
    constexpr unsigned width = unitWidth(source, kind);
    const unsigned long long units = (skip + output.count + width - 1) / width;
    const FillPart<source, State, kind> part{sequences, output, first, units, skip};
    return run(units < sequences.count ? units : sequences.count, place, part);
  });
}

template <class State> struct SeedPart {
  Sequences sequences;
  unsigned first;

  HET_BOTH void operator()(unsigned long long number) const {
    const unsigned sequence = static_cast<unsigned>((first + number) % sequences.count);
    const unsigned long long units =
        sequences.offset / sequences.count +
        (sequence < sequences.offset % sequences.count ? 1 : 0);
    const unsigned long long offset = units * unitWidth(sequences.source, Kind::Bits);
    State &state = static_cast<State *>(sequences.states)[sequence];
    if (sequences.seedStep != 0)
      curand_init(sequences.seed + sequence * sequences.seedStep, 0, offset, &state);
    else
      curand_init(sequences.seed, sequence, offset, &state);
  }
};

} // namespace

size_t stateSize(Source source) {
  switch (source) {
  case Source::Xorwow:
    return sizeof(curandStateXORWOW_t);
  case Source::Mrg32k3a:
    return sizeof(curandStateMRG32k3a_t);
  case Source::Philox:
    return sizeof(curandStatePhilox4_32_10_t);
  }
  return 0;
}

cudaError_t seedSequences(const Sequences &sequences, unsigned first, unsigned count,
                          Place place) {
  switch (sequences.source) {
  case Source::Xorwow:
    return run(count, place, SeedPart<curandStateXORWOW_t>{sequences, first});
  case Source::Mrg32k3a:
    return run(count, place, SeedPart<curandStateMRG32k3a_t>{sequences, first});
  case Source::Philox:
    return run(count, place, SeedPart<curandStatePhilox4_32_10_t>{sequences, first});
  }
  return cudaErrorInvalidValue;
}

cudaError_t fillFromSequences(const Sequences &sequences, unsigned long long first,
                              unsigned skip, const Output &output, Place place) {
  switch (sequences.source) {
  case Source::Xorwow:
    return fill<Source::Xorwow, curandStateXORWOW_t>(sequences, first, skip, output,
                                                     place);
  case Source::Mrg32k3a:
    return fill<Source::Mrg32k3a, curandStateMRG32k3a_t>(sequences, first, skip, output,
                                                         place);
  case Source::Philox:
    return fill<Source::Philox, curandStatePhilox4_32_10_t>(sequences, first, skip,
                                                            output, place);
  }
  return cudaErrorInvalidValue;
}

} // namespace het::rand
