// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as PTX text: read to a module or refused with a reason and a line, never a
// crash. What is refused only because it makes no valid code is a fault of the reader.

#include "PTX/ModuleBuilder.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const llvm::StringRef head =
      ".version 8.0\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<9>; .reg .b64 %l<9>; .reg .pred %p<4>;"
      ".reg .f32 %f<9>; .reg .b16 %h<9>;\n";
  // Half of them are a body, so that most are more than a head.
  std::string text;
  if (size && data[0] & 1)
    text = head.str();
  text.append(reinterpret_cast<const char *>(data) + (size ? 1 : 0), size ? size - 1 : 0);
  if (size && data[0] & 1)
    text += "\n}\n";
  llvm::LLVMContext context;
  het::ptx::Fault fault;
  const bool isRead = het::ptx::readModule(text, context, fault) != nullptr;
  if (!isRead && (fault.message.empty() || fault.line == 0)) {
    std::fprintf(stderr, "refused without a line: %s\n", fault.message.c_str());
    std::abort();
  }
  return 0;
}
