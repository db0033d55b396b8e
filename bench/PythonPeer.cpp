#include "PythonPeer.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace bench {

std::shared_ptr<PythonPeer> PythonPeer::start(const std::string &python, const std::string &framework, int threads) {
  int to[2], from[2];
  if (pipe(to) || pipe(from))
    return nullptr;
  const int pid = fork();
  if (pid == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    for (int fd : {to[0], to[1], from[0], from[1]})
      close(fd);
    const std::string count = std::to_string(threads);
    execl(python.c_str(), python.c_str(), INGOT_BENCH_DIR "/peers/server.py", framework.c_str(), count.c_str(),
          nullptr);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  auto peer = std::make_shared<PythonPeer>();
  peer->framework = framework;
  peer->pid = pid;
  peer->in = fdopen(to[1], "w");
  peer->out = fdopen(from[0], "r");
  try {
    peer->ask("ping"); // its imports are done: nothing of it runs while others are measured
    peer->pause();
  } catch (const std::exception &fault) {
    std::fprintf(stderr, "%s: %s\n", framework.c_str(), fault.what());
    return nullptr;
  }
  return peer;
}

PythonPeer::~PythonPeer() {
  if (in) {
    resume();
    std::fputs("quit\n", in);
    std::fclose(in);
  }
  if (out)
    std::fclose(out);
  if (pid > 0)
    waitpid(pid, nullptr, 0);
}

void PythonPeer::pause() { kill(pid, SIGSTOP); }
void PythonPeer::resume() { kill(pid, SIGCONT); }

double PythonPeer::ask(const std::string &command) {
  std::fputs((command + "\n").c_str(), in);
  std::fflush(in);
  char line[512];
  if (!std::fgets(line, sizeof line, out))
    throw std::runtime_error("the process ended");
  if (std::strncmp(line, "ok ", 3) != 0)
    throw std::runtime_error(line);
  return std::atof(line + 3);
}

std::optional<Contender> PythonPeer::contender(const std::string &row) {
  try {
    resume();
    const double seconds = ask("prepare " + row);
    pause();
    Run run = [this, row](long iterations) {
      resume();
      const double elapsed = ask("time " + row + " " + std::to_string(iterations));
      pause();
      return elapsed;
    };
    return Contender{framework, run, seconds};
  } catch (const std::exception &fault) {
    std::fprintf(stderr, "%s %s: %s\n", framework.c_str(), row.c_str(), fault.what());
    return std::nullopt;
  }
}

} // namespace bench
