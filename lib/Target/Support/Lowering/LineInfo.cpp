// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line tables: hetIR's locations (docs/spec/hetir.md, Locations) as the debug metadata
// of the LLVM dialect, which the translation to LLVM IR takes along.
//
//   "f.cu":3:5                              a place of the function itself
//   callsite("g"("f.h":1:2) at <location>)  a place of g, inlined at the location
//
// In a function that has a subprogram every operation needs a place, or LLVM could not
// inline what it calls: one without a place gets line 0 of the function.

#include "TargetLowering.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;

namespace het::target {
namespace {

class LineTables {
public:
  LineTables(ModuleOp module, StringRef directory)
      : context(module.getContext()), directory(directory) {}

  void attach(LLVM::LLVMFuncOp function) {
    FileLineColLoc place = findPlace(function.getLoc());
    if (function.isExternal() || !place)
      return clear(function);
    subprogram = subprogramFor(function.getSymName(), place);
    start = FileLineColLoc::get(place.getFilename(), 0, 0);
    converted.clear();
    function->setLoc(FusedLoc::get({place}, subprogram, context));
    function.getBody().walk([&](Operation *op) { op->setLoc(convert(op->getLoc())); });
  }

private:
  /// Without a subprogram no operation may have a place.
  void clear(LLVM::LLVMFuncOp function) {
    function->walk([&](Operation *op) { op->setLoc(UnknownLoc::get(context)); });
  }
  /// The first file, line and column; null: there is none.
  static FileLineColLoc findPlace(Location location) {
    if (auto place = dyn_cast<FileLineColLoc>(location))
      return place;
    if (auto name = dyn_cast<NameLoc>(location))
      return findPlace(name.getChildLoc());
    if (auto site = dyn_cast<CallSiteLoc>(location))
      return findPlace(site.getCallee());
    if (auto fused = dyn_cast<FusedLoc>(location))
      for (Location part : fused.getLocations())
        if (FileLineColLoc place = findPlace(part))
          return place;
    return {};
  }

  LLVM::DIFileAttr fileFor(StringRef name) {
    return LLVM::DIFileAttr::get(context, name, name.starts_with("/") ? "" : directory);
  }
  LLVM::DICompileUnitAttr unitFor(LLVM::DIFileAttr file) {
    if (!unit)
      unit = LLVM::DICompileUnitAttr::get(
          DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C_plus_plus,
          file, StringAttr::get(context, "hetcc"), /*isOptimized=*/true,
          LLVM::DIEmissionKind::DebugDirectivesOnly, LLVM::DINameTableKind::None);
    return unit;
  }
  LLVM::DISubprogramAttr subprogramFor(StringRef name, FileLineColLoc place) {
    LLVM::DIFileAttr file = fileFor(place.getFilename());
    LLVM::DISubprogramAttr &known = subprograms[{StringAttr::get(context, name), file}];
    if (!known) {
      auto id = DistinctAttr::create(UnitAttr::get(context));
      auto text = StringAttr::get(context, name);
      known = LLVM::DISubprogramAttr::get(
          context, id, unitFor(file), file, text, text, file, place.getLine(),
          place.getLine(),
          LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized,
          LLVM::DISubroutineTypeAttr::get(context, {}), {}, {});
    }
    return known;
  }
  /// A place of the function that `scope` is, maybe in another file than it.
  Location placeIn(LLVM::DISubprogramAttr scope, FileLineColLoc place) {
    LLVM::DIFileAttr file = fileFor(place.getFilename());
    LLVM::DIScopeAttr own = scope;
    if (file != scope.getFile())
      own = LLVM::DILexicalBlockFileAttr::get(scope, file, 0);
    return FusedLoc::get({place}, own, context);
  }

  Location convert(Location location) {
    auto known = converted.find(location);
    if (known != converted.end())
      return known->second;
    Location result = convertNew(location);
    converted.try_emplace(location, result);
    return result;
  }
  Location convertNew(Location location) {
    if (auto fused = dyn_cast<FusedLoc>(location))
      if (!fused.getLocations().empty())
        return convert(fused.getLocations().front());
    FileLineColLoc place = findPlace(location);
    if (!place)
      return placeIn(subprogram, start);
    auto site = dyn_cast<CallSiteLoc>(location);
    auto callee = site ? dyn_cast<NameLoc>(site.getCallee()) : NameLoc();
    if (!callee)
      return placeIn(subprogram, place);
    return CallSiteLoc::get(placeIn(subprogramFor(callee.getName(), place), place),
                            convert(site.getCaller()));
  }

  MLIRContext *context;
  StringRef directory;
  LLVM::DICompileUnitAttr unit;
  llvm::DenseMap<std::pair<StringAttr, LLVM::DIFileAttr>, LLVM::DISubprogramAttr>
      subprograms;
  // For the current function.
  LLVM::DISubprogramAttr subprogram;
  FileLineColLoc start;
  llvm::DenseMap<Location, Location> converted;
};

} // namespace

bool attachLineInfo(ModuleOp module) {
  auto directory = module->getAttrOfType<StringAttr>(ir::lineInfoAttrName);
  if (!directory)
    return false;
  LineTables tables(module, directory.getValue());
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    tables.attach(function);
  return true;
}

} // namespace het::target
