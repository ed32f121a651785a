#include "run/worker_slot.hpp"

#include <fmt/format.h>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {
constexpr double kCloseGrace = 10;  // s for a worker to give its device back
constexpr double kSignalGrace = 2;  // s, after a first signal
}  // namespace

Start WorkerSlot::start(bool fresh, int wake_fd) {
  if (worker_ && (worker_->ended() || (fresh && worker_->used))) close();
  if (worker_) return Start::ready;
  return failure_.empty() ? start_new(wake_fd) : Start::failed;
}

Start WorkerSlot::start_new(int wake_fd) {
  std::string how;
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      worker_ = std::make_unique<WorkerProcess>();
    } catch (const Error& error) {  // no process, memory or descriptor left: later cases are told so, earlier ones are kept
      failure_ = error.what();
      return Start::failed;
    }
    std::string line;
    switch (worker_->receive(line, steady_seconds() + start_limit_s_, wake_fd)) {
      case Wait::line:
        return Start::ready;
      case Wait::signal:
        return Start::signal;
      case Wait::ended:
        how = worker_->ending();
        break;
      case Wait::timeout:
        how = fmt::format("was not ready after {:g} s", start_limit_s_);
        break;
    }
    worker_.reset();
  }
  failure_ = fmt::format("no worker process starts: twice in a row it {}. Its own messages stand on stderr", how);
  return Start::failed;
}

void WorkerSlot::close() {
  if (worker_) worker_->close(kCloseGrace);
  worker_.reset();
}

void WorkerSlot::terminate(int wake_fd) {
  if (worker_) worker_->terminate(kSignalGrace, wake_fd);
  worker_.reset();
}

}  // namespace rtxbench
