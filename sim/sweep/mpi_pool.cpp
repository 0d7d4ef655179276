#include "sim/sweep/mpi_pool.h"

#include <csignal>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "reports/ledger/summary.h"
#include "sim/processes/stop_signals.h"

// Messages begin with a byte that says what they are. To a rank: a pool (JSON), a task, or nothing
// at all: the end. From a rank: what its own pool tells.
namespace aftershock::sim::sweep {
namespace {

enum class Kind : char { kCrew = 'C', kTask = 'T', kRow, kNotRecorded, kDone, kLost, kNoWorkers };

/// How long a rank that was asked to end waits for rank 0 to end it.
constexpr int kPatienceMs = 500;

/// A task as it goes to a rank. Rank 0 may give one before it hears that its worker has died, and
/// takes it as lost then: the rank must not have it done all the same, or what is told of it would
/// be taken for the task that came in its place.
struct GivenTask {
  Task task;
  std::uint32_t deaths = 0;  ///< of the worker, as far as rank 0 knows
};

/// The worker, and the message.
template <typename Value>
std::string packed(Kind kind, std::uint32_t worker, const Value& value) {
  std::string bytes(1, static_cast<char>(kind));
  bytes.append(reinterpret_cast<const char*>(&worker), sizeof(worker));
  if constexpr (std::is_same_v<Value, GivenTask>) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  } else {
    bytes.append(value);
  }
  return bytes;
}

struct Unpacked {
  Kind kind;
  std::uint32_t worker = 0;
  std::string_view rest;
};

Unpacked unpacked(std::string_view bytes) {
  Unpacked message{static_cast<Kind>(bytes.front()), 0, {}};
  AFTERSHOCK_ASSERT(bytes.size() > sizeof(message.worker));
  std::memcpy(&message.worker, bytes.data() + 1, sizeof(message.worker));
  message.rest = bytes.substr(1 + sizeof(message.worker));
  return message;
}

/// The part of the plan that a rank's workers need.
std::string crew_json(const Plan& plan, const WorkerPoolOptions& options) {
  auto cells = nlohmann::json::array();
  for (const PlannedCell& cell : plan.cells) {
    cells.push_back(
        {{"name", cell.name}, {"text", cell.text}, {"elsewhere", cell.policies != nullptr}});
  }
  const nlohmann::json all{{"cells", std::move(cells)},  {"first_seed", plan.first_seed},
                           {"replicas", plan.replicas},  {"pointers", plan.pointers},
                           {"workers", options.workers}, {"folder", options.folder}};
  return policies::text_from_json(all);
}

struct RankCrew {
  Plan plan;
  std::unique_ptr<WorkerPool> workers;
  std::vector<std::uint32_t> deaths;  ///< that rank 0 was told of, by worker
};

std::unique_ptr<RankCrew> crew_from(std::string_view text, const PoliciesOfCell& policies) {
  const auto json = policies::json_from_text(text);
  auto pool = std::make_unique<RankCrew>();
  for (const auto& cell : json.at("cells")) {
    PlannedCell& planned = pool->plan.cells.emplace_back();
    planned.text = cell.at("text");
    planned.name = cell.at("name");
    if (cell.at("elsewhere")) {
      planned.policies = policies(planned);
    }
  }
  pool->plan.first_seed = json.at("first_seed");
  pool->plan.replicas = json.at("replicas");
  pool->plan.pointers = json.at("pointers");
  pool->workers = make_process_pool(pool->plan, {json.at("workers"), json.at("folder")});
  pool->deaths.resize(pool->workers->size());
  return pool;
}

class MpiCrew final : public WorkerPool {
 public:
  MpiCrew(MpiJob& job, const Plan& plan, const WorkerPoolOptions& options)
      : job_(job),
        per_rank_(options.workers),
        deaths_((job.ranks() - 1) * std::size_t{options.workers}) {
    sigprocmask(SIG_BLOCK, &stops_, &signals_before_);
    signals_ = signalfd(-1, &stops_, SFD_CLOEXEC);
    const std::string pool = packed(Kind::kCrew, 0, crew_json(plan, options));
    for (std::uint32_t rank = 1; rank < job_.ranks(); ++rank) {
      job_.send(rank, pool);
    }
  }
  MpiCrew(const MpiCrew&) = delete;
  MpiCrew& operator=(const MpiCrew&) = delete;
  ~MpiCrew() override {
    if (signals_ >= 0) {
      close(signals_);
    }
    sigprocmask(SIG_SETMASK, &signals_before_, nullptr);
  }

