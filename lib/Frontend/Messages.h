// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages of one compilation. Both passes of Clang read the same source
// and find the same faults; a message is shown once. Thread-safe.

#ifndef HET_LIB_FRONTEND_MESSAGES_H
#define HET_LIB_FRONTEND_MESSAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <string>
#include <vector>

namespace het {

enum class Severity { Note, Remark, Warning, Error };

class Messages {
public:
  enum class Form { Clang, Nvrtc };

  Messages(llvm::raw_ostream &os, bool color) : os(os), color(color) {}
  /// In NVRTC's form, of a source with this name.
  Messages(llvm::raw_ostream &os, std::string source)
      : os(os), color(false), itsForm(Form::Nvrtc), source(std::move(source)) {}

  bool useColor() const { return color; }
  Form form() const { return itsForm; }

  /// Shows a rendered message (with its notes) unless it was shown before.
  void show(Severity severity, llvm::StringRef text);

  /// Shows a message of our own at a place in the source, as clang would: the
  /// place, the text, the source line and a caret. An empty file or a line of 0
  /// means that the place is unknown. `notes` stand below, in the same form.
  struct Place {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
  };
  struct Note {
    Place place;
    std::string text;
  };
  void show(Severity severity, const Place &place, llvm::StringRef text,
            llvm::ArrayRef<Note> notes = {});

  /// Shows text that is no diagnostic (a command line under -v).
  void print(llvm::StringRef text);

  unsigned errors() const;

  /// Says how many warnings and errors there were, if any, as clang does, or how many
  /// errors, as NVRTC does.
  void summarize();

private:
  mutable std::mutex mutex;
  llvm::raw_ostream &os;
  bool color;
  Form itsForm = Form::Clang;
  std::string source;
  bool isCatastrophic = false; ///< The compilation ended at its last error.
  llvm::StringSet<> shown;
  unsigned errorCount = 0;
  unsigned warningCount = 0;
};

} // namespace het

#endif // HET_LIB_FRONTEND_MESSAGES_H
