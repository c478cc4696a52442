// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects, renders and counts the messages of one compilation.

#include "Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace het;
using llvm::StringRef;

void Messages::show(Severity severity, StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!shown.insert(text).second)
    return;
  os << text;
  if (itsForm == Form::Nvrtc) {
    os << '\n';
    isCatastrophic |=
        severity == Severity::Error && text.contains(": catastrophic error");
  }
  os.flush();
  errorCount += severity == Severity::Error;
  warningCount += severity == Severity::Warning;
}

/// The text of a source line, without its end; empty if it cannot be read.
static std::string sourceLine(const Messages::Place &place) {
  auto buffer = llvm::MemoryBuffer::getFile(place.file, /*IsText=*/true);
  if (!buffer || place.line == 0)
    return "";
  StringRef rest = (*buffer)->getBuffer();
  for (unsigned line = 1; line < place.line; ++line)
    rest = rest.split('\n').second;
  return rest.split('\n').first.rtrim("\r").str();
}

static void renderSource(llvm::raw_ostream &os, const Messages::Place &place,
                         bool color) {
  std::string line = sourceLine(place);
  if (line.empty())
    return;
  std::string number = std::to_string(place.line);
  unsigned width = std::max<size_t>(4, number.size()) + 1;
  os.indent(width - number.size()) << number << " | " << line << '\n';
  if (place.column == 0)
    return;
  // Tabs stay tabs, so that the caret stands where the character is shown.
  os.indent(width) << " | ";
  for (unsigned i = 0; i + 1 < place.column; ++i)
    os << (i < line.size() && line[i] == '\t' ? '\t' : ' ');
  if (color)
    os.changeColor(llvm::raw_ostream::GREEN, /*Bold=*/true);
  os << "^";
  if (color)
    os.resetColor();
  os << '\n';
}

/// `file(line): error: text`
static void renderAsNvrtc(llvm::raw_ostream &os, Severity severity,
                          const Messages::Place &place, StringRef text) {
  static const char *const words[] = {"note: ", "remark: ", "warning: ", "error: "};
  if (!place.file.empty() && place.line)
    os << place.file << '(' << place.line << "): ";
  else if (!place.file.empty())
    os << place.file << ": ";
  os << words[static_cast<int>(severity)] << text << '\n';
}

static void renderOne(llvm::raw_ostream &os, Severity severity,
                      const Messages::Place &place, StringRef text, bool color) {
  using Color = llvm::raw_ostream::Colors;
  static const struct {
    const char *word;
    Color color;
  } kinds[] = {{"note: ", Color::BLACK},
               {"remark: ", Color::BLUE},
               {"warning: ", Color::MAGENTA},
               {"error: ", Color::RED}};
  const auto &kind = kinds[static_cast<int>(severity)];
  if (color)
    os.changeColor(Color::SAVEDCOLOR, /*Bold=*/true);
  if (!place.file.empty()) {
    os << place.file << ':';
    if (place.line)
      os << place.line << ':';
    if (place.line && place.column)
      os << place.column << ':';
    os << ' ';
  }
  if (color)
    os.changeColor(kind.color, /*Bold=*/true);
  os << kind.word;
  if (color) {
    os.resetColor();
    os.changeColor(Color::SAVEDCOLOR, /*Bold=*/severity != Severity::Note);
  }
  os << text;
  if (color)
    os.resetColor();
  os << '\n';
  renderSource(os, place, color);
}

void Messages::show(Severity severity, const Place &place, StringRef text,
                    llvm::ArrayRef<Note> notes) {
  std::string rendered;
  llvm::raw_string_ostream stream(rendered);
  stream.enable_colors(color);
  auto render = [&](Severity itsSeverity, const Place &itsPlace, StringRef itsText) {
    if (itsForm == Form::Nvrtc)
      renderAsNvrtc(stream, itsSeverity, itsPlace, itsText);
    else
      renderOne(stream, itsSeverity, itsPlace, itsText, color);
  };
  render(severity, place, text);
  for (const Note &note : notes)
    render(Severity::Note, note.place, note.text);
  show(severity, rendered);
}

void Messages::print(StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  os << text;
  os.flush();
}

unsigned Messages::errors() const {
  std::lock_guard<std::mutex> lock(mutex);
  return errorCount;
}

void Messages::summarize() {
  std::lock_guard<std::mutex> lock(mutex);
  auto count = [](unsigned number, const char *what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  if (itsForm == Form::Nvrtc) {
    const char *kind = isCatastrophic && errorCount == 1 ? "catastrophic error" : "error";
    if (errorCount)
      os << count(errorCount, kind) << " detected in the compilation of \"" << source
         << "\".\n";
    if (isCatastrophic)
      os << "Compilation terminated.\n";
    return;
  }
  if (warningCount)
    os << count(warningCount, "warning") << (errorCount ? " and " : "");
  if (errorCount)
    os << count(errorCount, "error");
  if (warningCount || errorCount)
    os << " generated.\n";
}
