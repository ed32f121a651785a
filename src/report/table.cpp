// The table that a person reads: one section per benchmark and device, one row per record, everything that needs a sentence
// below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "report/columns.hpp"
#include "report/display_width.hpp"
#include "report/groups.hpp"
#include "report/sinks.hpp"
#include "report/text_table.hpp"
#include "rtxbench/metrics.hpp"
#include "rtxbench/units.hpp"

namespace rtxbench {
namespace {

// Text that grows line by line, each wrapped to the terminal.
class Page {
 public:
  explicit Page(const SinkOptions& options) : options_(options) {}
  void line(const std::string& text, Style style = Style::plain, int indent = 0) {
    text_ += padded("", indent) + painted(wrapped(text, options_.width, indent), style, options_.colour) + "\n";
  }
  // "term  explanation", the explanation hanging.
  void entry(const std::string& term, int term_width, const std::string& text, Style style) {
    text_ += "  " + painted(term, style, options_.colour) + padded("", term_width - display_width(term) + 2);
    text_ += wrapped(text, options_.width, term_width + 4) + "\n";
  }
  void blank() {
    if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
  }
  void raw(const std::string& text) { text_ += text; }
  [[nodiscard]] std::string take() {
    while (text_.ends_with("\n\n")) text_.pop_back();
    return std::move(text_);
  }

