#include "run/execute.hpp"

#include <fmt/format.h>

#include "plan/plan.hpp"
#include "plan/sizing.hpp"
#include "rtxbench/error.hpp"
#include "rtxbench/peaks.hpp"
#include "rtxbench/units.hpp"
#include "run/operands.hpp"
#include "run/outcome.hpp"
#include "run/timing.hpp"

namespace rtxbench {
namespace {

constexpr double kFirstCallSlack = 10;  // a first call may cost so much more than the next: libraries load, PTX compiles

// The value of an axis that is an enumeration. Planned cases hold no others; an id from elsewhere might.
template <class Enum>
Enum choice_at(const AxisValues& values, const char* axis, std::optional<Enum> (*parse)(std::string_view)) {
  const std::string& text = values.at(axis);
  if (const auto value = parse(text)) return *value;
  throw UsageError(fmt::format("{}={} is not a value of this axis", axis, text));
}

// One case in the making. Steps return false when the record has ended without a measurement.
class CaseRun {
 public:
  CaseRun(Record& record, const Parameters& parameters, const Registry& registry, Device& device, ProtocolState& state,
          const std::function<void(const Progress&)>& progress)
      : record_(record), parameters_(parameters), registry_(registry), device_(device), state_(state), progress_(progress) {}

  void run() {
    if (!find() || !allocate() || !prepare() || !first_call() || !estimate()) return;
    if (!measure_call()) return;
    record_.status = Status::passed;
    record_.reason.clear();
  }

 private:
  bool end(Status status, std::string reason) {
    end_without_measurement(record_, status, std::move(reason));
    return false;
  }
  void tell(const char* phase) const {
    if (progress_) progress_({.phase = phase});
  }
  // The device's properties with the memory that is free now.
  [[nodiscard]] DeviceInfo device_now() const {
    DeviceInfo info = device_.info();
    info.free_bytes = device_.free_bytes();
    return info;
  }

  bool find();
  bool allocate();
  bool prepare();
  bool first_call();
  bool estimate();
  bool measure_call();
  bool verify(const char* when);
  bool too_long(double call_s, double slack);
  void compare_with_peak(const Measurement& measurement);
  void check_rotation(Method& method);

  Record& record_;
  const Parameters& parameters_;
  const Registry& registry_;
  Device& device_;
  ProtocolState& state_;
  const std::function<void(const Progress&)>& progress_;

