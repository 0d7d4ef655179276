#include "reports/render/format.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace aftershock::reports {

namespace {

// Products of times and small factors stay exact in 128 bits.
__extension__ using Wide = __int128;

constexpr std::uint64_t kMillisecond = 1'000;
constexpr std::uint64_t kSecond = 1'000'000;
constexpr std::uint64_t kHour = 3'600 * kSecond;

constexpr std::uint64_t rounded_quotient(std::uint64_t value, std::uint64_t divisor) {
  return value / divisor + (value % divisor >= divisor - divisor / 2 ? 1 : 0);
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::string grouped(std::uint64_t value) {
  std::string digits = fmt::format("{}", value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string unsigned_duration(std::uint64_t us) {
  if (us == 0) {
    return "0 s";
  }
  if (us < kMillisecond) {
    return fmt::format("{} us", us);
  }
  if (const std::uint64_t ms = rounded_quotient(us, kMillisecond); ms < 1'000) {
    return fmt::format("{} ms", ms);
  }
  if (const std::uint64_t tenths = rounded_quotient(us, kSecond / 10); tenths < 600) {
    return tenths % 10 == 0 ? fmt::format("{} s", tenths / 10)
                            : fmt::format("{}.{} s", tenths / 10, tenths % 10);
  }
  const std::uint64_t seconds = rounded_quotient(us, kSecond);
  const std::string clock =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
  const std::uint64_t days = seconds / 86'400;
  return days == 0 ? clock : fmt::format("{}d {}", grouped(days), clock);
}

}  // namespace

std::string format_duration(std::int64_t us) {
  return (us < 0 ? "-" : "") + unsigned_duration(magnitude(us));
}

std::string format_count(std::int64_t value) {
  return (value < 0 ? "-" : "") + grouped(magnitude(value));
}

std::string format_accelerator_time(std::int64_t us, std::string_view unit) {
  const std::uint64_t value = magnitude(us);
  const char* sign = us < 0 ? "-" : "";
  if (value == 0) {
    return fmt::format("0 {}-h", unit);
  }
  if (value < kHour / 100) {
    return fmt::format("{}<0.01 {}-h", sign, unit);
  }
  if (const std::uint64_t hundredths = rounded_quotient(value, kHour / 100); hundredths < 100) {
    return fmt::format("{}0.{:02} {}-h", sign, hundredths, unit);
  }
  if (const std::uint64_t tenths = rounded_quotient(value, kHour / 10); tenths < 1'000) {
    return fmt::format("{}{}.{} {}-h", sign, tenths / 10, tenths % 10, unit);
  }
  return fmt::format("{}{} {}-h", sign, grouped(rounded_quotient(value, kHour)), unit);
}

std::string format_percent(std::int64_t tenths) {
  const std::uint64_t value = magnitude(tenths);
  return fmt::format("{}{}.{} %", tenths < 0 ? "-" : "", value / 10, value % 10);
}

namespace {

/// In tenths of a percent, rounded, but neither 0 nor all unless it is.
std::int64_t tenths(std::int64_t part, Wide whole) {
  if (whole <= 0 || part <= 0) {
    return 0;
  }
  if (part >= whole) {
    return 1'000;
  }
  const auto rounded = static_cast<std::int64_t>((Wide{part} * 2'000 + whole) / (whole * 2));
  return std::clamp<std::int64_t>(rounded, 1, 999);
}

constexpr double kPercent = 100;

std::string share_of(std::int64_t part, Wide whole) {
  if (part <= 0 || Wide{part} * 1'000 >= whole) {
    return format_percent(tenths(part, whole));
  }
  return Wide{part} * 100'000 < whole
             ? "<0.001 %"
             : fmt::format("{:.1g} %",
                           kPercent * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::string format_share(std::int64_t part, std::int64_t whole) { return share_of(part, whole); }

std::vector<std::string> format_shares(std::span<const std::int64_t> parts) {
  const Wide whole = std::accumulate(parts.begin(), parts.end(), Wide{0});
  std::vector<std::string> shares;
  shares.reserve(parts.size());
  for (const std::int64_t part : parts) {
    shares.push_back(share_of(part, whole));
  }
  return shares;
}

std::string format_share(double share) {
  const double percent = share * kPercent;
  return percent >= 0.001 && percent < 0.1 ? fmt::format("{:.1g} %", percent)
                                           : fmt::format("{:.1f} %", percent);
}

std::string bar(std::int64_t part, std::int64_t whole, std::size_t columns, bool unicode) {
  static constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (part <= 0 || whole <= 0) {
    return {};
  }
  const std::int64_t per_column = unicode ? 8 : 1;
  const auto full = static_cast<std::int64_t>(columns) * per_column;
  const auto exact = static_cast<std::int64_t>((Wide{part} * full * 2 + whole) / (Wide{whole} * 2));
  // An amount above zero shows.
  const auto units = static_cast<std::size_t>(std::clamp<std::int64_t>(exact, 1, full));
  if (!unicode) {
    return std::string(units, '#');
  }
  std::string text;
  for (std::size_t i = 0; i < units / 8; ++i) {
    text += "█";
  }
  text += kEighths[units % 8];
  return text;
}

}  // namespace aftershock::reports
