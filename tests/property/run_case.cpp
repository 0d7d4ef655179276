#include "tests/property/run_case.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "policies/api/json_as_text.h"
#include "reports/recording/memory_sink.h"
#include "sim/engine/isolate.h"
#include "sim/results/summarise.h"
#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"

namespace aftershock::sim {

namespace {

using nlohmann::json;

// Of processor time, whatever else the machine does: no random scenario takes a tenth of it, even
// with sanitizers.
constexpr rlim_t kLongestRunSeconds = 60;
constexpr std::int64_t kMostEntries = 1'000'000;

json to_json(const RunResult& result) {
  return {
      {"problems", result.problems}, {"summary", result.summary}, {"recording", result.recording}};
}

RunResult from_json(const json& value) {
  return {value.at("problems").get<std::vector<std::string>>(), value.at("summary"),
          value.at("recording")};
}

std::vector<RunResult> in_own_process(const std::function<std::vector<RunResult>()>& work) {
  const auto bytes = engine::run_isolated([&] {
    const rlimit longest{kLongestRunSeconds, kLongestRunSeconds};
    setrlimit(RLIMIT_CPU, &longest);
    json out = json::array();
    for (const RunResult& result : work()) {
      out.push_back(to_json(result));
    }
    return policies::text_from_json(out);
  });
  if (!bytes) {
    return {{{"the run crashed or did not end"}, {}, {}}};
  }
  std::vector<RunResult> results;
  for (const json& value : policies::json_from_text(*bytes)) {
    results.push_back(from_json(value));
  }
  return results;
}

std::string digest(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return fmt::format("{} bytes, digest {:016x}", bytes.size(), hash);
}

world::World make_world(const std::shared_ptr<const scenario::Scenario>& scenario) {
  world::WorldOptions options;
  options.trigger_offsets_us =
      simulate::resolve_trigger_offsets(scenario, engine::Driver::kAutomatic).offsets_us;
  return world::World(scenario, simulate::make_hosts(*scenario), options);
}

std::string finish(world::World& world, const std::optional<results::FaultFreeRun>& before = {}) {
  world::close_run(world);
  return reports::to_json_line(
      results::summarise(world, simulate::fault_free_run(world, before), {}, true));
}

/// Plays a world and looks at all of it after every entry.
class Watched final : public engine::Playable {
 public:
  explicit Watched(world::World& world) : world_(world), committed_us_(world.jobs.size(), 0) {}

  engine::Calendar& calendar() override { return world_.calendar(); }
  engine::Transfers& transfers() override { return world_.transfers(); }
  [[nodiscard]] std::int64_t now_us() const override { return world_.now_us(); }
  [[nodiscard]] bool over() const override { return world_.over() || !problems_.empty(); }

  void play(const engine::Entry& entry) override {
    if (entry.t_us < world_.now_us()) {
      report("time goes back");
    }
    world_.play(entry);
    for (const std::string& what : world::inconsistencies(world_)) {
      report(what);
    }
    for (const workload::Job& job : world_.jobs) {
      look_at(job);
    }
    for (const workload::Experiment& experiment : world_.experiments) {
      look_at(experiment);
    }
    if (world_.core.entries_played() > kMostEntries) {
      report("it does not end");
    }
  }

  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  void report(std::string_view what) {
    problems_.push_back(
        fmt::format("at {} us, entry {}: {}", world_.now_us(), world_.core.entries_played(), what));
  }

  void look_at(const workload::Job& job) {
    const scenario::JobSpec& spec = world_.scenario().jobs[job.index];
    std::int64_t& committed_us = committed_us_[job.index];
    if (spec.script.resumes && job.saved.committed_work_us < committed_us) {
      report(fmt::format("{}: committed progress went from {} to {} us", spec.name, committed_us,
                         job.saved.committed_work_us));
    }
    committed_us = job.saved.committed_work_us;
    if (job.stage != workload::Stage::kTraining || job.broken) {
      return;
    }
    // Work goes on only where every node of the gang works, and is the job's.
    const machines::Pool& pool = world_.machines.pools()[spec.pool];
    for (const std::uint32_t index : job.placement.slots) {
      const machines::Node& node = pool.node(index);
      if (!job.holding || !pool.taken(index) || node.job != job.index || !node.present ||
          !node.up) {
        report(fmt::format("{} trains on node {} of pool {}, which is not there for it", spec.name,
                           index, spec.pool));
      }
    }
  }

