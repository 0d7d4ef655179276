#include <algorithm>
#include <utility>

#include "gui/curves/curves.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// A curve that bends is drawn through this many points of the run, beside its corners.
constexpr std::int64_t kPoints = 2048;
constexpr double kWhole = 10'000;

// Places among curve_names().
constexpr std::size_t kProgress = 0;
constexpr std::size_t kUseful = 1;
constexpr std::size_t kEttr = 2;

/// Puts samples into a counter, in order of time; what did not change is left out.
class Samples {
 public:
  explicit Samples(Counter& to) : to_(to) {}

  void add(std::int64_t t_us, std::int64_t value) {
    if (!to_.value.empty() && to_.value.back() == value) {
      return;
    }
    to_.t_us.push_back(t_us);
    to_.value.push_back(value);
  }

 private:
  Counter& to_;
};

std::vector<const RolledBack*> losses_of(const Trace& trace, std::uint32_t job) {
  std::vector<const RolledBack*> losses;
  for (const RolledBack& each : trace.rolled_back) {
    if (each.entity == job) {
      losses.push_back(&each);
    }
  }
  std::ranges::stable_sort(losses, {}, [](const RolledBack* each) { return each->at_us; });
  return losses;
}

Curve new_curve(std::size_t name, std::uint32_t job) {
  Curve curve{.facet = Facet::kCounters, .name = curve_names()[name], .samples = {}};
  curve.samples.entity = job;
  return curve;
}

Curve new_share(std::size_t name, std::uint32_t job) {
  Curve curve = new_curve(name, job);
  curve.decimals = 2;
  curve.unit = "%";
  return curve;
}

/// How far points of a bend are apart.
std::int64_t step_of(const Trace& trace) {
  return std::max<std::int64_t>(1, trace.last_us / kPoints);
}

/// Times within [from, to), and `to`.
template <class Take>
void for_points(std::int64_t from_us, std::int64_t to_us, std::int64_t step_us, Take&& take) {
  for (std::int64_t t_us = from_us; to_us - t_us > step_us;) {
    t_us += step_us;
    take(t_us);
  }
  take(to_us);
}

/// When a job takes note of a loss: as it ends, for one that is written down as the run closes.
std::int64_t time_of(const RolledBack& loss, const LaneSpans& spans) {
  return std::min(loss.at_us, std::ranges::max(spans.end_us));
}

/// Productive time up to now, over a job's phases: whenever it bends, and in between. Rolled-back
/// work is taken away when that happens.
template <class Take>
void for_work(const Trace& trace, std::uint32_t job, const LaneSpans& spans, Take&& take) {
  const std::vector<const RolledBack*> losses = losses_of(trace, job);
  auto loss = losses.begin();
  const std::int64_t step_us = step_of(trace);
  double done_us = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::int64_t begin_us = spans.begin_us[i];
    const std::int64_t end_us =
        std::clamp(spans.end_us[i], begin_us, std::max(begin_us, trace.last_us));
    for (; loss != losses.end() && (*loss)->at_us <= begin_us; ++loss) {
      done_us -= static_cast<double>((*loss)->lost_us);
      take((*loss)->at_us, done_us);
    }
    const bool productive = spans.kind[i] == Kind::kProductive;
    for_points(begin_us, end_us, step_us, [&](std::int64_t t_us) {
      take(t_us, done_us + (productive ? static_cast<double>(t_us - begin_us) : 0));
    });
    done_us += productive ? static_cast<double>(end_us - begin_us) : 0;
  }
  for (; loss != losses.end(); ++loss) {
    done_us -= static_cast<double>((*loss)->lost_us);
    take(std::max(time_of(**loss, spans), spans.begin_us.back()), done_us);
  }
}

std::int64_t in_parts(double share) {
  return static_cast<std::int64_t>(std::clamp(share, 0.0, 1.0) * kWhole + 0.5);
}

}  // namespace