  [[nodiscard]] std::uint32_t size() const override { return (job_.ranks() - 1) * per_rank_; }

  void give(std::uint32_t worker, const Task& task) override {
    job_.send(1 + worker / per_rank_,
              packed(Kind::kTask, worker % per_rank_, GivenTask{task, deaths_[worker]}));
  }

  WorkerNews wait(int timeout_ms) override {
    // MPI cannot wait for so long and for signals: it is asked once a millisecond.
    for (int waited_ms = 0;; ++waited_ms) {
      pollfd signals{signals_, POLLIN, 0};
      const auto message = job_.take();
      if (poll(&signals, 1, message ? 0 : 1) > 0) {
        return Interrupted{};
      }
      if (message) {
        return news_of(*message);
      }
      if (waited_ms >= timeout_ms) {
        return Quiet{};
      }
    }
  }

 private:
  WorkerNews news_of(const MpiJob::Message& message) {
    const Unpacked said = unpacked(message.bytes);
    const std::uint32_t worker = (message.from - 1) * per_rank_ + said.worker;
    switch (said.kind) {
      case Kind::kRow: {
        auto row = reports::row_from_bytes(said.rest);
        AFTERSHOCK_ASSERT(row);
        return RowCame{worker, *std::move(row)};
      }
      case Kind::kNotRecorded:
        return NotRecorded{std::string(said.rest)};
      case Kind::kDone:
        return TaskDone{worker};
      case Kind::kLost:
        ++deaths_[worker];
        return WorkerLost{worker, std::string(said.rest)};
      default:
        return PoolLost{std::string(said.rest)};
    }
  }

  MpiJob& job_;
  std::uint32_t per_rank_;
  std::vector<std::uint32_t> deaths_;  ///< that were told of, by worker
  sigset_t stops_ = processes::stop_signals();
  sigset_t signals_before_{};
  int signals_ = -1;
};

/// Tells rank 0.
void pass_on(MpiJob& job, const WorkerNews& news) {
  if (const auto* row = std::get_if<RowCame>(&news)) {
    job.send(0, packed(Kind::kRow, row->worker, reports::to_bytes(row->row)));
  } else if (const auto* problem = std::get_if<NotRecorded>(&news)) {
    job.send(0, packed(Kind::kNotRecorded, 0, problem->why));
  } else if (const auto* done = std::get_if<TaskDone>(&news)) {
    job.send(0, packed(Kind::kDone, done->worker, std::string{}));
  } else if (const auto* lost = std::get_if<WorkerLost>(&news)) {
    job.send(0, packed(Kind::kLost, lost->worker, lost->how));
  } else if (const auto* none = std::get_if<PoolLost>(&news)) {
    job.send(0, packed(Kind::kNoWorkers, 0, none->why));
  }
}

}  // namespace

std::unique_ptr<WorkerPool> make_mpi_pool(MpiJob& job, const Plan& plan,
                                          const WorkerPoolOptions& options) {
  return std::make_unique<MpiCrew>(job, plan, options);
}

void serve_mpi_rank(MpiJob& job, const PoliciesOfCell& policies) {
  std::unique_ptr<RankCrew> pool;
  bool asked_to_end = false;
  int waited_ms = 0;
  for (;;) {
    while (const auto message = job.take()) {
      if (message->bytes.empty()) {
        return;
      }
      const Unpacked asked = unpacked(message->bytes);
      if (asked.kind == Kind::kCrew) {
        pool = crew_from(asked.rest, policies);
        continue;
      }
      GivenTask given;
      AFTERSHOCK_ASSERT(pool && asked.kind == Kind::kTask && asked.rest.size() == sizeof(given));
      std::memcpy(&given, asked.rest.data(), sizeof(given));
      if (pool->workers && given.deaths == pool->deaths[asked.worker]) {
        pool->workers->give(asked.worker, given.task);
      }
    }
    if (!pool || !pool->workers) {
      poll(nullptr, 0, 1);
      // Rank 0 was asked to end, too, and does so once its rows are safe.
      if (asked_to_end && ++waited_ms > kPatienceMs) {
        job.end_all(reports::exit_code(reports::Verdict::kInconclusive));
      }
      continue;
    }
    const WorkerNews news = pool->workers->wait(1);
    asked_to_end = std::holds_alternative<Interrupted>(news);
    if (asked_to_end || std::holds_alternative<PoolLost>(news)) {
      pool->workers.reset();
    }
    if (const auto* lost = std::get_if<WorkerLost>(&news)) {
      ++pool->deaths[lost->worker];
    }
    pass_on(job, news);
  }
}

}  // namespace aftershock::sim::sweep
