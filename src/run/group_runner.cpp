#include "run/group_runner.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rtxbench/error.hpp"

namespace rtxbench {
namespace {

constexpr int kInvalidInARow = 3;

void require_times(const GroupResult& group, const std::string& device) {
  if (group.elapsed_s.empty())
    throw DeviceError(fmt::format("the timer of {} returned a group without samples", device), false);
  for (const double elapsed_s : group.elapsed_s) {
    if (std::isfinite(elapsed_s) && elapsed_s > 0) continue;
    throw DeviceError(
        fmt::format("the timer of {} read {} s for a call: no rate can be computed from it. Check the clock source "
                    "or the driver of the device",
                    device, elapsed_s),
        false);
  }
}

}  // namespace

bool spin_wanted(Device& device, const Parameters& parameters, const ProtocolState& state, std::string& reason) {
  if (!parameters.spin) {
    reason = "switched off (--no-spin)";
    return false;
  }
  if (state.spin_disabled) {
    reason = state.spin_reason;
    return false;
  }
  return device.spin_available(reason);
}

GroupRunner::GroupRunner(Device& device, const TimerRequest& request, bool spin, ProtocolState& state)
    : state_(state), device_(device.info().name), spin_(spin), timer_(device.make_timer(request)) {}

void GroupRunner::submit(int samples, bool gated) {
  timer_->submit(samples, gated && spin_ && !state_.spin_disabled);
  ++in_flight_;
}

std::optional<GroupResult> GroupRunner::collect() {
  GroupResult group = timer_->collect();
  --in_flight_;
  if (group.valid && !group.serialised) {
    invalid_in_a_row_ = 0;
    require_times(group, device_);
    return group;
  }
  ++discarded_;
  if (group.serialised) {
    state_.spin_disabled = true;
    state_.spin_reason = group.reason.empty() ? "the spin kernel timed out: launches are serialised here" : group.reason;
  } else if (++invalid_in_a_row_ >= kInvalidInARow) {
    throw DeviceError(fmt::format("{} groups of samples in a row were invalid: {}", invalid_in_a_row_, group.reason), false);
  }
  return std::nullopt;
}

void GroupRunner::drain() {
  while (in_flight_ > 0) {
    --in_flight_;
    static_cast<void>(timer_->collect());
  }
}

}  // namespace rtxbench
