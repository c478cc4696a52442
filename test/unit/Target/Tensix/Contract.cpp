// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Tensix target says it can do, for the contract suite, on the tile model.

#include "Contract.h"

#include <cstdlib>

namespace het::contract {

static std::string useTileModel() {
  setenv("HET_TTSIM_LIBRARY", HET_TEST_TILE_MODEL, 1);
  setenv("HET_TENSIX_CORES", "4", 1);
  return "";
}

const Subject &subject() {
  static const Subject tensix = {
      "tensix",
      HET_TEST_TARGETS,
      {Capability::Launches, Capability::RunsCode, Capability::Suspends},
      useTileModel,
      nullptr};
  return tensix;
}

} // namespace het::contract
