// The supervisor: owns no device context, runs cases in worker processes, and survives whatever they do.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "rtxbench/record.hpp"
#include "run/protocol.hpp"
#include "run/signals.hpp"

namespace rtxbench {

struct Discovery {
  std::vector<DeviceInfo> devices;
  std::map<std::string, std::string> none_reasons;  // backend -> why it has no device
  std::map<std::string, std::string> software;
};

struct RunOptions {
  int processes = 1;    // fresh processes a case
  double budget_s = 0;  // of the whole run; 0: none. Cases that do not start in time are skipped with that reason
};

struct RunEvents {
  std::function<void(const Case&)> started;
  std::function<void(const Progress&)> progress;
  std::function<void(Record)> finished;
};

class Supervisor {
 public:
  Supervisor();
  ~Supervisor();
  // Asks a worker, which stays alive for the first case.
  [[nodiscard]] Discovery discover();
  // Runs every case of the plan in order and reports a Record for each, skips included. Returns the signal that ended the run
  // early (the case in flight is dropped; `signals` belongs to the caller, who may have files to write after it), or 0. A
  // worker that crashes, hangs past the time-out or reports a sticky error is replaced, and its case becomes an error row.
  [[nodiscard]] int run(const Plan& plan, const std::vector<DeviceInfo>& devices, const Parameters& parameters,
                        const Registry& registry, const RunOptions& options, SignalWatch& signals, const RunEvents& events);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace rtxbench
