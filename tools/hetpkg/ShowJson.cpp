// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hetpkg show --json. The names of the fields are an interface: add, do not
// change (docs/spec/hetpkg.md, "hetpkg show --json").

#include "Signing.h"
#include "Verbs.h"

#include "het/Base/Json.h"

using namespace het;

static void list(JsonWriter &json, const char *key,
                 const std::vector<std::string> &texts) {
  json.key(key).beginArray();
  for (const std::string &text : texts)
    json.value(text);
  json.endArray();
}

static void frame(JsonWriter &json, const KernelInfo &kernel) {
  json.key("safePoints").beginArray();
  for (const SafePoint &point : kernel.safePoints) {
    json.beginObject();
    json.field("id", point.id);
    json.field("reason", reasonName(point.reason));
    json.field("slots", point.slots);
    json.field("location", point.location);
    json.endObject();
  }
  json.endArray();
  json.key("slots").beginArray();
  for (const Slot &slot : kernel.slots) {
    json.beginObject();
    json.field("id", slot.id);
    json.field("size", slot.size);
    json.field("alignment", slot.alignment);
    json.field("level", levelName(slot.level));
    json.endObject();
  }
  json.endArray();
}

static void lowerings(JsonWriter &json, const InputPackage &input, uint32_t index,
                      std::vector<Explainer> &explainers) {
  json.key("lowerings").beginArray();
  for (Explainer &explainer : explainers) {
    Explanation found =
        explainer.explain(input.package, index, input.kernels[index].name);
    json.beginObject();
    json.field("for", explainer.name());
    json.field("form", found.form);
    json.field("reason", found.reason);
    json.field("refused", found.refused);
    json.endObject();
  }
  json.endArray();
}

static void show(JsonWriter &json, const InputPackage &input, uint32_t index,
                 std::vector<Explainer> &explainers) {
  const KernelInfo &kernel = input.kernels[index];
  PackageSections::Info section = input.package.section(kernel.section);
  json.beginObject();
  json.field("name", kernel.name);
  json.field("displayName", kernel.displayName);
  json.key("parameters").beginArray();
  for (const Parameter &parameter : kernel.parameters) {
    json.beginObject();
    json.field("offset", parameter.offset);
    json.field("size", parameter.size);
    json.field("alignment", parameter.alignment);
    json.endObject();
  }
  json.endArray();
  json.field("staticSharedBytes", kernel.staticSharedBytes);
  json.field("dynamicShared", kernel.dynamicShared);
  json.field("localBytes", kernel.localBytes);
  json.field("maxThreadsPerBlock", kernel.maxThreadsPerBlock);
  json.field("minBlocksPerMultiprocessor", kernel.minBlocksPerMultiprocessor);
  json.field("cooperative", kernel.cooperative);
  json.field("architecture", kernel.architecture);
  list(json, "capabilities", kernel.capabilities);
  std::vector<std::string> variables;
  for (uint32_t variable : kernel.variables)
    variables.push_back(input.variables[variable].name);
  list(json, "variables", variables);
  json.field("parkable", kernel.unparkable.empty());
  json.field("unparkable", kernel.unparkable);
  frame(json, kernel);
  lowerings(json, input, index, explainers);
  json.field("section", kernel.section);
  json.field("storedSize", section.storedSize);
  json.field("size", section.rawSize);
  json.field("digest", hex(section.digest));
  json.endObject();
}

static void show(JsonWriter &json, const InputPackage &input,
                 const VariableInfo &variable) {
  json.beginObject();
  json.field("name", variable.name);
  json.field("kind", kindName(variable.kind));
  json.field("size", variable.size);
  json.field("alignment", variable.alignment);
  json.field("external", variable.external);
  json.field("initialised", !variable.initial.empty());
  json.key("relocations").beginArray();
  for (const Relocation &relocation : variable.relocations) {
    json.beginObject();
    json.field("offset", relocation.offset);
    json.field("variable", input.variables[relocation.variable].name);
    json.field("addend", relocation.addend);
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

static void show(JsonWriter &json, const InputPackage &input,
                 const PackageLowering &lowering) {
  json.beginObject();
  json.field("target", lowering.kind.target);
  json.field("arch", lowering.kind.arch);
  json.field("options", lowering.kind.options);
  json.field("version", lowering.kind.version);
  json.key("kernels").beginArray();
  for (const ArtifactEntry &entry : lowering.entries) {
    const PackageSections::Info section = input.package.section(entry.section);
    json.beginObject();
    json.field("name", input.kernels[entry.kernel].name);
    json.field("section", entry.section);
    json.field("storedSize", section.storedSize);
    json.field("size", section.rawSize);
    json.field("digest", hex(section.digest));
    json.endObject();
  }
  json.endArray();
  json.endObject();
}

static void show(JsonWriter &json, const PackageSections::Info &section) {
  json.beginObject();
  json.field("type", section.typeName);
  json.field("ignorable", section.ignorable);
  json.field("compressed", section.compressed);
  json.field("offset", section.offset);
  json.field("storedSize", section.storedSize);
  json.field("size", section.rawSize);
  json.field("digest", hex(section.digest));
  json.endObject();
}

static void symbols(JsonWriter &json, const char *key,
                    const std::vector<LinkSymbol> &all) {
  json.key(key).beginArray();
  for (const LinkSymbol &symbol : all) {
    json.beginObject();
    json.field("name", symbol.name);
    json.field("place", symbol.place);
    json.endObject();
  }
  json.endArray();
}

static void show(JsonWriter &json, const RelocatableCode &code) {
  json.key("relocatable").beginObject();
  json.field("id", code.id);
  json.field("open", code.isOpen);
  symbols(json, "defined", code.defined);
  symbols(json, "shared", code.shared);
  symbols(json, "needed", code.needed);
  json.endObject();
}

static Status show(JsonWriter &json, const Input &file, const InputPackage &input,
                   ShowOptions &options) {
  const Package &package = input.package;
  Result<std::vector<SignatureInfo>> signatures = signaturesOf(package, options.keys);
  if (!signatures.ok())
    return signatures.status();
  json.beginObject();
  json.field("file", file.path);
  json.field("embedded", file.embedded);
  json.field("offset", input.offset);
  json.field("formatVersion", std::to_string(package.versionMajor()) + "." +
                                  std::to_string(package.versionMinor()));
  json.field("producer", package.producer());
  json.field("totalSize", package.totalSize());
  json.key("kernels").beginArray();
  for (uint32_t i = 0; i < input.kernels.size(); ++i)
    show(json, input, i, options.explainers);
  json.endArray();
  json.key("variables").beginArray();
  for (const VariableInfo &variable : input.variables)
    show(json, input, variable);
  json.endArray();
  json.key("artifacts").beginArray();
  for (const PackageLowering &lowering : input.lowerings)
    show(json, input, lowering);
  json.endArray();
  json.key("sections").beginArray();
  for (uint32_t i = 0; i < package.sectionCount(); ++i)
    show(json, package.section(i));
  json.endArray();
  showSignatures(json, *signatures);
  if (input.relocatable)
    show(json, *input.relocatable);
  json.endObject();
  return Status::success();
}

Result<std::string> het::showJson(const std::vector<Input> &inputs,
                                  ShowOptions &options) {
  JsonWriter json;
  json.beginObject();
  json.key("packages").beginArray();
  for (const Input &input : inputs)
    for (const InputPackage &package : input.packages)
      if (Status status = show(json, input, package, options); !status.ok())
        return status;
  json.endArray();
  json.endObject();
  return json.take() + "\n";
}
