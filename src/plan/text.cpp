#include "plan/text.hpp"

#include <algorithm>
#include <cctype>

namespace rtxbench {
std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// Sellers' variant: starting and ending anywhere in `text` is free.
std::size_t substring_distance(std::string_view pattern, std::string_view text) {
  std::vector<std::size_t> last(text.size() + 1, 0), row(text.size() + 1);
  for (std::size_t i = 1; i <= pattern.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= text.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (pattern[i - 1] == text[j - 1] ? 0 : 1)});
    }
    std::swap(last, row);
  }
  return *std::ranges::min_element(last);
}

std::string nearest_name(std::string_view typed, const std::vector<std::string>& known) {
  const std::string wanted = lower(typed);
  if (wanted.empty()) return "";
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(1, wanted.size() / 3) + 1;  // a third of the letters may differ
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(wanted, lower(name));
    if (distance < best_distance && distance < name.size()) {
      best = &name;
      best_distance = distance;
    }
  }
  if (best != nullptr) return *best;
  // A beginning of at least three letters, such as "cub" for "cublas".
  const auto begun = std::ranges::find_if(
      known, [&](const std::string& name) { return wanted.size() >= 3 && lower(name).starts_with(wanted); });
  return begun == known.end() ? "" : *begun;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known, std::string_view prefix) {
  const std::string name = nearest_name(typed, known);
  return name.empty() ? "" : "; did you mean " + std::string(prefix) + name + "?";
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(p), [](char c) { return c == '*'; });
}

}  // namespace rtxbench
