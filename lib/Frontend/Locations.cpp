// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An imported location is a file, line and column, fused with its function's
// debug metadata, and nested in call sites where code was inlined.

#include "Locations.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

using namespace het;
using namespace mlir;

/// The files, lines and columns of a location, innermost first.
static void collectPlaces(Location location, SmallVectorImpl<FileLineColLoc> &places) {
  if (auto place = dyn_cast<FileLineColLoc>(location))
    places.push_back(place);
  else if (auto name = dyn_cast<NameLoc>(location))
    collectPlaces(name.getChildLoc(), places);
  else if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (!fused.getLocations().empty())
      collectPlaces(fused.getLocations().front(), places);
  } else if (auto site = dyn_cast<CallSiteLoc>(location)) {
    collectPlaces(site.getCallee(), places);
    collectPlaces(site.getCaller(), places);
  }
}

static Messages::Place placeOf(FileLineColLoc location) {
  return {location.getFilename().str(), location.getLine(), location.getColumn()};
}

void het::showAt(Messages &messages, Severity severity, Location location,
                 const Twine &text) {
  SmallVector<FileLineColLoc> places;
  collectPlaces(location, places);
  if (places.empty())
    return messages.show(severity, Messages::Place(), text.str());
  std::vector<Messages::Note> notes;
  for (FileLineColLoc caller : ArrayRef(places).drop_front())
    notes.push_back({placeOf(caller), "called from here"});
  messages.show(severity, placeOf(places.front()), text.str(), notes);
}

/// The symbol of the function that a location's metadata names.
static StringAttr functionOf(Attribute metadata) {
  while (auto block = dyn_cast_or_null<LLVM::DILocalScopeAttr>(metadata)) {
    if (auto function = dyn_cast<LLVM::DISubprogramAttr>(metadata))
      return function.getLinkageName() ? function.getLinkageName() : function.getName();
    if (auto lexical = dyn_cast<LLVM::DILexicalBlockAttr>(metadata))
      metadata = lexical.getScope();
    else if (auto file = dyn_cast<LLVM::DILexicalBlockFileAttr>(metadata))
      metadata = file.getScope();
    else
      break;
  }
  return {};
}

static bool isIn(ArrayRef<std::string> folders, StringRef file) {
  return llvm::any_of(folders, [file](StringRef folder) {
    return !folder.empty() && file.starts_with((folder + "/").str());
  });
}

/// callsite(fused<callee>[place] at caller) becomes callsite("callee"(place) at
/// caller).
static Location keepCalls(Location location, ArrayRef<std::string> libraries) {
  SmallVector<FileLineColLoc> places;
  collectPlaces(location, places);
  if (places.empty())
    return UnknownLoc::get(location.getContext());
  auto site = dyn_cast<CallSiteLoc>(location);
  auto callee = site ? dyn_cast<FusedLoc>(site.getCallee()) : FusedLoc();
  StringAttr function = callee ? functionOf(callee.getMetadata()) : StringAttr();
  if (!function)
    return places.front();
  Location caller = keepCalls(site.getCaller(), libraries);
  if (isIn(libraries, places.front().getFilename()))
    return caller;
  return CallSiteLoc::get(NameLoc::get(function, places.front()), caller);
}

static Location keepPlace(Location location) {
  SmallVector<FileLineColLoc> places;
  collectPlaces(location, places);
  if (places.empty())
    return UnknownLoc::get(location.getContext());
  return places.front();
}

/// The same without places: those of a loop's own are LLVM's metadata.
static LLVM::LoopAnnotationAttr withoutPlaces(LLVM::LoopAnnotationAttr loop) {
  return LLVM::LoopAnnotationAttr::get(
      loop.getContext(), loop.getDisableNonforced(), loop.getVectorize(),
      loop.getInterleave(), loop.getUnroll(), loop.getUnrollAndJam(), loop.getLicm(),
      loop.getDistribute(), loop.getPipeline(), loop.getPeeled(), loop.getUnswitch(),
      loop.getMustProgress(), loop.getIsVectorized(), /*startLoc=*/{}, /*endLoc=*/{},
      loop.getParallelAccesses());
}

void het::simplifyLocations(ModuleOp module, LocationDetail detail,
                            ArrayRef<std::string> libraries) {
  llvm::DenseMap<Location, Location> known;
  auto simplify = [&](Location location) -> Location {
    auto found = known.find(location);
    if (found != known.end())
      return found->second;
    Location simple = detail == LocationDetail::Calls ? keepCalls(location, libraries)
                                                      : keepPlace(location);
    known.try_emplace(location, simple);
    return simple;
  };
  module->walk([&](Operation *op) {
    op->setLoc(simplify(op->getLoc()));
    const StringRef loop = "loop_annotation";
    if (auto annotation = op->getAttrOfType<LLVM::LoopAnnotationAttr>(loop))
      op->setAttr(loop, withoutPlaces(annotation));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          argument.setLoc(simplify(argument.getLoc()));
  });
}

std::string het::describeLocation(Location location) {
  SmallVector<FileLineColLoc> places;
  collectPlaces(location, places);
  if (places.empty())
    return "";
  Messages::Place place = placeOf(places.front());
  std::string text = place.file + ":" + std::to_string(place.line);
  // A function's own place has no column.
  return place.column ? text + ":" + std::to_string(place.column) : text;
}
