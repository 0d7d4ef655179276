#include <QFontMetrics>
#include <QScrollBar>
#include <algorithm>

#include "gui/cluster/node_holders.h"
#include "gui/theme/shown_text.h"
#include "gui/timeline/timeline.h"
#include "gui/why/accounts.h"

// The lanes that a timeline opens with, and those that it keeps in sight.
namespace aftershock::gui {

namespace {

/// So many jobs are shown with all that there is of them; of more each is a row.
constexpr std::ptrdiff_t kOpenJobs = 3;

void close_many_jobs(const LaneTree& tree, LaneState& lanes) {
  const auto is_job = [](const LaneTree::Node& node) {
    return node.key.section == Section::kJobs && node.depth == 0;
  };
  if (std::ranges::count_if(tree.nodes, is_job) <= kOpenJobs) {
    return;
  }
  for (const LaneTree::Node& node : tree.nodes) {
    if (is_job(node)) {
      set_open(lanes, node.key, false);
    }
  }
}

}  // namespace

LaneState Timeline::opening_state() const {
  constexpr int kOpenedAtFirst = 32;  // so many pools, and so many racks, are tried
  const LaneTree& tree = scene()->tree();
  LaneState lanes = first_state(tree);
  close_many_jobs(tree, lanes);
  // The groups that fit on the screen are open from the start: pools, then racks.
  const int room = viewport()->height() / (fontMetrics().height() + 6) - 6;
  for (std::uint32_t depth = 0; depth < 2; ++depth) {
    int looked_at = 0;
    for (std::uint32_t at = 0; at < tree.nodes.size() && looked_at < kOpenedAtFirst; ++at) {
      const LaneTree::Node& node = tree.nodes[at];
      // Where nothing happened there is nothing to see.
      if (node.key.section != Section::kPools || node.depth != depth || node.end == at + 1 ||
          content_of(tree, at).empty() ||
          (node.parent != kNowhere && !is_open(lanes, tree.nodes[node.parent].key))) {
        continue;
      }
      ++looked_at;
      LaneState more = lanes;
      set_open(more, node.key, true);
      if (static_cast<int>(make_rows(scene()->directory(), tree, more).nodes.size()) <= room) {
        lanes = std::move(more);
      }
    }
  }
  return lanes;
}

bool Timeline::open_first_lanes() {
  if (state_.lanes != first_lanes_) {
    return false;
  }
  first_lanes_ = opening_state();
  const bool others = state_.lanes != first_lanes_;
  state_.lanes = first_lanes_;
  history_ = History<ViewState>(state_);
  return others;
}

void Timeline::take_outcomes() {
  const std::size_t ledgers = session_ != nullptr ? session_->trace().ledgers.size() : 0;
  if (ledgers == told_ledgers_) {
    return;
  }
  told_ledgers_ = ledgers;
  outcomes_.clear();
  if (ledgers == 0) {
    return;
  }
  const Trace& trace = session_->trace();
  const std::vector<Account> accounts = accounts_of(trace);
  for (const reports::HeaderJob& job : trace.header.jobs) {
    const auto entity = trace.entities.find("job:" + job.name);
    const Account* account = entity ? account_of(accounts, *entity) : nullptr;
    const std::string outcome = account != nullptr ? account->outcome : std::string();
    outcomes_.push_back(
        {shown_text(outcome), !outcome.empty() && outcome != "completed" && outcome != "running"});
  }
}

// Verdicts stand in their order, failed jobs first.
std::int64_t Timeline::first_told(const Trace& trace) const {
  for (const Verdict& verdict : session_->verdicts()) {
    const auto key = key_of(scene()->directory(), trace.entities[verdict.entity]);
    if (key && key->section == Section::kJobs) {
      return key->group;
    }
  }
  return 0;
}

void Timeline::pin_phases(const LaneKey& lane) {
  const Trace& trace = session_->trace();
  if (lane.section == Section::kJobs || lane.section == Section::kExperiments ||
      trace.header.jobs.empty()) {
    return;
  }
  // Of the job that holds the node then; else of the one that is told of first.
  NodeHolders holders(*scene());
  holders.go_to(state_.cursor_us);
  const std::uint32_t owner =
      lane.section == Section::kPools ? holders.owner_of(lane.group, lane.node) : kNone;
  const LaneKey phases{
      .section = Section::kJobs,
      .group = owner < trace.header.jobs.size() ? std::int64_t{owner} : first_told(trace),
      .facet = Facet::kPhases};
  if (!gui::find(scene()->tree(), phases) ||
      std::ranges::find(state_.lanes.pinned, phases) != state_.lanes.pinned.end()) {
    return;
  }
  const std::uint32_t row = row_near(scene()->tree(), rows_, phases);
  const auto first = static_cast<std::uint32_t>(verticalScrollBar()->value());
  const auto last = first + static_cast<std::uint32_t>(layout_now().whole_rows());
  if (row != kNowhere && row >= first && row < last) {
    return;
  }
  ViewState next = state_;
  toggle_pinned(next.lanes, phases);
  change(std::move(next), Joining::kJoined);
  show_row(row_near(scene()->tree(), rows_, lane));
}

}  // namespace aftershock::gui
