#include "sim/workload/checkpoint_name.h"

#include <fmt/format.h>

#include "reports/dates/date.h"
#include "reports/dates/read_date.h"

namespace aftershock::sim::workload {

std::string date_name(std::string_view start, std::int64_t at_us) {
  // Scenarios have been checked: a date, a clock to the second, and a zone.
  reports::DateAndClock first;
  first.date = reports::take_date(start).value_or(reports::Date{});
  reports::take(start, 'T');
  first.clock = reports::take_clock(start).value_or(reports::Clock{});
  const auto [date, time] = reports::moment_of(reports::us_of(first) + at_us);
  return fmt::format("{}_{:02}-{:02}-{:02}.{:06}", reports::text_of(date), time.hour, time.minute,
                     time.second, time.us);
}

std::string checkpoint_name(CheckpointNaming naming, std::uint32_t id, std::int64_t named_us) {
  if (naming.policy == "ray_train") {
    return fmt::format("checkpoint_{}", date_name(naming.start, named_us));
  }
  const bool from_zero = naming.policy == "ray_train_v1" || naming.policy == "ray_tune";
  return fmt::format("checkpoint_{:06d}", from_zero ? id - 1 : id);
}

}  // namespace aftershock::sim::workload
