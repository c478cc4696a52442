// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Status and Result<T>: how everything that links no LLVM reports failure.
//
// A message has the form `<thing>: found X, expected Y; <what to do>` without a
// leading "error: "; whoever prints it adds that. `origin` says where the thing
// came from (a file, a device, a variable) and is printed before the message.

#ifndef HET_BASE_STATUS_H
#define HET_BASE_STATUS_H

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace het {

/// Kind of a failure. The numbers are part of the target ABI (HetStatus).
enum class Code : int32_t {
  Ok = 0,
  Unavailable = 1, ///< The thing asked for is not here (device, file, kernel).
  Unsupported = 2, ///< Well-formed, but this version or device cannot do it.
  Invalid = 3,     ///< The input or the call is wrong.
  Internal = 4,    ///< A fault of ours.
};

/// The lower-case name of a code, as documents and messages spell it.
const char *codeName(Code code);

/// Success, or a code with a message. Cheap to return when it is a success.
struct [[nodiscard]] Status {
  Code code = Code::Ok;
  std::string message;
  std::string origin;

  bool ok() const { return code == Code::Ok; }

  /// `origin: message`, or the message alone if there is no origin.
  std::string text() const;

  /// The same status with an origin, unless it already has one.
  Status from(std::string where) &&;

  static Status success() { return Status(); }
};

Status invalid(std::string message, std::string origin = {});
Status unsupported(std::string message, std::string origin = {});
Status unavailable(std::string message, std::string origin = {});
Status internal(std::string message, std::string origin = {});

/// `<thing>: found <found>, expected <expected>; <remedy>`.
std::string foundExpected(const std::string &thing, const std::string &found,
                          const std::string &expected, const std::string &remedy);

/// A T or the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Result(Status failure) : state(std::in_place_index<1>, std::move(failure)) {
    assert(!std::get<1>(state).ok() && "a Result needs a value or a failure");
  }

  bool ok() const { return state.index() == 0; }

  const T &operator*() const { return value(); }
  T &operator*() { return value(); }
  const T *operator->() const { return &value(); }
  T *operator->() { return &value(); }

  /// The failure; success() if there is a value.
  Status status() const { return ok() ? Status::success() : *std::get_if<1>(&state); }

  /// Moves the value out. Only if ok().
  T take() { return std::move(value()); }

private:
  const T &value() const {
    assert(ok() && "reading the value of a failed Result");
    return *std::get_if<0>(&state);
  }
  T &value() {
    assert(ok() && "reading the value of a failed Result");
    return *std::get_if<0>(&state);
  }

  std::variant<T, Status> state;
};

} // namespace het

#endif // HET_BASE_STATUS_H
