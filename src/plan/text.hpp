// Small text tools of planning and the command line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rtxbench {

[[nodiscard]] std::string lower(std::string_view text);  // ASCII letters
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
// Distance of `pattern` from the stretch of `text` that fits it best.
[[nodiscard]] std::size_t substring_distance(std::string_view pattern, std::string_view text);
// The nearest of `known` by edit distance, or empty when nothing is near.
[[nodiscard]] std::string nearest_name(std::string_view typed, const std::vector<std::string>& known);
// "; did you mean --dtype?" with the prefix "--", or empty when nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known,
                                       std::string_view prefix = "");
// "a,,b" -> "a", "", "b"; "" -> "".
[[nodiscard]] std::vector<std::string> split(std::string_view text, char separator);
// * any run of characters, ? any one; everything else, brackets included, stands for itself. Matches the whole text.
[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace rtxbench
