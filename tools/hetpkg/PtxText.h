// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One PTX text of several kernels, each of which was lowered to a text of its own.

#ifndef HET_TOOLS_HETPKG_PTXTEXT_H
#define HET_TOOLS_HETPKG_PTXTEXT_H

#include <string>
#include <vector>

namespace het {

/// Joins texts that LLVM wrote for one architecture. The directives at their heads stand
/// once, with the newest version; what two kernels call by one name has two names; line
/// numbers go, because files have numbers.
std::string joinPtx(const std::vector<std::string> &texts);

} // namespace het

#endif // HET_TOOLS_HETPKG_PTXTEXT_H
