// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The artifact's own form: its sizes have to agree.

#include "Contract.h"

namespace het::contract {
namespace {

class NullArtifacts : public LaunchTest {};

TEST_F(NullArtifacts, AreWholeOrRefused) {
  Bytes bytes = artifactOf("store");
  HetArtifact *loaded = nullptr;
  bytes.push_back(0);
  CONTRACT_FAILS(HET_INVALID, tryLoad(bytes, loaded));
  bytes.resize(bytes.size() - 2);
  CONTRACT_FAILS(HET_INVALID, tryLoad(bytes, loaded));
  bytes.resize(7);
  CONTRACT_FAILS(HET_INVALID, tryLoad(bytes, loaded));
}

} // namespace
} // namespace het::contract
