// What the system says of this process: memory, threads, mappings.
#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

namespace ingot {

struct ProcessState {
  std::size_t resident = 0; ///< bytes
  std::size_t threads = 0;
  std::size_t mappings = 0;
  std::size_t anonymous_code = 0; ///< bytes of executable mappings that belong to no file

  static ProcessState now();
};

inline ProcessState ProcessState::now() {
  ProcessState state;
  std::string line;
  for (std::ifstream status("/proc/self/status"); std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    std::size_t number = 0;
    words >> name >> number;
    if (name == "VmRSS:")
      state.resident = number * 1024;
    else if (name == "Threads:")
      state.threads = number;
  }
  for (std::ifstream maps("/proc/self/maps"); std::getline(maps, line);) {
    ++state.mappings;
    std::istringstream words(line);
    std::size_t begin = 0, end = 0;
    char dash = 0;
    std::string rights, offset, device, inode, path;
    words >> std::hex >> begin >> dash >> end >> rights >> offset >> device >> inode >> path;
    if (rights.find('x') != std::string::npos && path.empty())
      state.anonymous_code += end - begin;
  }
  return state;
}

} // namespace ingot
