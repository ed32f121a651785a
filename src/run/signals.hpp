// SIGINT, SIGTERM and SIGHUP as something to poll for, while in scope. A SIGHUP that was ignored stays so (nohup).
#pragma once

#include <array>
#include <csignal>

namespace rtxbench {

class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;
  // Readable while a signal has come and take() has not been called.
  [[nodiscard]] int fd() const { return read_fd_; }
  // The oldest signal not yet taken, or 0.
  [[nodiscard]] int take();

 private:
  int read_fd_ = -1, write_fd_ = -1;
  std::array<struct sigaction, 3> old_{};
};

}  // namespace rtxbench
