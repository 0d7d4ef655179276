#include "sim/workload/checkpoint_name.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace aftershock::sim {

namespace {

constexpr std::string_view kEpoch = "1970-01-01T00:00:00Z";

int number_at(std::string_view text, std::size_t at, std::size_t digits) {
  int number = 0;
  std::from_chars(text.data() + at, text.data() + at + digits, number);
  return number;
}

}  // namespace

std::string date_name(std::string_view start, std::int64_t at_us) {
  namespace chrono = std::chrono;
  const std::string_view text = start.empty() ? kEpoch : start;
  const chrono::year_month_day first{chrono::year(number_at(text, 0, 4)),
                                     chrono::month(static_cast<unsigned>(number_at(text, 5, 2))),
                                     chrono::day(static_cast<unsigned>(number_at(text, 8, 2)))};
  const chrono::sys_time<chrono::microseconds> now =
      chrono::sys_days(first) + chrono::hours(number_at(text, 11, 2)) +
      chrono::minutes(number_at(text, 14, 2)) + chrono::seconds(number_at(text, 17, 2)) +
      chrono::microseconds(at_us);
  const auto midnight = chrono::floor<chrono::days>(now);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss time(now - midnight);
  return fmt::format("{:04}-{:02}-{:02}_{:02}-{:02}-{:02}.{:06}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

std::string checkpoint_name(CheckpointNaming naming, std::uint32_t id, std::int64_t named_us) {
  if (naming.policy == "ray_train") {
    return fmt::format("checkpoint_{}", date_name(naming.start, named_us));
  }
  const bool from_zero = naming.policy == "ray_train_v1" || naming.policy == "ray_tune";
  return fmt::format("checkpoint_{:06d}", from_zero ? id - 1 : id);
}

}  // namespace aftershock::sim
