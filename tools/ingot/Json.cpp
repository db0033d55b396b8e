#include "ingot/tools/ingot/Json.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace ingot::cli {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json_strings(const std::vector<std::string> &list) {
  std::string out = "[";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i ? ", " : "") + json_string(list[i]);
  return out + "]";
}

std::string json_number(double value) {
  if (!std::isfinite(value))
    return "null";
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string html_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

} // namespace ingot::cli
