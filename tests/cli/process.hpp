// Runs a program as a user would: arguments, environment, signals; gives back its exit code and both streams.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rtxbench::process {

struct Outcome {
  int code = -1;  // exit code; 128 + signal when a signal ended it; -1 when it had to be killed after 120 s
  std::string out, err;
};

struct Conditions {
  std::map<std::string, std::string> environment;  // set on top of the test's own
  std::string signal_when;                         // once stderr holds this text, `signal` is sent to the program
  int signal = 0;
  std::string stdout_to;  // a path to open in place of the pipe ("/dev/full")
};

[[nodiscard]] Outcome run(const std::string& program, const std::vector<std::string>& arguments,
                          const Conditions& conditions = {});

// An empty folder, removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  std::string path_;
};

[[nodiscard]] std::string read_file(const std::string& path);  // empty when absent

}  // namespace rtxbench::process
