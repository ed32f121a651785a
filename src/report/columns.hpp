// The table of one group of records, and what its cells refer to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/groups.hpp"
#include "report/text_table.hpp"

namespace rtxbench {

// Remarks that rows refer to, each said once below the tables.
class Remarks {
 public:
  // "[1]": the mark of a sentence; the same for the same sentence.
  std::string mark(const std::string& sentence);
  [[nodiscard]] const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

// The record's own flags, and "wide-interval" where sampling ended before the interval was as narrow as asked for.
[[nodiscard]] std::vector<Flag> shown_flags(const Record& record);

[[nodiscard]] TextTable table_of(const Group& group, Remarks& remarks);

}  // namespace rtxbench
