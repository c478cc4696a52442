// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX for C++: ranges that last as long as an object, domains, categories, registered
// strings.

#ifndef HET_NVTX3_NVTX3_HPP
#define HET_NVTX3_NVTX3_HPP

#include "nvtx3/nvToolsExt.h"

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

// Libraries ask whether version 1 is there.
#define NVTX3_CPP_DEFINITIONS_V1_0

#if __cplusplus >= 201402L
#define HET_NVTX3_CONSTEXPR constexpr
#else
#define HET_NVTX3_CONSTEXPR
#endif

namespace nvtx3 {
inline namespace v1 {

/// A color of a range, as a tool may show it.
class rgb {
public:
  using component_type = uint8_t;
  constexpr rgb(component_type red, component_type green, component_type blue) noexcept
      : red(red), green(green), blue(blue) {}
  component_type red, green, blue;
};

class argb : public rgb {
public:
  constexpr argb(component_type alpha, component_type red, component_type green,
                 component_type blue) noexcept
      : rgb(red, green, blue), alpha(alpha) {}
  component_type alpha;
};

class color {
public:
  using value_type = uint32_t;
  explicit constexpr color(value_type code) noexcept : value(code) {}
  constexpr color(argb c) noexcept
      : value(uint32_t(c.alpha) << 24 | uint32_t(c.red) << 16 | uint32_t(c.green) << 8 |
              c.blue) {}
  constexpr color(rgb c) noexcept : color(argb(0xff, c.red, c.green, c.blue)) {}
  constexpr value_type get_value() const noexcept { return value; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

private:
  value_type value;
};

/// A number that groups the events of a domain.
class category {
public:
  using id_type = uint32_t;
  explicit constexpr category(id_type id) noexcept : id(id) {}
  category() = delete;
  constexpr id_type get_id() const noexcept { return id; }

private:
  id_type id;
};

/// A program's own space of events. A type D with a static member `name` stands for one.
class domain {
public:
  /// The domain that events without another belong to.
  struct global {};

  domain(const domain &) = delete;
  domain &operator=(const domain &) = delete;

  template <typename D = global> static const domain &get() noexcept {
    static const domain one(D::name);
    return one;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle; }

private:
  domain() noexcept = default;
  explicit domain(const char *name) noexcept : handle(nvtxDomainCreateA(name)) {}
  explicit domain(const wchar_t *name) noexcept : handle(nvtxDomainCreateW(name)) {}

  const nvtxDomainHandle_t handle = nullptr;
};

template <> inline const domain &domain::get<domain::global>() noexcept {
  static const domain one;
  return one;
}

template <typename D = domain::global> class named_category_in final : public category {
public:
  named_category_in(id_type id, const char *name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  /// The one that C names by its static members `id` and `name`.
  template <typename C> static const named_category_in &get() noexcept {
    static const named_category_in one(C::id, C::name);
    return one;
  }
};
using named_category = named_category_in<domain::global>;

/// A text that is handed to the tool once.
template <typename D = domain::global> class registered_string_in {
public:
  explicit registered_string_in(const char *text) noexcept
      : handle(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(const std::string &text) noexcept
      : registered_string_in(text.c_str()) {}
  explicit registered_string_in(const wchar_t *text) noexcept
      : handle(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  /// The one that M names by its static member `message`.
  template <typename M> static const registered_string_in &get() noexcept {
    static const registered_string_in one(M::message);
    return one;
  }
  nvtxStringHandle_t get_handle() const noexcept { return handle; }

private:
  nvtxStringHandle_t handle;
};
using registered_string = registered_string_in<domain::global>;

/// An event's text. It is not copied.
class message {
public:
  using value_type = nvtxMessageValue_t;
  HET_NVTX3_CONSTEXPR message(const char *text) noexcept : type(NVTX_MESSAGE_TYPE_ASCII), value{} {
    value.ascii = text;
  }
  message(const std::string &text) noexcept : message(text.c_str()) {}
  message(std::string &&) = delete;
  HET_NVTX3_CONSTEXPR message(const wchar_t *text) noexcept
      : type(NVTX_MESSAGE_TYPE_UNICODE), value{} {
    value.unicode = text;
  }
  template <typename D>
  message(const registered_string_in<D> &text) noexcept
      : type(NVTX_MESSAGE_TYPE_REGISTERED), value{} {
    value.registered = text.get_handle();
  }
  HET_NVTX3_CONSTEXPR message(nvtxStringHandle_t handle) noexcept
      : type(NVTX_MESSAGE_TYPE_REGISTERED), value{} {
    value.registered = handle;
  }
  constexpr value_type get_value() const noexcept { return value; }
  constexpr nvtxMessageType_t get_type() const noexcept { return type; }

private:
  nvtxMessageType_t type;
  value_type value;
};

/// A number that goes with an event.
class payload {
public:
  using value_type = decltype(nvtxEventAttributes_t::payload);
  explicit payload(int64_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT64), value{} {
    value.llValue = number;
  }
  explicit payload(int32_t number) noexcept : type(NVTX_PAYLOAD_TYPE_INT32), value{} {
    value.iValue = number;
  }
  explicit payload(uint64_t number) noexcept
      : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64), value{} {
    value.ullValue = number;
  }
  explicit payload(uint32_t number) noexcept
      : type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32), value{} {
    value.uiValue = number;
  }
  explicit payload(float number) noexcept : type(NVTX_PAYLOAD_TYPE_FLOAT), value{} {
    value.fValue = number;
  }
  explicit payload(double number) noexcept : type(NVTX_PAYLOAD_TYPE_DOUBLE), value{} {
    value.dValue = number;
  }
  value_type get_value() const noexcept { return value; }
  nvtxPayloadType_t get_type() const noexcept { return type; }

private:
  nvtxPayloadType_t type;
  value_type value;
};

/// What an event has: text, color, category and number, in any order. The first of a kind
/// counts.
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;

  event_attributes() noexcept : attributes{} {
    attributes.version = NVTX_VERSION;
    attributes.size = sizeof(value_type);
    attributes.colorType = NVTX_COLOR_UNKNOWN;
    attributes.payloadType = NVTX_PAYLOAD_UNKNOWN;
    attributes.messageType = NVTX_MESSAGE_UNKNOWN;
  }
  template <typename... Rest>
  explicit event_attributes(const category &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.category = c.get_id();
  }
  template <typename... Rest>
  explicit event_attributes(const color &c, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.color = c.get_value();
    attributes.colorType = c.get_type();
  }
  template <typename... Rest>
  explicit event_attributes(const rgb &c, const Rest &...rest) noexcept
      : event_attributes(color(c), rest...) {}
  template <typename... Rest>
  explicit event_attributes(const argb &c, const Rest &...rest) noexcept
      : event_attributes(color(c), rest...) {}
  template <typename... Rest>
  explicit event_attributes(const payload &p, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.payload = p.get_value();
    attributes.payloadType = p.get_type();
  }
  template <typename... Rest>
  explicit event_attributes(const message &m, const Rest &...rest) noexcept
      : event_attributes(rest...) {
    attributes.message = m.get_value();
    attributes.messageType = m.get_type();
  }
  template <typename... Rest>
  explicit event_attributes(const char *text, const Rest &...rest) noexcept
      : event_attributes(message(text), rest...) {}
  template <typename... Rest>
  explicit event_attributes(const std::string &text, const Rest &...rest) noexcept
      : event_attributes(message(text), rest...) {}
  const value_type *get() const noexcept { return &attributes; }

private:
  value_type attributes;
};

namespace detail {
/// No type, if the argument is what others are made into.
template <typename First>
using unlessAttributes = typename std::enable_if<!std::is_same<
    typename std::decay<First>::type, event_attributes>::value>::type;
} // namespace detail

/// A range of the calling thread, from its making to its end.
template <typename D = domain::global> class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &attributes) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), attributes.get());
  }
  template <typename First, typename... Rest,
            typename = detail::unlessAttributes<First>>
  explicit scoped_range_in(const First &first, const Rest &...rest) noexcept
      : scoped_range_in(event_attributes(first, rest...)) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
  void *operator new(size_t) = delete;
};
using scoped_range = scoped_range_in<domain::global>;

