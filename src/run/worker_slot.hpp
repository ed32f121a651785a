// The place of the one worker of a supervisor: filled when needed, emptied when its worker is no good any more.
#pragma once

#include <memory>
#include <string>

#include "run/worker_process.hpp"

namespace rtxbench {

enum class Start : std::uint8_t { ready, failed, signal };

class WorkerSlot {
 public:
  static constexpr double kStartLimit = 60;  // s until a worker says that it is ready
  explicit WorkerSlot(double start_limit_s = kStartLimit) : start_limit_s_(start_limit_s) {}
  ~WorkerSlot() { close(); }
  WorkerSlot(const WorkerSlot&) = delete;
  WorkerSlot& operator=(const WorkerSlot&) = delete;
  // Sees to a ready worker: the one that is there, or a new one. `fresh`: one that has run no case yet.
  [[nodiscard]] Start start(bool fresh, int wake_fd);
  [[nodiscard]] WorkerProcess& worker() { return *worker_; }
  // Why no worker starts. Once set, no further one is tried.
  [[nodiscard]] const std::string& failure() const { return failure_; }

  void close();  // lets the worker give its device back
  void kill() { worker_.reset(); }
  void terminate(int wake_fd);  // after a signal: SIGTERM, and SIGKILL after 2 s or at the next signal

 private:
  [[nodiscard]] Start start_new(int wake_fd);

  double start_limit_s_;
  std::unique_ptr<WorkerProcess> worker_;
  std::string failure_;
};

}  // namespace rtxbench
