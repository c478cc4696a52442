// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading bytecode from files that nobody vouches for. MLIR's reader goes round for ever
// where attributes or types contain themselves, and recurses without bound; so each that
// it begins to read passes here, and is counted.

#include "het/IR/Module.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace het::ir {
namespace {

/// Bounds what reading attributes and types may take.
class ReadingBudget {
public:
  explicit ReadingBudget(size_t fileBytes)
      : left(readsAtLeast + readsForEachByte * uint64_t(fileBytes)) {}

  /// Reads one as its dialect does; leaves `entry` null where it has no code for that.
  template <typename Kind>
  LogicalResult read(DialectBytecodeReader &reader, StringRef dialect, Kind &entry) {
    if (left == 0 || depth == maxDepth)
      return refuse(reader);
    --left;
    ++depth;
    llvm::scope_exit leave([this] { --depth; });
    auto *loaded = reader.getContext()->getLoadedDialect(dialect);
    auto *code =
        loaded ? loaded->getRegisteredInterface<BytecodeDialectInterface>() : nullptr;
    if (!code)
      return success();
    if constexpr (std::is_same_v<Kind, Type>)
      entry = code->readType(reader);
    else
      entry = code->readAttribute(reader);
    return success(entry != nullptr);
  }

private:
  LogicalResult refuse(DialectBytecodeReader &reader) {
    if (left)
      return reader.emitError("attributes or types: found more than ")
             << maxDepth << " inside each other, or some that contain themselves";
    return reader.emitError("attributes or types: found some that contain themselves");
  }

  /// One is read again for each part of it that must come first: chains of a thousand
  /// inside each other are read.
  static constexpr uint64_t readsForEachByte = 64, readsAtLeast = 1 << 16;
  /// The reader itself puts off what is deeper than a few, mostly.
  static constexpr unsigned maxDepth = 1000;

  uint64_t left;
  unsigned depth = 0;
};

} // namespace

OwningOpRef<ModuleOp> parseModule(StringRef bytes, MLIRContext &context) {
  ReadingBudget budget(bytes.size());
  ParserConfig config(&context);
  BytecodeReaderConfig &reading = config.getBytecodeReaderConfig();
  reading.attachAttributeCallback(
      [&](DialectBytecodeReader &reader, StringRef dialect, Attribute &attribute) {
        return budget.read(reader, dialect, attribute);
      });
  reading.attachTypeCallback(
      [&](DialectBytecodeReader &reader, StringRef dialect, Type &type) {
        return budget.read(reader, dialect, type);
      });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(bytes, config, "hetIR");
  return module && succeeded(verifyHetIR(*module)) ? std::move(module) : nullptr;
}

} // namespace het::ir
