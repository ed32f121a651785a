// A worker as its supervisor sees it: a child process that takes and gives lines.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace rtxbench {

// Why waiting for a worker ended.
enum class Wait : std::uint8_t { line, ended, timeout, signal };

class WorkerProcess {
 public:
  // Starts this very executable as `worker`. Throws Error when the system cannot.
  WorkerProcess();
  ~WorkerProcess();  // kills at once
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // False when the worker does not listen any more.
  [[nodiscard]] bool send(const std::string& line);
  // Waits for a line until `deadline_s` (steady clock) or until `wake_fd` becomes readable (-1: none).
  [[nodiscard]] Wait receive(std::string& line, double deadline_s, int wake_fd);

  // Ends it: end of file on its stdin, and SIGKILL for it and its children when it has not gone by itself within `grace_s`.
  void close(double grace_s);
  // Asks by SIGTERM, then as close(); SIGKILL at once when `wake_fd` becomes readable.
  void terminate(double grace_s, int wake_fd);
  // How it ended, in words; after Wait::ended, close() or terminate().
  [[nodiscard]] std::string ending();
  // Whether it has gone by itself.
  [[nodiscard]] bool ended() { return reap(0, -1); }

  bool used = false;  // has run a case

 private:
  bool reap(double deadline_s, int wake_fd);
  void kill_group();

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1;  // our ends
  int status_ = 0;
  bool reaped_ = false;
  std::string buffer_;
};

[[nodiscard]] double steady_seconds();

}  // namespace rtxbench
