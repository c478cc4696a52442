// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytecode whose attributes contain themselves, or lie deep inside each other.

#include "het/IR/Module.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace {

class ReadBytecode : public testing::Test {
protected:
  ReadBytecode() : context(registry()) { context.loadAllAvailableDialects(); }

  static const DialectRegistry &registry() {
    static const auto *all = [] {
      auto *made = new DialectRegistry;
      het::ir::registerAllHetDialects(*made);
      return made;
    }();
    return *all;
  }

  /// The bytecode of a module with an attribute of so many arrays inside each other.
  std::string nest(unsigned depth) {
    Attribute attribute = UnitAttr::get(&context);
    for (unsigned level = 0; level < depth; ++level)
      attribute = ArrayAttr::get(&context, attribute);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    (*module)->setAttr("builtin.nest", attribute);
    std::string bytes;
    llvm::raw_string_ostream out(bytes);
    EXPECT_TRUE(succeeded(het::ir::writeBytecode(*module, out)));
    return bytes;
  }

  /// What is said where it is no module; empty where it is one.
  std::string complaint(const std::string &bytes) {
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text += diagnostic.str() + "\n";
      return success();
    });
    OwningOpRef<ModuleOp> module = het::ir::parseModule(bytes, context);
    return module ? "" : text + "refused";
  }

  MLIRContext context;
};

/// The place of the number behind each array of one element: its kind, its size and that.
std::vector<size_t> elementsOfArrays(const std::string &bytes, size_t count) {
  std::vector<size_t> places;
  for (size_t at = 0; at + 3 * count <= bytes.size() && places.empty(); ++at) {
    for (size_t array = at; array + 2 < bytes.size(); array += 3) {
      if (bytes[array] != 1 || bytes[array + 1] != 3)
        break;
      places.push_back(array + 2);
    }
    if (places.size() < count)
      places.clear();
  }
  return places;
}

} // namespace

TEST_F(ReadBytecode, ArraysThatContainThemselvesAreRefused) {
  for (unsigned depth : {1, 5, 20}) {
    const std::string whole = nest(depth);
    const std::vector<size_t> elements = elementsOfArrays(whole, depth);
    ASSERT_EQ(elements.size(), depth);
    unsigned cycles = 0;
    for (size_t place : elements)
      for (size_t other : elements) {
        std::string changed = whole;
        changed[place] = whole[other];
        const std::string text = complaint(changed);
        if (text.find("that contain themselves") != std::string::npos)
          ++cycles;
      }
    EXPECT_GE(cycles, depth * (depth - 1) / 2);
  }
}

TEST_F(ReadBytecode, DeepOnesAreRead) { EXPECT_EQ(complaint(nest(1000)), ""); }
