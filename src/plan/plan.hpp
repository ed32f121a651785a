// Request -> Plan. Pure: needs the devices' properties and the registry, never a context.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rtxbench/benchmark.hpp"
#include "rtxbench/parameters.hpp"
#include "rtxbench/registry.hpp"

namespace rtxbench {

// What the user asked for, before any device is known. Texts as typed; make_plan checks them.
struct Request {
  std::string benchmark;                    // empty only with case_ids
  std::map<std::string, std::string> axes;  // axis name -> list or sweep as typed: "fp16,bf16", "1024:16384:x2"
  std::vector<std::string> providers;       // empty: the benchmark's default; "all": every one
  std::vector<std::string> filters;         // keep cases whose id contains one of these (glob * and ? allowed)
  std::vector<std::string> case_ids;        // --case: exactly these
  Effort effort = Effort::standard;
  Parameters parameters;
};

struct PlannedCase {
  Case test;
  std::uint64_t memory_bytes = 0;  // of operands, all sets, and the cache flush
  double estimated_s = 0;          // of the whole measurement, a rough upper figure for --dry-run
};
struct Skip {
  Case test;
  bool unsupported = false;  // the provider says no; otherwise skipped (memory, ...)
  std::string reason;
};
struct Plan {
  std::vector<PlannedCase> cases;  // in the order of running: bursts first, then sustained together
  std::vector<Skip> skips;
};

// The part of make_plan's checks that needs no device, so that a slip of the pen is told before any driver is asked.
void check_request(const Request& request, const Registry& registry);

// Throws UsageError: unknown names with the nearest known one, bad values naming the flag, nothing selected.
[[nodiscard]] Plan make_plan(const Request& request, const Registry& registry, const std::vector<DeviceInfo>& devices);

// Values of an axis from a list or sweep: "1,2,3", "1024:16384:x2", "1:9:+2", sizes "1Ki", "4k" (1000), "1GiB". Canonical
// texts. Throws UsageError naming `--<axis>`.
[[nodiscard]] std::vector<std::string> parse_axis_values(const AxisSpec& axis, std::string_view text);

// Case ids, both ways. parse throws UsageError that points at the part that does not fit.
[[nodiscard]] std::string make_case_id(const Benchmark& benchmark, const AxisValues& values, std::string_view provider);
[[nodiscard]] Case parse_case_id(std::string_view id, const Registry& registry);

// Devices that `--device TEXT` selects of those found: auto, all, cpu, cuda:N, UUID (or its unique beginning), PCI id.
// `note` gets the sentence for stderr and the report when `auto` falls back to the CPU. Throws NoDeviceError or UsageError.
[[nodiscard]] std::vector<DeviceInfo> select_devices(std::string_view text, const std::vector<DeviceInfo>& found,
                                                     const std::map<std::string, std::string>& none_reasons, std::string& note);

}  // namespace rtxbench