 private:
  const SinkOptions& options_;
  std::string text_;
};

void append_unique(std::vector<std::string>& list, const std::string& text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end()) list.push_back(text);
}

std::string device_facts(const DeviceInfo& device) {
  const bool cpu = device.backend == "cpu";
  std::vector<std::string> facts;
  if (!cpu) append_unique(facts, printable(device.id));
  if (device.multiprocessors) facts.push_back(fmt::format("{} {}", *device.multiprocessors, cpu ? "threads" : "SMs"));
  if (device.max_clock_hz) facts.push_back(fmt::format("at most {} MHz", fixed(device.max_clock_hz, 1e-6, 0)));
  if (device.memory_bytes) facts.push_back(memory_text(*device.memory_bytes));
  if (device.power_limit_w) facts.push_back(fmt::format("limit {} W", fixed(device.power_limit_w, 1, 0)));
  if (device.mig) facts.emplace_back("MIG");
  return fmt::format("{}", fmt::join(facts, ", "));
}

// What did the work: the libraries of the rows, and a card's driver.
std::string software_facts(const Group& group, const DeviceInfo& device, const Report& report) {
  std::vector<std::string> facts;
  for (const Record* record : group.records) {
    const auto library = record->details.find("library");
    if (library != record->details.end()) append_unique(facts, printable(library->second));
  }
  const auto driver = report.environment.software.find("NVIDIA driver");
  if (device.backend == "cuda" && driver != report.environment.software.end())
    facts.push_back("NVIDIA driver " + printable(driver->second));
  return fmt::format("{}", fmt::join(facts, ", "));
}

void heading(const Report& report, Page& page) {
  const Environment& environment = report.environment;
  std::vector<std::string> parts;
  if (!environment.rtxbench_version.empty()) {
    parts.push_back(printable(fmt::format("rtxbench {} ({})", environment.rtxbench_version, environment.git_hash)));
  }
  for (const std::string* text : {&environment.host, &environment.os, &environment.started_at}) {
    if (!text->empty()) parts.push_back(printable(*text));
  }
  if (!parts.empty()) page.line(fmt::format("{}", fmt::join(parts, ", ")), Style::dim);
  for (const std::string& note : environment.notes) page.line("note: " + printable(note), Style::warning);
}

// A skipped record may know no more of its device than the id.
DeviceInfo device_of(const Group& group, const Report& report) {
  const auto known = [&](const DeviceInfo& device) { return device.id == group.device && !device.name.empty(); };
  for (const Record* record : group.records) {
    if (known(record->device)) return record->device;
  }
  const auto listed = std::ranges::find_if(report.environment.devices, known);
  return listed != report.environment.devices.end() ? *listed : group.records.front()->device;
}

void group_heading(const Group& group, const Report& report, Page& page) {
  const DeviceInfo device = device_of(group, report);
  const std::string name = device.name.empty() ? group.device : device.name;
  page.blank();
  page.line(printable(fmt::format("{} on {}{}", group.benchmark, device.backend == "cpu" ? "the CPU " : "", name)),
            Style::bold);
  if (const std::string facts = device_facts(device); !facts.empty()) page.line(facts, Style::plain, 2);
  if (const std::string facts = software_facts(group, device, report); !facts.empty()) page.line(facts, Style::plain, 2);
  if (!group.constants.empty()) {
    page.line(printable(fmt::format("every row: {}", fmt::join(group.constants, ", "))), Style::plain, 2);
  }
  struct Meaning {
    const char *regime, *text;
  };
  constexpr std::array<Meaning, 2> kMeanings{
      {{"burst", "burst: what single calls cost on a cool chip, with pauses between"},
       {"sustained", "sustained: back to back until clock and time are steady, as in a long run"}}};
  for (const Meaning& meaning : kMeanings) {
    const bool used =
        std::ranges::any_of(group.records, [&](const Record* r) { return axis_text(*r, "regime") == meaning.regime; });
    if (used) page.line(meaning.text, Style::plain, 2);
  }
  page.blank();
}

void group_table(const Group& group, const SinkOptions& options, Remarks& remarks, Page& page) {
  const Rendered rendered = render(table_of(group, remarks), options.width, options.colour);
  page.raw(rendered.text);
  if (!rendered.left_out.empty()) {
    page.line(fmt::format("(no room for {}: widen the terminal, or use --json -)", fmt::join(rendered.left_out, ", ")),
              Style::dim);
  }
}

// What the columns mean, as far as there are numbers.
void legend(const Report& report, Page& page) {
  std::size_t processes = 0;
  bool any = false, peaks = false, clocks = false;
  for (const Record& record : report.records) {
    if (!metrics_of(record)) continue;
    any = true;
    peaks = peaks || record.peak.share_of_peak;
    clocks = clocks || record.measurement->clock_hz || record.telemetry.power_w;
    processes = std::max(processes, record.processes.size());
  }
  if (!any) return;
  page.blank();
  if (processes > 1) {
    page.line(fmt::format("median: of the medians of {} processes, time of one call; ± %: half the range of those medians",
                          processes));
  } else {
    page.line("median: time of one call; ± %: half the width of its 95 % interval, in per cent of it");
  }
  if (peaks) page.line("% peak: of the card's dense peak at its maximum clock; % at clock: of that peak at the clock measured");
  if (clocks) page.line("clock, power: measured while the work ran");
}

void explain_flags(const Report& report, Page& page) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> remedies;
  for (const Record& record : report.records) {
    for (const Flag& flag : shown_flags(record)) {
      append_unique(names, printable(flag.name));
      append_unique(remedies[printable(flag.name)], printable(flag.remedy));
    }
  }
  if (names.empty()) return;
  int width = 0;
  for (const std::string& name : names) width = std::max(width, display_width(name));
  page.blank();
  page.line("flags");
  for (const std::string& name : names) {
    const std::vector<std::string>& texts = remedies[name];
    std::string text = texts.empty() ? "no explanation recorded" : texts.front();
    if (texts.size() > 1) text += fmt::format(" (first of {} such; --json - has each)", texts.size());
    page.entry(name, width, text, Style::warning);
  }
}

