// Paths of name scopes: the user's own names, then the functions that record, outermost first, joined by '/'. The one
// that the user called ends in "()": "encoder/0/cross_entropy()/log_softmax".
#pragma once

#include <algorithm>
#include <string_view>

namespace ingot {

/// The name of the function that the user called; empty where the path names none.
constexpr std::string_view called_function(std::string_view path) {
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view name = path.substr(begin, end - begin);
    if (name.ends_with("()"))
      return name.substr(0, name.size() - 2);
    begin = end + 1;
  }
  return {};
}

} // namespace ingot
