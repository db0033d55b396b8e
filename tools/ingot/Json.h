// Text that goes into JSON and HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingot::cli {

/// With its quotes; control characters are escaped.
std::string json_string(std::string_view text);
std::string json_strings(const std::vector<std::string> &list);
/// Shortest form that reads back; `null` for what JSON cannot say.
std::string json_number(double value);
std::string html_text(std::string_view text);

} // namespace ingot::cli
