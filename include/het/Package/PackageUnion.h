// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One package of the parts of a program. Unlike packages of programs, parts share what
// has one name: variables, and kernels that several files instantiate.

#ifndef HET_PACKAGE_PACKAGEUNION_H
#define HET_PACKAGE_PACKAGEUNION_H

#include "het/Package/Package.h"
#include "het/Package/PackageWriter.h"

#include <map>
#include <set>

namespace het {

class PackageUnion {
public:
  explicit PackageUnion(std::string producer) : writer(std::move(producer)) {
    writer.reserveSignatures();
  }

  /// Adds a part's kernels and variables, but no relocatable code. Of two kernels of one
  /// name the first stays. Fails where two variables of one name differ.
  Status add(const Package &part);
  Result<Bytes> finish() { return writer.finish(); }

private:
  struct Known {
    uint32_t index;
    VariableInfo info; ///< As its part has it.
    std::string origin;
  };
  /// By a part's numbers of variables, those of the union.
  using Numbers = std::vector<uint32_t>;

  Status addVariables(const Package &part, Numbers &numbers);
  Status addKernels(const Package &part, const Numbers &numbers);

  PackageWriter writer;
  std::map<std::string, Known> variables;
  std::set<std::string> kernels;
};

} // namespace het

#endif // HET_PACKAGE_PACKAGEUNION_H
