// The signals that ask a run to end, as something to poll for, while in scope.
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
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
  int read_fd_ = -1, write_fd_ = -1;
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace rtxbench
