#pragma once

#include <optional>

#include "policies/api/ids.h"

namespace aftershock::policies::ray_train {

/// When a controller that runs a group considers another size: Ray Train V2,
/// scaling_policy/elastic.py. Every consideration counts, also one that changes nothing, so that
/// all of them follow from the first by arithmetic.
struct Considerations {
  TimeUs base_us = 0;        ///< start of the group, or the last consideration if that was later
  TimeUs anchor_us = 0;      ///< polls are at anchor + period, anchor + 2 periods, ...
  DurationUs period_us = 0;  ///< above 0
  DurationUs interval_us = 0;
};

/// The first poll after `after_us`, and not before `not_before_us`.
TimeUs first_poll(TimeUs anchor_us, DurationUs period_us, TimeUs after_us, TimeUs not_before_us);

/// The first consideration at or after `from_us`.
TimeUs next_consideration(const Considerations& times, TimeUs from_us);

/// The last consideration at or before `until_us`, none where there was none yet.
std::optional<TimeUs> last_consideration(const Considerations& times, TimeUs until_us);

}  // namespace aftershock::policies::ray_train