  // Trials compute only on nodes that work.
  void look_at(const workload::Experiment& experiment) {
    const scenario::ExperimentSpec& spec = world_.scenario().experiments[experiment.index];
    for (const std::uint32_t number : experiment.running) {
      const workload::Trial& trial = experiment.trials[number];
      for (const std::uint32_t held : trial.place.held) {
        const machines::Node& node =
            world_.machines.pools()[spec.pool].node(experiment.places.node(held));
        if (trial.track.bucket == reports::Bucket::kProductive && (!node.up || !node.present)) {
          report(fmt::format("trial {} of {} computes on a node that is down", number, spec.name));
        }
      }
    }
  }

  world::World& world_;
  std::vector<std::int64_t> committed_us_;
  std::vector<std::string> problems_;
};

std::int64_t sum_of(const json& buckets) {
  std::int64_t sum = 0;
  for (const json& us : buckets) {
    sum += us.get<std::int64_t>();
  }
  return sum;
}

void look_at_job(const json& job, const scenario::JobSpec& spec,
                 std::vector<std::string>& problems) {
  const auto equal = [&](std::string_view what, std::int64_t got, std::int64_t wanted) {
    if (got != wanted) {
      problems.push_back(
          fmt::format("{}: {} is {} and should be {}", spec.name, what, got, wanted));
    }
  };
  const json& ledger = job.at("ledger_us");
  const std::int64_t wall_us = job.at("wall_us");
  const std::int64_t productive_us = ledger.at("productive");
  equal("the sum of ledger_us", sum_of(ledger), wall_us);
  equal("the sum of ledger_accelerator_us", sum_of(job.at("ledger_accelerator_us")),
        wall_us * spec.workers);
  for (const auto& [bucket, us] : ledger.items()) {
    if (us.get<std::int64_t>() < 0) {
      problems.push_back(fmt::format("{}: {} is negative", spec.name, bucket));
    }
  }
  if (job.at("lost").at("steps") < 0 || job.at("lost").at("us") < 0) {
    problems.push_back(
        fmt::format("{}: it loses {}", spec.name, policies::text_from_json(job.at("lost"))));
  }
  equal("rolled_back", ledger.at("rolled_back"), job.at("lost").at("us"));
  equal("steps_done", job.at("steps_done"), productive_us / spec.step_us);
  std::int64_t lost_in_recoveries_us = 0;
  for (const json& recovery : job.at("recoveries")) {
    lost_in_recoveries_us += recovery.at("lost_us").get<std::int64_t>();
  }
  if (lost_in_recoveries_us > job.at("lost").at("us")) {  // a policy that gives up loses some, too
    problems.push_back(fmt::format("{}: recoveries lose {} us, more than the job", spec.name,
                                   lost_in_recoveries_us));
  }
  if (job.at("outcome") == "completed") {
    equal("steps_done", job.at("steps_done"), *spec.steps);
    equal("productive", productive_us, *spec.steps * spec.step_us);
  }
}

void look_at_experiment(const json& experiment, const scenario::ExperimentSpec& spec,
                        std::vector<std::string>& problems) {
  const auto equal = [&](std::string_view what, std::int64_t got, std::int64_t wanted) {
    if (got != wanted) {
      problems.push_back(
          fmt::format("{}: {} is {} and should be {}", spec.name, what, got, wanted));
    }
  };
  const json& ledger = experiment.at("ledger_us");
  __extension__ using Wide = __int128;
  constexpr Wide kParts = 10'000;
  equal("the sum of ledger_accelerator_us", sum_of(experiment.at("ledger_accelerator_us")),
        static_cast<std::int64_t>(Wide{sum_of(ledger)} * spec.accelerators_e4 / kParts));
  for (const auto& [bucket, us] : ledger.items()) {
    if (us.get<std::int64_t>() < 0) {
      problems.push_back(fmt::format("{}: {} is negative", spec.name, bucket));
    }
  }
  std::int64_t lost_us = 0;
  std::int64_t lost_steps = 0;
  std::int64_t iterations = 0;
  for (const json& trial : experiment.at("trials")) {
    lost_us += trial.at("lost").at("us").get<std::int64_t>();
    lost_steps += trial.at("lost").at("steps").get<std::int64_t>();
    iterations += trial.at("iterations").get<std::int64_t>();
  }
  equal("rolled_back", ledger.at("rolled_back"), experiment.at("lost").at("us"));
  equal("what the trials lost", lost_us, experiment.at("lost").at("us"));
  equal("the steps they lost", lost_steps, experiment.at("lost").at("steps"));
  equal("the trials by status", sum_of(experiment.at("statuses")),
        static_cast<std::int64_t>(experiment.at("trials").size()));
  if (experiment.at("outcome") == "completed") {
    const json& statuses = experiment.at("statuses");
    equal("the trials that have not ended",
          statuses.at("PENDING").get<std::int64_t>() + statuses.at("RUNNING").get<std::int64_t>(),
          0);
    // All that is kept was computed under this experiment, unless it went on from another's.
    const std::int64_t step_us =
        std::get<scenario::Distribution::Constant>(spec.step.shape).value_us;
    if (experiment.at("restores").empty()) {
      equal("productive", ledger.at("productive"), iterations * step_us);
    }
  }
}

}  // namespace

std::variant<std::shared_ptr<const scenario::Scenario>, std::string> read_text(
    const std::string& text) {
  // Those of ModelArts extend one that lies there.
  scenario::ReadResult result =
      scenario::read_scenario_text(text, "scenarios/modelarts/random.json");
  if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&result)) {
    std::string lines;
    for (const scenario::ScenarioError& error : *errors) {
      lines += scenario::format(error) + "\n";
    }
    return lines;
  }
  return std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
}

