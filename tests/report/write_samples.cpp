// Writes the reports that schema_test.py validates, through the same writer as the program's.
#include <cmath>
#include <cstdio>
#include <string>

#include "report/report_writer.hpp"
#include "report/sample_report.hpp"

namespace {
rtxbench::Report hostile_report() {
  rtxbench::Report report = rtxbench::sample::full_report();
  rtxbench::Record& record = report.records[0];
  record.device.name = "bad \xff \xc3 </script>\"\\\n";
  record.test.values.set("axis \x01", "\xfe");
  record.verification->relative_error = HUGE_VAL;
  record.measurement->samples_s.push_back(std::nan(""));
  record.measurement->time.stddev = std::nan("");
  record.status = rtxbench::Status::wrong;
  record.reason = "element 3: got nan";
  return report;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: write_samples DIRECTORY\n", stderr), 2;
  const std::string folder = argv[1];
  rtxbench::ReportWriter(folder + "/full.json").flush(rtxbench::sample::full_report());
  rtxbench::ReportWriter(folder + "/bare.json").flush(rtxbench::sample::bare_report());
  rtxbench::ReportWriter(folder + "/hostile.json").flush(hostile_report());
  return 0;
}
