// SIGINT and SIGTERM as something to poll for, while in scope.
#pragma once

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
  struct sigaction old_interrupt_ {
  }, old_terminate_{};
};

}  // namespace rtxbench
