// A Python framework in its own process (bench/peers/server.py), asked a line at a time.
#pragma once

#include "Contender.h"

#include <cstdio>
#include <memory>
#include <string>

namespace bench {

class PythonPeer {
public:
  /// Starts the server; `framework` is torch, compile or jax. Null when it does not start.
  static std::shared_ptr<PythonPeer> start(const std::string &python, const std::string &framework, int threads);
  ~PythonPeer();

  /// The row as a contender, or nothing with the reason on stderr.
  std::optional<Contender> contender(const std::string &row);
  /// Stops the process while others are measured, and lets it go on: a spinning pool would disturb them.
  void pause();
  void resume();

private:
  std::string framework;
  int pid = -1;
  FILE *in = nullptr, *out = nullptr;
  /// The number of an `ok` answer; throws std::runtime_error with the text of any other.
  double ask(const std::string &command);
};

} // namespace bench
