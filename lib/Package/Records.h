// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel and variable records: their bytes and what makes them valid. Reader
// and writer check the same rules. Private to this library.

#ifndef HET_LIB_PACKAGE_RECORDS_H
#define HET_LIB_PACKAGE_RECORDS_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"
#include "het/Package/KernelInfo.h"
#include "het/Package/PackageArtifacts.h"
#include "het/Package/PackageSections.h"

namespace het {

class Package;

/// A variable as its record says it: the initial value is a section number
/// (format::noSection: none), so VariableInfo::initial is empty.
struct VariableRecord {
  VariableInfo info;
  uint32_t initialSection;
};

void writeKernel(ByteWriter &writer, const KernelInfo &kernel);
void writeVariable(ByteWriter &writer, const VariableInfo &variable,
                   uint32_t initialSection);

/// Decodes and checks one record. The messages of failures lack the section and
/// the remedy.
Result<KernelInfo> readKernel(ByteView record);
Result<VariableRecord> readVariable(ByteReader &reader);

/// The smallest possible variable record, for ByteReader::count.
constexpr size_t minimumVariableRecord = 4 + 8 + 4 + 1 + 1 + 4 + 4;

/// Names are looked up by C strings and printed: their length, no control
/// characters.
Status checkName(const char *what, std::string_view name);

/// The rules that need no other record.
Status checkKernel(const KernelInfo &kernel);
Status checkVariable(const VariableInfo &variable);

/// Likewise, of what artifacts are for.
Status checkArtifactKind(const ArtifactKind &kind);

void writeArtifactIndex(ByteWriter &writer,
                        const std::vector<PackageLowering> &lowerings);

/// The attributes of kernels that differ from their default: what a record has no place
/// for. `kernels` by their numbers; empty if there are none.
Bytes writeKernelAttributes(const std::vector<const KernelInfo *> &kernels);
/// The section of them, checked; empty if the package has none.
Result<ByteView> readKernelAttributes(const PackageSections &sections, uint32_t kernels);
/// Puts what a checked section says of a kernel into its description.
void setAttributes(KernelInfo &info, ByteView section, uint32_t kernel);

/// Checks what the index says of the artifacts against all kernels of the package.
Status verifyArtifacts(const Package &package, const std::vector<KernelInfo> &all);

/// Text of unknown origin for a message: printable, quoted, not too long.
std::string quoted(std::string_view text);

} // namespace het

#endif // HET_LIB_PACKAGE_RECORDS_H