  Regime regime_ = Regime::burst;
  CacheState cache_ = CacheState::cold;
  const Provider* provider_ = nullptr;
  std::unique_ptr<Problem> problem_;
  std::optional<Operands> operands_;
  std::unique_ptr<Invocation> invocation_;  // destroyed before what it is bound to
  double preparation_s_ = 0;
};

bool CaseRun::find() {
  const Case& test = record_.test;
  const Benchmark* benchmark = registry_.find_benchmark(test.benchmark);
  if (benchmark == nullptr) throw UsageError("this build has no benchmark " + test.benchmark);
  regime_ = choice_at(test.values, "regime", parse_regime);
  cache_ = choice_at(test.values, "cache", parse_cache_state);
  problem_ = benchmark->problem(test.values);
  provider_ = registry_.find_provider(benchmark->op(), record_.device.backend, test.provider);
  if (provider_ == nullptr) {
    return end(Status::unsupported, fmt::format("this build has no provider {} of {} for {}", test.provider, benchmark->op(),
                                                record_.device.backend));
  }
  const Support support = provider_->supports(*problem_, device_.info());
  return support.yes || end(Status::unsupported, support.reason);
}

bool CaseRun::allocate() {
  tell("preparing");
  const DeviceInfo now = device_now();
  const AxisValues& values = record_.test.values;
  const std::string shortage = memory_shortage(memory_needed(*problem_, values, now), now);
  if (!shortage.empty()) return end(Status::skipped, shortage);
  operands_.emplace(device_, *problem_, operand_sets(*problem_, values, now), choice_at(values, "data", parse_distribution),
                    parameters_.seed);
  return true;
}

bool CaseRun::prepare() {
  const double started_s = device_.now_s();
  Prepared prepared = provider_->prepare(*problem_, operands_->sets(), device_);
  preparation_s_ = device_.now_s() - started_s;
  if (const auto* no = std::get_if<Unsupported>(&prepared)) return end(Status::unsupported, no->reason);
  if (const auto* memory = std::get_if<NeedsMemory>(&prepared)) {
    const std::string shortage = memory_shortage(memory->bytes, device_now());
    return end(Status::skipped, shortage.empty()
                                    ? fmt::format("needs {} of workspace, which could not be had", memory_text(memory->bytes))
                                    : shortage + " for its workspace");
  }
  invocation_ = std::move(std::get<std::unique_ptr<Invocation>>(prepared));
  record_.details = invocation_->details();
  return true;
}

bool CaseRun::first_call() {
  tell("verifying");
  const double started_s = device_.now_s();
  invocation_->enqueue(device_.stream(), 0);
  device_.stream().synchronize();
  const double call_s = device_.now_s() - started_s;
  if (!verify("")) return false;
  std::string no_kernels;
  record_.kernels = device_.kernel_names(*invocation_, no_kernels);
  if (record_.kernels.empty() && !no_kernels.empty()) record_.details.emplace("kernels", no_kernels);
  return !too_long(call_s, kFirstCallSlack);
}

bool CaseRun::verify(const char* when) {
  record_.verification = operands_->verify(*problem_);
  const Verification& outcome = *record_.verification;
  if (outcome.passed) return true;
  const std::string detail = !outcome.detail.empty() ? outcome.detail
                                                     : fmt::format("relative error {:.3g}, tolerance {:.3g}",
                                                                   outcome.relative_error, outcome.tolerance);
  return end(Status::wrong, when + detail);
}

// Ends the record when one measurement would take many times what it may.
bool CaseRun::too_long(double call_s, double slack) {
  const Timing timing = choose_timing(device_.timer_floor(), device_.info(), operands_->sets().size(), regime_, cache_,
                                      std::max(call_s, 1e-12), parameters_);
  const double needed_s = shortest_measurement_s(timing, regime_, parameters_);
  const double limit_s = parameters_.skip_factor * parameters_.max_time_s;
  if (needed_s <= slack * limit_s) return false;
  record_.estimated_call_s = call_s;
  end(Status::skipped,
      fmt::format("one call takes about {}, a measurement about {}, which is over {} times the --max-time of {}: raise "
                  "--max-time, or take a smaller problem",
                  time_text(call_s, 3), time_text(needed_s, 3), parameters_.skip_factor, time_text(parameters_.max_time_s, 3)));
  return true;
}

bool CaseRun::estimate() {
  record_.estimated_call_s = estimate_call(device_, *invocation_, operands_->sets().size(), state_, parameters_);
  return !too_long(record_.estimated_call_s, 1);
}

bool CaseRun::measure_call() {
  // Set 0 is written anew under load: an old right result must not stand for a new wrong one.
  operands_->poison(0);
  Measured measured = measure(device_, *invocation_, operands_->sets().size(), regime_, cache_, record_.estimated_call_s,
                              parameters_, state_, progress_);
  device_.stream().synchronize();
  record_.telemetry = std::move(measured.telemetry);
  record_.flags = std::move(measured.flags);
  if (!verify("after the run: ")) return false;
  measured.measurement.preparation_s = preparation_s_;
  check_rotation(measured.measurement.method);
  compare_with_peak(measured.measurement);
  record_.measurement = std::move(measured.measurement);
  return true;
}

// Operands that stay in the cache are not cold, whatever the axis says.
void CaseRun::check_rotation(Method& method) {
  if (!method.cache.starts_with("rotate") || !device_.info().cache_bytes) return;
  double bytes = 0;
  for (const TensorSpec& tensor : problem_->tensors()) bytes += static_cast<double>(tensor.bytes());
  bytes *= static_cast<double>(method.operand_sets);
  const auto cache_bytes = static_cast<double>(*device_.info().cache_bytes);
  if (bytes >= static_cast<double>(kColdCaches) * cache_bytes) return;
  method.cache = fmt::format("rotate: all sets together are {:.2g} x cache", bytes / cache_bytes);
  record_.flags.push_back(
      {"not-cold", fmt::format("{} operand sets of {} in all are less than {} x the cache of {}: take a larger problem or "
                               "--cache flush",
                               method.operand_sets, memory_text(static_cast<std::uint64_t>(bytes)), kColdCaches,
                               memory_text(*device_.info().cache_bytes))});
}

void CaseRun::compare_with_peak(const Measurement& measurement) {
  const double median_s = measurement.time.median;
  const DeviceInfo& device = device_.info();
  const Peak peak = peak_for(device, record_.math);
  const double flops = static_cast<double>(record_.work.flop) / median_s;
  record_.peak.basis = peak.basis;
  record_.peak.peak_flops = peak.flops_at_max_clock;
  if (peak.flops_at_max_clock && *peak.flops_at_max_clock > 0 && record_.work.flop > 0) {
    record_.peak.share_of_peak = flops / *peak.flops_at_max_clock;
    if (*record_.peak.share_of_peak > 1) {
      record_.flags.push_back({"suspicious", fmt::format("{:.0f} % of the peak rate: nothing can be that fast; {}",
                                                         100 * *record_.peak.share_of_peak, peak.basis)});
    }
  }
  if (peak.flop_per_sm_per_clock && device.multiprocessors && measurement.clock_hz && record_.work.flop > 0) {
    record_.peak.share_at_measured_clock =
        flops / (*peak.flop_per_sm_per_clock * *device.multiprocessors * *measurement.clock_hz);
  }
  // Inputs that are cold come from memory, hence no faster than its bus. Outputs may stay in the cache for a while.
  const auto bandwidth = bandwidth_peak(device);
  const double read_rate = static_cast<double>(record_.work.read_bytes) / median_s;
  if (cache_ != CacheState::warm && bandwidth && read_rate > *bandwidth) {
    record_.flags.push_back(
        {"suspicious", fmt::format("inputs were read at {:.0f} % of the memory's peak rate: they came from a cache",
                                   100 * read_rate / *bandwidth)});
  }
}

}  // namespace

ExecuteResult execute_case(const Case& test, const Parameters& parameters, const Registry& registry, Device& device,
                           ProtocolState& state, const std::function<void(const Progress&)>& progress) {
  return guarded(blank_record(test, device.info(), registry),
                 [&](Record& record) { CaseRun(record, parameters, registry, device, state, progress).run(); });
}

}  // namespace rtxbench