/// The number of a range that any thread may end.
struct range_handle {
  using value_type = nvtxRangeId_t;
  explicit constexpr range_handle(value_type id) noexcept : id(id) {}
  constexpr range_handle() noexcept = default;
  constexpr explicit operator bool() const noexcept { return id != 0; }
  constexpr range_handle(std::nullptr_t) noexcept {}
  constexpr value_type get_value() const noexcept { return id; }
  friend bool operator==(range_handle a, range_handle b) noexcept { return a.id == b.id; }
  friend bool operator!=(range_handle a, range_handle b) noexcept { return a.id != b.id; }

private:
  value_type id = 0;
};

template <typename D = domain::global>
range_handle start_range_in(const event_attributes &attributes) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), attributes.get()));
}
template <typename D = domain::global, typename First, typename... Rest,
          typename = detail::unlessAttributes<First>>
range_handle start_range_in(const First &first, const Rest &...rest) noexcept {
  return start_range_in<D>(event_attributes(first, rest...));
}
template <typename... Arguments>
range_handle start_range(const Arguments &...arguments) noexcept {
  return start_range_in<domain::global>(arguments...);
}
template <typename D = domain::global> void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in(range); }

/// A range that goes from object to object, and ends with the last.
template <typename D = domain::global> class unique_range_in {
public:
  template <typename... Arguments>
  explicit unique_range_in(const Arguments &...arguments) noexcept
      : range(start_range_in<D>(event_attributes(arguments...))) {}
  unique_range_in(unique_range_in &&other) noexcept : range(other.range) {
    other.range = {};
  }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    std::swap(range, other.range);
    return *this;
  }
  ~unique_range_in() noexcept {
    if (range)
      end_range_in<D>(range);
  }
  unique_range_in(const unique_range_in &) = delete;
  unique_range_in &operator=(const unique_range_in &) = delete;

private:
  range_handle range;
};
using unique_range = unique_range_in<domain::global>;

template <typename D = domain::global>
void mark_in(const event_attributes &attributes) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), attributes.get());
}
template <typename D = domain::global, typename First, typename... Rest,
          typename = detail::unlessAttributes<First>>
void mark_in(const First &first, const Rest &...rest) noexcept {
  mark_in<D>(event_attributes(first, rest...));
}
template <typename... Arguments> void mark(const Arguments &...arguments) noexcept {
  mark_in<domain::global>(arguments...);
}

} // namespace v1
} // namespace nvtx3

/* A range with the function's name, from here to the function's end. */
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                        \
  static const ::nvtx3::v1::registered_string_in<D> nvtx3_func_name__(__func__);         \
  static const ::nvtx3::v1::event_attributes nvtx3_func_attr__(                          \
      ::nvtx3::v1::message{nvtx3_func_name__});                                          \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__(nvtx3_func_attr__)
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE()

#endif // HET_NVTX3_NVTX3_HPP
