// What a user is told when something is wrong: one exception class per family, each with the bare text and
// the user's call site. A broken invariant of our own is an InternalError, thrown by INGOT_CHECK.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ingot {

/// A place in the user's program as the compiler states it: cheap to copy and to store per op. The strings
/// are literals of the program and are not owned. Unknown when `file` is null.
struct CallSite {
  const char *file = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  const char *function = nullptr;

  constexpr CallSite() = default;
  constexpr CallSite(const char *file, std::uint32_t line, std::uint32_t column = 0, const char *function = nullptr)
      : file(file), line(line), column(column), function(function) {}
  constexpr CallSite(const std::source_location &at)
      : file(at.file_name()), line(at.line()), column(at.column()), function(at.function_name()) {}

  constexpr bool known() const { return file != nullptr && *file != '\0'; }
};

/// A place in the user's program that owns its text. Unknown when `file` is empty.
struct SourceLocation {
  std::string file;
  int line = 0;

  SourceLocation() = default;
  SourceLocation(std::string file, int line) : file(std::move(file)), line(line) {}
  SourceLocation(const CallSite &site);

  bool known() const { return !file.empty(); }
  /// `file:line`, or nothing when unknown.
  std::string str() const;
  friend bool operator==(const SourceLocation &, const SourceLocation &) = default;
};
std::ostream &operator<<(std::ostream &out, const SourceLocation &location);

enum class ErrorCode : std::int32_t {
  Internal = 1,
  Shape,
  DType,
  Dispatch,
  Capture,
  Gradient,
  Compile,
  Io,
  Index,
};

/// The base of everything Ingot throws.
class Error : public std::runtime_error {
public:
  Error(ErrorCode code, const std::string &message, const SourceLocation &where = {});
  Error(const Error &) = default;
  Error &operator=(const Error &) = default;
  ~Error() override;

  ErrorCode code() const noexcept { return code_; }
  /// The bare text.
  const std::string &message() const noexcept { return message_; }
  /// The user's call site; unknown when the error is not about one.
  const SourceLocation &where() const noexcept { return where_; }
  /// The message, followed by ` (file:line)` when the site is known.
  const char *what() const noexcept override { return text.c_str(); }

  /// States the site of an error thrown below the level that knows it; keeps a site that is already known.
  /// Meant for `catch (Error &e) { e.locate(site); throw; }`, which keeps the class.
  void locate(const SourceLocation &site);

private:
  ErrorCode code_;
  std::string message_;
  SourceLocation where_;
  std::string text;
};

#define INGOT_ERROR_CLASS(NAME, CODE)                                                                                  \
  class NAME : public Error {                                                                                          \
  public:                                                                                                              \
    explicit NAME(const std::string &message, const SourceLocation &where = {})                                        \
        : Error(ErrorCode::CODE, message, where) {}                                                                    \
    NAME(const NAME &) = default;                                                                                      \
    NAME &operator=(const NAME &) = default;                                                                           \
    ~NAME() override;                                                                                                  \
  }
INGOT_ERROR_CLASS(ShapeError, Shape);
INGOT_ERROR_CLASS(DTypeError, DType);
INGOT_ERROR_CLASS(DispatchError, Dispatch);
INGOT_ERROR_CLASS(CaptureError, Capture);
INGOT_ERROR_CLASS(GradientError, Gradient);
INGOT_ERROR_CLASS(CompileError, Compile);
INGOT_ERROR_CLASS(IoError, Io);
INGOT_ERROR_CLASS(IndexError, Index);
/// A bug in Ingot, not in the program that met it.
INGOT_ERROR_CLASS(InternalError, Internal);
#undef INGOT_ERROR_CLASS

/// Throws the class that belongs to `code`.
[[noreturn]] void throw_error(ErrorCode code, const std::string &message, const SourceLocation &where = {});

/// Throws an InternalError that names the condition and our own file and line.
[[noreturn]] void throw_internal_error(std::string_view text, const std::source_location &at);

/// Runs `f`; an Error that leaves it without a site gets `site`.
template <class F> decltype(auto) with_site(const CallSite &site, F &&f) {
  try {
    return f();
  } catch (Error &error) {
    error.locate(site);
    throw;
  }
}

} // namespace ingot

/// A condition that only a bug in Ingot can break. Always checked.
#define INGOT_CHECK(condition, text)                                                                                   \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                                                 \
                                : ::ingot::throw_internal_error(std::string("`" #condition "` is false: ") + (text),   \
                                                                std::source_location::current()))
