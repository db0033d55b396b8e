#include "ingot/runtime/Error.h"

#include <ostream>

namespace ingot {

SourceLocation::SourceLocation(const CallSite &site) : line(static_cast<int>(site.line)) {
  if (site.known())
    file = site.file;
  else
    line = 0;
}

std::string SourceLocation::str() const { return known() ? file + ":" + std::to_string(line) : std::string(); }

std::ostream &operator<<(std::ostream &out, const SourceLocation &location) { return out << location.str(); }

Error::Error(ErrorCode code, const std::string &message, const SourceLocation &where)
    : std::runtime_error(message), code_(code), message_(message), text(message) {
  locate(where);
}

void Error::locate(const SourceLocation &site) {
  if (where_.known() || !site.known())
    return;
  where_ = site;
  text = message_ + " (" + site.str() + ")";
}

// The destructors are here so that each class has one home for its type information, whatever libraries throw
// it.
Error::~Error() = default;
ShapeError::~ShapeError() = default;
DTypeError::~DTypeError() = default;
DispatchError::~DispatchError() = default;
CaptureError::~CaptureError() = default;
GradientError::~GradientError() = default;
CompileError::~CompileError() = default;
IoError::~IoError() = default;
IndexError::~IndexError() = default;
InternalError::~InternalError() = default;

void throw_error(ErrorCode code, const std::string &message, const SourceLocation &where) {
  switch (code) {
  case ErrorCode::Shape:
    throw ShapeError(message, where);
  case ErrorCode::DType:
    throw DTypeError(message, where);
  case ErrorCode::Dispatch:
    throw DispatchError(message, where);
  case ErrorCode::Capture:
    throw CaptureError(message, where);
  case ErrorCode::Gradient:
    throw GradientError(message, where);
  case ErrorCode::Compile:
    throw CompileError(message, where);
  case ErrorCode::Io:
    throw IoError(message, where);
  case ErrorCode::Index:
    throw IndexError(message, where);
  case ErrorCode::Internal:
    break;
  }
  throw InternalError(message, where);
}

void throw_internal_error(std::string_view text, const std::source_location &at) {
  // The site of the check goes into the text: where() is for the user's own lines.
  throw InternalError("bug in ingot, please report: " + std::string(text) + " [" + at.file_name() + ":" +
                      std::to_string(at.line()) + "]");
}

} // namespace ingot
