// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An imported location is a file, line and column, fused with its function's
// debug metadata, and nested in call sites where code was inlined.

#include "Locations.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

using namespace het;
using namespace mlir;

/// The files, lines and columns of a location, innermost first.
static void collectPlaces(Location location,
                          SmallVectorImpl<FileLineColLoc> &places) {
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
  return {location.getFilename().str(), location.getLine(),
          location.getColumn()};
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

void het::simplifyLocations(ModuleOp module) {
  llvm::DenseMap<Location, Location> known;
  auto simplify = [&](Location location) -> Location {
    auto found = known.find(location);
    if (found != known.end())
      return found->second;
    SmallVector<FileLineColLoc> places;
    collectPlaces(location, places);
    Location simple = places.empty()
                          ? Location(UnknownLoc::get(module.getContext()))
                          : Location(places.front());
    known.try_emplace(location, simple);
    return simple;
  };
  module->walk([&](Operation *op) {
    op->setLoc(simplify(op->getLoc()));
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