std::optional<Curve> ettr_curve(const Trace& trace, std::uint32_t job) {
  const Lane* lane = lane_of(trace, job, SubLane::kPhases);
  if (lane == nullptr || lane->columns.size() == 0) {
    return std::nullopt;
  }
  Curve curve = new_share(kEttr, job);
  Samples samples(curve.samples);
  const LaneSpans spans = lane->columns.spans();
  const std::int64_t first_us = spans.begin_us[0];
  for_work(trace, job, spans, [&](std::int64_t t_us, double done_us) {
    if (t_us > first_us) {
      samples.add(t_us, in_parts(done_us / static_cast<double>(t_us - first_us)));
    }
  });
  return curve;
}

std::optional<Curve> useful_curve(const Trace& trace, std::uint32_t job, const UsefulTime& told) {
  const Lane* lane = lane_of(trace, job, SubLane::kPhases);
  if (lane == nullptr || lane->columns.size() == 0 || told.of_us <= 0) {
    return std::nullopt;
  }
  Curve curve = new_share(kUseful, job);
  Samples samples(curve.samples);
  const LaneSpans spans = lane->columns.spans();
  const auto of = static_cast<double>(told.of_us);
  samples.add(spans.begin_us[0], 0);
  std::int64_t last_us = spans.begin_us[0];
  for_work(trace, job, spans, [&](std::int64_t t_us, double done_us) {
    samples.add(t_us, in_parts(done_us / of));
    last_us = t_us;
  });
  // A job that does not train at the end keeps the part that a checkpoint holds.
  samples.add(last_us, in_parts(static_cast<double>(told.us) / of));
  return curve;
}

std::optional<Curve> progress_curve(const Trace& trace, std::uint32_t job) {
  const Counter* steps = find_counter(trace, job, "steps");
  const reports::HeaderJob* header = header_job(trace, job);
  const Lane* lane = lane_of(trace, job, SubLane::kPhases);
  if (steps == nullptr || header == nullptr || lane == nullptr || steps->t_us.empty()) {
    return std::nullopt;
  }
  Curve curve = new_curve(kProgress, job);
  curve.limit = header->steps;
  Samples samples(curve.samples);
  const LaneSpans spans = lane->columns.spans();
  const std::vector<const RolledBack*> losses = losses_of(trace, job);
  auto loss = losses.begin();
  const std::int64_t step_us = step_of(trace);
  std::int64_t value = 0;
  std::int64_t known_us = spans.empty() ? 0 : spans.begin_us[0];
  samples.add(known_us, 0);
  std::size_t span = 0;
  for (std::size_t i = 0; i < steps->t_us.size(); ++i) {
    const std::int64_t t_us = steps->t_us[i];
    for (; loss != losses.end() && (*loss)->at_us < t_us; ++loss) {
      known_us = (*loss)->at_us;
      value = header->step_us > 0 ? (*loss)->to / header->step_us : (*loss)->to;
      samples.add(known_us, value);
    }
    // The stretch of work that ends here.
    while (span + 1 < spans.size() && spans.begin_us[span + 1] < t_us) {
      ++span;
    }
    const std::int64_t from_us = spans.empty() ? t_us : std::max(known_us, spans.begin_us[span]);
    const std::int64_t gained = steps->value[i] - value;
    if (gained > 0 && from_us < t_us) {
      for_points(from_us, t_us, step_us, [&](std::int64_t point_us) {
        const double part =
            static_cast<double>(point_us - from_us) / static_cast<double>(t_us - from_us);
        samples.add(point_us,
                    value + static_cast<std::int64_t>(part * static_cast<double>(gained)));
      });
    }
    value = steps->value[i];
    known_us = t_us;
    samples.add(t_us, value);
  }
  for (; loss != losses.end(); ++loss) {
    const std::int64_t t_us = spans.empty() ? (*loss)->at_us : time_of(**loss, spans);
    samples.add(std::max(t_us, known_us),
                header->step_us > 0 ? (*loss)->to / header->step_us : (*loss)->to);
  }
  return curve;
}

}  // namespace aftershock::gui
