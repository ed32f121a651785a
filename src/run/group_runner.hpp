// Submits groups to a timer and lets through only what can be believed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "run/protocol.hpp"

namespace rtxbench {

class GroupRunner {
 public:
  GroupRunner(Device& device, const TimerRequest& request, bool spin, ProtocolState& state);
  // `gated`: behind the spin kernel, where there is one.
  void submit(int samples, bool gated);
  // The oldest group, or nothing where it was invalid and is lost. Throws DeviceError after several invalid groups in a row and
  // for times that are no times. A serialised spin kernel is switched off in `state`.
  [[nodiscard]] std::optional<GroupResult> collect();
  [[nodiscard]] int in_flight() const { return in_flight_; }
  [[nodiscard]] int discarded() const { return discarded_; }
  [[nodiscard]] const Timer& timer() const { return *timer_; }
  // Waits for what is in flight without looking at it.
  void drain();

 private:
  ProtocolState& state_;
  std::string device_;
  bool spin_;
  std::unique_ptr<Timer> timer_;
  int in_flight_ = 0, discarded_ = 0, invalid_in_a_row_ = 0;
};

// Whether groups may be held behind the spin kernel, and if not, why.
[[nodiscard]] bool spin_wanted(Device& device, const Parameters& parameters, const ProtocolState& state, std::string& reason);

}  // namespace rtxbench
