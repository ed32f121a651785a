#include "report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/display_width.hpp"
#include "rtxbench/metrics.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

struct Measure {
  Column column;
  std::function<std::string(const Record&, const Metrics&)> cell;
};

// Half width of the interval of the median in per cent; of several processes, half the range of their medians: samples of one
// process are not independent, so an interval from all samples together would be too narrow.
std::optional<double> half_width_percent(const Record& record, const Metrics& metrics) {
  double lower = record.measurement->time.lower;
  double upper = record.measurement->time.upper;
  if (record.processes.size() > 1) {
    const auto [least, most] =
        std::ranges::minmax_element(record.processes, {}, [](const Measurement& process) { return process.time.median; });
    lower = least->time.median;
    upper = most->time.median;
  } else if (record.measurement->time.confidence <= 0) {
    return std::nullopt;  // too few samples for an interval
  }
  return (upper - lower) / 2 / metrics.time_s * 100;
}

double largest(const Group& group, std::optional<double> Metrics::*rate) {
  double most = 0;
  for (const Record* record : group.records) {
    const auto metrics = metrics_of(*record);
    if (metrics && *metrics.*rate) most = std::max(most, *(*metrics.*rate));
  }
  return most;
}

Measure rate_measure(const Scale& scale, std::optional<double> Metrics::*rate) {
  return {{std::string(scale.unit), true}, [scale, rate](const Record&, const Metrics& metrics) {
            return metrics.*rate ? significant(*(metrics.*rate) / scale.factor, 4) : std::string(kAbsent);
          }};
}

// The order of leaving out where the terminal is narrow: power, clock, % at clock, ±, % peak. Axes, provider, time, rate and
// flags always stay: without them a row says nothing, or says it without its reservations.
std::vector<Measure> measures(const Group& group) {
  std::vector<Measure> list;
  list.push_back({{"median", true}, [](const Record&, const Metrics& metrics) { return time_text(metrics.time_s); }});
  list.push_back({{"± %", true, 4}, [](const Record& record, const Metrics& metrics) {
                    return fixed(half_width_percent(record, metrics), 1, 2);
                  }});
  const double flops = largest(group, &Metrics::flops);
  const double bytes_per_s = largest(group, &Metrics::bytes_per_s);
  if (flops > 0) {
    list.push_back(rate_measure(flops_scale(flops), &Metrics::flops));
  } else if (bytes_per_s > 0) {
    list.push_back(rate_measure(bandwidth_scale(bytes_per_s), &Metrics::bytes_per_s));
  }
  list.push_back(
      {{"% peak", true, 5}, [](const Record& record, const Metrics&) { return fixed(record.peak.share_of_peak, 100, 1); }});
  list.push_back({{"% at clock", true, 3},
                  [](const Record& record, const Metrics&) { return fixed(record.peak.share_at_measured_clock, 100, 1); }});
  list.push_back({{"clock MHz", true, 2},
                  [](const Record& record, const Metrics&) { return fixed(record.measurement->clock_hz, 1e-6, 0); }});
  list.push_back(
      {{"power W", true, 1}, [](const Record& record, const Metrics&) { return fixed(record.telemetry.power_w, 1, 0); }});
  return list;
}

std::string flags_cell(const Record& record, Remarks& remarks) {
  std::vector<std::string> parts;
  for (const Flag& flag : shown_flags(record)) {
    if (std::ranges::find(parts, printable(flag.name)) == parts.end()) parts.push_back(printable(flag.name));
  }
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (const auto note = record.details.find("note"); note != record.details.end() && !note->second.empty()) {
    text += (text.empty() ? "" : " ") + remarks.mark(printable(note->second));
  }
  return text;
}

// A row without numbers: its status and why.
void tell_status(const Record& record, const std::string& flags, Row& row) {
  std::string reason = printable(record.reason);
  if (record.status == Status::passed && reason.empty()) reason = "nothing was measured";
  row.rest = fmt::format("{}: {}", name(record.status), reason.empty() ? "no reason recorded" : reason);
  if (!flags.empty()) row.rest += " (" + flags + ")";
  const bool failure = record.status == Status::wrong || record.status == Status::error;
  row.style = failure ? Style::failure : Style::warning;
}

// Drops columns that no row has a value for; what is missing is said below the table.
void drop_empty(TextTable& table, std::size_t first) {
  for (std::size_t column = table.columns.size(); column-- > first;) {
    const bool used = std::ranges::any_of(table.rows, [&](const Row& row) {
      return column < row.cells.size() && !row.cells[column].empty() && row.cells[column] != kAbsent;
    });
    if (used) continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(column));
    for (Row& row : table.rows) {
      if (column < row.cells.size()) row.cells.erase(row.cells.begin() + static_cast<std::ptrdiff_t>(column));
    }
  }
}

}  // namespace

std::string Remarks::mark(const std::string& sentence) {
  auto found = std::ranges::find(sentences_, sentence);
  if (found == sentences_.end()) found = sentences_.insert(found, sentence);
  return fmt::format("[{}]", found - sentences_.begin() + 1);
}

std::vector<Flag> shown_flags(const Record& record) {
  std::vector<Flag> flags = record.flags;
  // Of several processes ± is the range of their medians, whatever the interval of each.
  if (!metrics_of(record) || record.measurement->ci_met || record.processes.size() > 1) return flags;
  const bool full = record.measurement->stop_reason == StopReason::max_samples;
  std::string remedy = "the interval of the median is wider than asked for, since sampling ended by ";
  remedy += full ? "the largest number of samples: quieten the machine" : "--max-time: allow more, or quieten the machine";
  flags.push_back({"wide-interval", std::move(remedy)});
  return flags;
}

TextTable table_of(const Group& group, Remarks& remarks) {
  TextTable table;
  for (const AxisColumn& axis : group.varying) table.columns.push_back({printable(axis.title()), axis.numeric});
  table.columns.push_back({"provider"});
  const std::size_t lead = table.columns.size();
  const std::vector<Measure> list = measures(group);
  for (const Measure& measure : list) table.columns.push_back(measure.column);
  table.columns.push_back({"flags", false, 0, Style::warning});
  for (const Record* record : group.records) {
    Row row;
    for (const AxisColumn& axis : group.varying) row.cells.push_back(printable(axis_text(*record, axis.axes.front())));
    row.cells.push_back(printable(record->test.provider));
    const std::string flags = flags_cell(*record, remarks);
    if (const auto metrics = metrics_of(*record)) {
      for (const Measure& measure : list) row.cells.push_back(measure.cell(*record, *metrics));
      row.cells.push_back(flags);
    } else {
      tell_status(*record, flags, row);
    }
    table.rows.push_back(std::move(row));
  }
  drop_empty(table, lead);
  return table;
}

}  // namespace rtxbench
