#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Numbers and names as people read them.
namespace aftershock::reports {

/// "0 s", "340 us", "340 ms", "12.5 s", "03:12:07", "2d 03:12:07"; rounded to what is shown.
std::string format_duration(std::int64_t us);

/// "1,234,567"
std::string format_count(std::int64_t value);

/// Device time, the unit a word like "GPU": "1,234,567 GPU-h", "12.5 GPU-h", "0.35 GPU-h".
std::string format_accelerator_time(std::int64_t us, std::string_view unit);

/// Tenths of a percent: 914 is "91.4 %".
std::string format_percent(std::int64_t tenths);

/// "97.2 %", of a share below a tenth of a percent its first digit, "0.01 %", and "<0.001 %".
/// Neither 0 nor all unless it is. A share is the same text wherever it stands.
std::string format_share(std::int64_t part, std::int64_t whole);

/// The same of each part by the sum of all; by rounding they may sum to a little more or less than
/// 100 %. "0.0 %" each for no sum. No part may be negative.
std::vector<std::string> format_shares(std::span<const std::int64_t> parts);

/// The same of a share that was estimated; what is below a thousandth of a percent is "0.0 %".
std::string format_share(double share);

/// Columns that a text takes on a terminal; wide East Asian characters take two, and what Style
/// paints with none.
std::size_t display_width(std::string_view text);

/// Text from a file, made fit for a terminal: control characters become '?', whatever is not UTF-8
/// becomes U+FFFD, or '?' without `unicode`, which also replaces all that is not ASCII.
std::string printable(std::string_view text, bool unicode);

/// A word as a shell takes it for one, fit for a terminal: what cannot be shown of a name stands in
/// it as $'\\001', which every shell of these days reads.
std::string shell_word(std::string_view word);
/// The same of a path, which no program takes for a flag: "./-x.json".
std::string shell_path(std::string_view path);

/// At most `columns` wide, with "…" or "..." where something is cut. Shows the end too, where names
/// differ: "very-lon…name-17".
std::string shorten(std::string_view text, std::size_t columns, bool unicode);

/// The text on lines of at most `columns`, broken at spaces where there are some, each behind
/// `indent` spaces; those after the first two further in.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);

/// `part` of `whole` as a bar of up to `columns`: "███▌" or "####".
std::string bar(std::int64_t part, std::int64_t whole, std::size_t columns, bool unicode);

}  // namespace aftershock::reports
