// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options one by one: the table's row, the value, and what it sets.

#include "het/RuntimeCompilation/Options.h"
#include "het/Frontend/Warnings.h"
#include "het/Package/CompilerRecords.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace het;
using namespace het::rtc;
using llvm::StringRef;

namespace {

enum class Form { Flag, Boolean, Value, Prefix };
enum class Use { Do, Note, Refuse };
enum class Option {
#define RTC_OPTION(id, ...) id,
#include "Options.def"
};

struct Row {
  Option id;
  StringRef longName, shortName;
  Form form;
  Use use;
  StringRef text;
};

constexpr Row table[] = {
#define RTC_OPTION(id, longName, shortName, form, use, text)                             \
  {Option::id, longName, shortName, Form::form, Use::use, text},
#include "Options.def"
};

/// As NVRTC spells an option in its log.
std::string nameOf(const Row &row) {
  std::string name = ("--" + row.longName).str();
  if (!row.shortName.empty())
    name += (" (-" + row.shortName + ")").str();
  return name;
}

llvm::Error error(const llvm::Twine &text) {
  return llvm::createStringError(std::errc::invalid_argument, text.str().c_str());
}

class Reader {
public:
  explicit Reader(llvm::ArrayRef<std::string> options) : rest(options) {}

  llvm::Expected<Settings> read();

private:
  llvm::Error readOne(StringRef given);
  llvm::Error apply(const Row &row, StringRef value);
  llvm::Error applyBoolean(const Row &row, bool value);
  llvm::Error applyFlag(const Row &row);
  llvm::Error applyValue(const Row &row, StringRef value);
  llvm::Error applyArch(StringRef value);
  llvm::Error applyStandard(StringRef value);
  llvm::Error applyWarning(const Row &row, StringRef value);
  std::optional<StringRef> next();
  void pass(const llvm::Twine &word) {
    settings.compile.clangArguments.push_back(word.str());
  }

  llvm::ArrayRef<std::string> rest;
  Settings settings;
};

} // namespace

std::optional<StringRef> Reader::next() {
  if (rest.empty())
    return std::nullopt;
  StringRef word = rest.front();
  rest = rest.drop_front();
  return word;
}

llvm::Expected<Settings> Reader::read() {
  settings.compile.arch = "sm_52"; // NVRTC 12.9's default
  while (std::optional<StringRef> word = next())
    if (llvm::Error failure = readOne(word->trim()))
      return std::move(failure);
  return std::move(settings);
}

llvm::Error Reader::readOne(StringRef given) {
  if (given.empty())
    return llvm::Error::success();
  StringRef name = given;
  const bool hasDash = name.consume_front("-");
  name.consume_front("-");
  auto [stem, value] = name.split('=');
  const bool hasValue = stem.size() != name.size();
  if (hasDash)
    for (const Row &row : table) {
      if (stem != row.longName && stem != row.shortName)
        continue;
      if (row.form == Form::Flag)
        return hasValue ? error(nameOf(row) + " does not accept any argument")
                        : applyFlag(row);
      if (hasValue)
        return apply(row, value);
      if (row.form == Form::Boolean)
        return error(nameOf(row) + " expects true or false");
      std::optional<StringRef> following = next();
      if (!following) // as NVRTC: -I without a folder is nothing
        return row.form == Form::Prefix ? llvm::Error::success()
                                        : error(nameOf(row) + " expects an argument");
      return apply(row, following->trim());
    }
  // -DX, -I/usr/include: the value itself may have a '='.
  if (hasDash && !given.starts_with("--"))
    for (const Row &row : table)
      if (row.form == Form::Prefix && name.starts_with(row.shortName))
        return apply(row, name.drop_front(row.shortName.size()).trim());
  return error("unrecognized option " + given + " found");
}

llvm::Error Reader::apply(const Row &row, StringRef value) {
  if (row.use == Use::Refuse)
    return error(nameOf(row) + ": " + row.text);
  if (row.form != Form::Boolean)
    return row.use == Use::Note ? llvm::Error::success() : applyValue(row, value);
  if (value != "true" && value != "false")
    return error(nameOf(row) + " expects true or false");
  return row.use == Use::Note ? llvm::Error::success()
                              : applyBoolean(row, value == "true");
}

