// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A package inside a text: what `hetcc -ptx` writes. The text is for people and for tools
// that read PTX; what runs is the package behind it, in comments. A digest ties the two
// together: a text that was edited is refused, since the edit would have no effect.

#ifndef HET_PACKAGE_PACKAGETEXT_H
#define HET_PACKAGE_PACKAGETEXT_H

#include "het/Base/Bytes.h"
#include "het/Base/Status.h"

#include <string>
#include <string_view>

namespace het {

/// Whether a package stands in the text, good or damaged.
bool holdsPackage(std::string_view text);

/// The text with the package behind it.
std::string writePackageText(std::string text, ByteView package);

/// The package in a text. Fails if the text or what is behind it has been changed.
Result<Bytes> readPackageText(std::string_view text, const std::string &origin);

} // namespace het

#endif // HET_PACKAGE_PACKAGETEXT_H