RunResult run_ordinarily(const std::shared_ptr<const scenario::Scenario>& scenario,
                         engine::Driver driver, bool recorded) {
  return in_own_process([&] {
           reports::MemorySink sink;
           simulate::SimulateOptions options;
           options.driver = driver;
           options.sink = recorded ? &sink : nullptr;
           RunResult result;
           result.summary = reports::to_json_line(simulate::simulate(scenario, options));
           result.recording = digest(sink.text());
           return std::vector{result};
         })
      .front();
}

RunResult run_watched(const std::shared_ptr<const scenario::Scenario>& scenario) {
  return in_own_process([&] {
           const auto before = simulate::fault_free_before(*scenario);
           world::World world = make_world(scenario);
           Watched watched(world);
           engine::drive(watched, engine::Driver::kAutomatic);
           RunResult result;
           result.problems = watched.problems();
           if (result.problems.empty()) {
             result.summary = finish(world, before);
             result.problems = world::inconsistencies(world);
           }
           return std::vector{result};
         })
      .front();
}

std::vector<RunResult> run_copied(const std::shared_ptr<const scenario::Scenario>& scenario) {
  return in_own_process([&] {
    const auto play = [](world::World& world, std::int64_t most) {
      for (std::int64_t i = 0; i < most && !world.over() && !world.calendar().empty(); ++i) {
        world.play(world.calendar().pop());
      }
    };
    world::World whole = make_world(scenario);
    play(whole, kMostEntries);
    world::World original = make_world(scenario);
    play(original, whole.core.entries_played() / 2);
    world::World copy = original;
    std::vector<RunResult> results(3);
    results[0].summary = finish(whole);
    play(copy, kMostEntries);
    results[2].summary = finish(copy);
    play(original, kMostEntries);
    results[1].summary = finish(original);
    return results;
  });
}

std::vector<std::string> problems_of(const json& summary, const scenario::Scenario& scenario) {
  std::vector<std::string> problems;
  for (const json& violation : summary.at("invariants").at("violated")) {
    problems.push_back("invariant violated: " + policies::text_from_json(violation));
  }
  const std::string verdict = summary.at("verdict");
  constexpr std::string_view kLegal[] = {"passed", "stuck", "invalid"};
  if (std::ranges::find(kLegal, verdict) == std::end(kLegal)) {
    problems.push_back("the verdict is " + verdict);
  }
  if (scenario.until_us && summary.at("simulated_us") > *scenario.until_us) {
    problems.emplace_back("it goes on after its end");
  }
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i) {
    look_at_job(summary.at("jobs")[i], scenario.jobs[i], problems);
  }
  for (std::size_t i = 0; i < scenario.experiments.size(); ++i) {
    look_at_experiment(summary.at("experiments")[i], scenario.experiments[i], problems);
  }
  for (const auto& [kind, counts] : summary.at("faults").items()) {
    const auto never =
        std::ranges::count_if(summary.at("never_struck"),
                              [&kind](const auto& fault) { return fault.at("kind") == kind; });
    if (counts.at("injected") != counts.at("fired").get<std::int64_t>() +
                                     counts.at("masked").get<std::int64_t>() + never ||
        counts.at("detected") > counts.at("fired")) {
      problems.push_back("counts of " + kind + " do not fit: " + policies::text_from_json(counts));
    }
  }
  return problems;
}

}  // namespace aftershock::sim