llvm::Error Reader::applyBoolean(const Row &row, bool value) {
  CompileOptions &compile = settings.compile;
  switch (row.id) {
  case Option::Relocatable:
    compile.relocatable = value;
    break;
  case Option::FlushToZero:
    compile.flushToZero = value;
    break;
  case Option::PreciseSqrt:
    compile.preciseSqrt = value;
    break;
  case Option::PreciseDivision:
    compile.preciseDivision = value;
    break;
  case Option::Contract:
    compile.contract = value;
    break;
  case Option::MoveForward:
    if (!value)
      pass("-D__HET_RTC_NO_MOVE_FORWARD__=1");
    break;
  case Option::InitializerList:
    if (!value)
      pass("-D__HET_RTC_NO_INITIALIZER_LIST__=1");
    break;
  default:
    break;
  }
  return llvm::Error::success();
}

llvm::Error Reader::applyFlag(const Row &row) {
  if (row.use == Use::Refuse)
    return error(nameOf(row) + ": " + row.text);
  CompileOptions &compile = settings.compile;
  switch (row.id) {
  case Option::DeviceCompile:
    compile.relocatable = true;
    break;
  case Option::DeviceWhole:
    compile.relocatable = false;
    break;
  case Option::WholeProgram:
    pass("-D__CUDACC_EWP__=1");
    break;
  case Option::LinkOptimize:
    settings.isLinkable = true;
    break;
  case Option::Debug:
    compile.deviceDebug = true;
    break;
  case Option::LineInfo:
    compile.lineInfo = true;
    break;
  case Option::FastMath:
    compile.fastMath = compile.flushToZero = compile.contract = true;
    compile.preciseDivision = compile.preciseSqrt = false;
    break;
  case Option::NoSourceInclude:
    settings.sourceFolder = false;
    break;
  case Option::DefaultDevice:
    settings.deviceByDefault = true;
    break;
  case Option::Int128:
    pass("-D__CUDACC_RTC_INT128__=1");
    break;
  case Option::NoWarnings:
    pass("-w");
    break;
  case Option::WarnReorder:
    pass("-Wreorder");
    break;
  default:
    break;
  }
  return llvm::Error::success();
}

llvm::Error Reader::applyValue(const Row &row, StringRef value) {
  switch (row.id) {
  case Option::Arch:
    return applyArch(value);
  case Option::Standard:
    return applyStandard(value);
  case Option::Registers: {
    unsigned number;
    return value.getAsInteger(10, number)
               ? error(nameOf(row) + " expects an integer value")
               : llvm::Error::success();
  }
  case Option::Define:
    if (!value.empty())
      pass("-D" + value);
    break;
  case Option::Undefine:
    if (!value.empty())
      pass("-U" + value);
    break;
  case Option::IncludePath:
    if (!value.empty())
      settings.folders.push_back(value.str());
    break;
  case Option::PreInclude: {
    llvm::SmallVector<StringRef> files;
    value.split(files, ',', -1, /*KeepEmpty=*/false);
    for (StringRef file : files)
      settings.preIncludes.push_back(file.str());
    break;
  }
  case Option::Time:
    settings.timeFile = value.str();
    break;
  default:
    return applyWarning(row, value);
  }
  return llvm::Error::success();
}

llvm::Error Reader::applyArch(StringRef value) {
  StringRef digits = value;
  unsigned number = 0;
  const bool isReal = digits.consume_front("sm_");
  const bool isKnown = isReal || digits.consume_front("compute_");
  if (!digits.consume_back("a"))
    digits.consume_back("f");
  if (!isKnown || digits.getAsInteger(10, number) ||
      !llvm::is_contained(architectures, number))
    return error("invalid value for --gpu-architecture (-arch)");
  settings.hasCubin = isReal;
  settings.compile.arch = "sm_" + std::to_string(number);
  return llvm::Error::success();
}

llvm::Error Reader::applyStandard(StringRef value) {
  if (!llvm::is_contained({"c++03", "c++11", "c++14", "c++17", "c++20"}, value))
    return error("invalid value for --std(-std)");
  settings.standard = value.str();
  return llvm::Error::success();
}

/// Clang's options for those of EDG's warnings that it has, too.
llvm::Error Reader::applyWarning(const Row &row, StringRef value) {
  llvm::SmallVector<StringRef> items;
  value.split(items, ',', -1, /*KeepEmpty=*/false);
  for (StringRef item : items) {
    if (row.id == Option::WarningsAsErrors) {
      settings.compile.warningsAreErrors |= item == "all-warnings";
      if (item == "reorder")
        pass("-Werror=reorder");
      continue;
    }
    for (StringRef group : warningGroups(item.trim()))
      pass((row.id == Option::DiagnoseSuppress ? "-Wno-"
            : row.id == Option::DiagnoseError  ? "-Werror="
                                               : "-W") +
           group);
  }
  return llvm::Error::success();
}

llvm::Expected<Settings> het::rtc::readOptions(const std::vector<std::string> &options) {
  return Reader(options).read();
}