// Why values are missing, and what the peaks are made of. At most a few of each: the report has all.
void explain_values(const Report& report, Page& page) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> lines, peaks, powers;
  for (const Record& record : report.records) {
    if (!metrics_of(record)) continue;
    const std::string basis = printable(record.peak.basis);
    if (!basis.empty()) append_unique(peaks, (record.peak.share_of_peak ? "peak: " : "no peak: ") + basis);
    const auto why = record.telemetry.reasons.find("power_w");
    if (!record.telemetry.power_w && why != record.telemetry.reasons.end())
      append_unique(powers, "no power: " + printable(why->second));
  }
  page.blank();
  for (const auto* list : {&peaks, &powers}) {
    for (std::size_t i = 0; i < std::min(kMost, list->size()); ++i) page.line((*list)[i]);
    if (list->size() > kMost)
      page.line(fmt::format("(and {} more such lines; --json - has each)", list->size() - kMost), Style::dim);
  }
}

std::string_view coverage_text(Coverage coverage) {
  switch (coverage) {
    case Coverage::full:
      return "in full";
    case Coverage::sampled:
      return "by sample";
    case Coverage::shrunk:
      break;
  }
  return "on a smaller problem";
}

// "results verified: 2 in full, 3 by sample; 1 not verified", of the rows that passed.
std::string verification_text(const Report& report) {
  std::map<Coverage, std::size_t> verified;
  std::size_t unverified = 0;
  for (const Record& record : report.records) {
    if (record.status != Status::passed) continue;
    record.verification ? ++verified[record.verification->coverage] : ++unverified;
  }
  std::vector<std::string> how;
  for (const auto& [coverage, count] : verified) {
    how.push_back(fmt::format("{} {}", count, coverage_text(coverage)));
  }
  std::string text = how.empty() ? "" : fmt::format("results verified: {}", fmt::join(how, ", "));
  if (unverified > 0) text += fmt::format("{}{} not verified", text.empty() ? "" : "; ", unverified);
  return text;
}

void conclusion(const Report& report, Page& page) {
  std::map<Status, std::size_t> counts;
  for (const Record& record : report.records) ++counts[record.status];
  std::vector<std::string> parts;
  for (const auto& [status, count] : counts) parts.push_back(fmt::format("{} {}", count, name(status)));
  const std::string verified = verification_text(report);
  page.blank();
  if (report.records.empty()) {
    page.line("no records");
  } else {
    page.line(fmt::format("{} {}: {}{}", report.records.size(), report.records.size() == 1 ? "row" : "rows",
                          fmt::join(parts, ", "), verified.empty() ? "" : " (" + verified + ")"));
  }
  if (!report.complete) page.line("incomplete: the run ended before every case was measured", Style::warning);
}

void closing_lines(const std::vector<Group>& groups, const SinkOptions& options, Page& page) {
  page.blank();
  bool told = false;
  for (const Group& group : groups) {
    const bool one_device = std::ranges::all_of(groups, [&](const Group& other) { return other.device == group.device; });
    for (const std::string& line : derived_lines(group, options.derived)) {
      if (!std::exchange(told, true)) page.line("how many times as fast, all else alike:");
      page.line(printable(one_device ? line : fmt::format("{} ({})", line, group.device)));
    }
  }
}

class TableSink final : public Sink {
 public:
  [[nodiscard]] std::string_view name() const override { return "table"; }
  [[nodiscard]] std::string render(const Report& report, const SinkOptions& options) const override {
    Page page(options);
    Remarks remarks;
    const std::vector<Group> groups = group_records(report);
    heading(report, page);
    for (const Group& group : groups) {
      group_heading(group, report, page);
      group_table(group, options, remarks, page);
    }
    legend(report, page);
    for (std::size_t i = 0; i < remarks.sentences().size(); ++i)
      page.line(fmt::format("[{}] {}", i + 1, remarks.sentences()[i]));
    explain_flags(report, page);
    explain_values(report, page);
    closing_lines(groups, options, page);
    conclusion(report, page);
    return page.take();
  }
};

}  // namespace

std::unique_ptr<Sink> make_table_sink() { return std::make_unique<TableSink>(); }

}  // namespace rtxbench
