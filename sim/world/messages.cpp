#include <optional>
#include <utility>
#include <variant>

#include "sim/core/entry_kind.h"
#include "sim/world/controlling.h"
#include "sim/world/injection.h"
#include "sim/world/network_faults.h"
#include "sim/world/overloaded.h"
#include "sim/world/world.h"

// Messages to a controller that arrive late, or twice.
namespace aftershock::sim::world {

namespace {

struct Passing {
  scenario::MessageKind kind;
  policies::Epoch epoch;
};

// The sort of the message, and the attempt that it is about.
std::optional<Passing> passing(const policies::Event& event) {
  using Found = std::optional<Passing>;
  return std::visit(Overloaded{[](const policies::WorkersFailed& m) {
                                 return Found({scenario::MessageKind::kExit, m.epoch});
                               },
                               [](const policies::CheckpointReported& m) {
                                 return Found({scenario::MessageKind::kReport, m.epoch});
                               },
                               [](const policies::WorkersStopped& m) {
                                 return Found({scenario::MessageKind::kStopped, m.epoch});
                               },
                               [](const policies::AttemptRunning& m) {
                                 return Found({scenario::MessageKind::kRunning, m.epoch});
                               },
                               [](const auto& /*other*/) { return Found(); }},
                    event);
}

}  // namespace

// A message that is delivered now may come once more.
void pass_messages(World& world, workload::Job& job) {
  // Copies are added behind and must not be copied themselves.
  const std::size_t first_time = job.control.pending.size();
  for (std::size_t i = 0; i < first_time; ++i) {
    const auto found = passing(job.control.pending[i]);
    if (!found) {
      continue;
    }
    const auto kind = static_cast<std::size_t>(found->kind);
    auto& last = job.armed.past[kind];
    if (last && last->epoch < found->epoch) {
      job.armed.past[kind + job.armed.past.size() / 2] = std::move(last);
    }
    last = workload::PastMessage{found->epoch, job.control.pending[i]};
    for (workload::LateMessage& late : job.armed.late) {
      const scenario::FaultEffect& effect =
          faults::effect_of(world.scenario(), world.faults[late.fault]);
      if (late.event || effect.network.message != found->kind) {
        continue;
      }
      late.event = job.control.pending[i];
      if (effect.network.delay_us == 0) {
        job.control.pending.push_back(*late.event);
        world.faults.detect(late.fault);
      } else {
        world.core.schedule(core::EntryKind::kLateMessage, world.now_us() + effect.network.delay_us,
                            {.entity = job.index, .arg = late.fault});
      }
    }
  }
}

void late_message(World& world, workload::Job& job, std::uint32_t fault) {
  for (const workload::LateMessage& late : job.armed.late) {
    if (late.fault == fault && late.event && job.stage != workload::Stage::kEnded &&
        job.control.driver_up) {
      world.faults.detect(fault);
      notify(world, job, *late.event);
    }
  }
}

// The next one twice, or the last one of an attempt before the newest once more.
bool repeat_message(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  if (faults::effect_of(world.scenario(), world.faults[number]).kind ==
      scenario::FaultKind::kDuplicateMessage) {
    if (job.stage == workload::Stage::kEnded) {
      return false;
    }
    fire(world, number);
    job.armed.late.push_back({number, std::nullopt});
    return true;
  }
  const auto kind = static_cast<std::size_t>(
      faults::effect_of(world.scenario(), world.faults[number]).network.message);
  for (const std::size_t at : {kind, kind + job.armed.past.size() / 2}) {
    const auto& past = job.armed.past[at];
    // Of the newest attempt it would be true, and not stale.
    if (!past || past->epoch >= job.epoch || job.stage == workload::Stage::kEnded ||
        !job.control.driver_up) {
      continue;
    }
    world.faults.detect(number);
    fire(world, number);
    notify(world, job, past->event);
    return true;
  }
  return false;
}

}  // namespace aftershock::sim::world
