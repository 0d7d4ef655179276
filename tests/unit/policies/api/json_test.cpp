#include "policies/api/json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies {
namespace {

using nlohmann::json;

PolicyInfo info() {
  PolicyInfo info;
  info.name = "test";
  info.states = {"CALM", "BUSY"};
  info.budgets = {"tries"};
  info.rules = {{"test.go", "Goes", "nowhere"}};
  return info;
}

RankSet ranks(std::initializer_list<RankSet::Interval> intervals) {
  RankSet set;
  for (const auto& interval : intervals) {
    set.add(interval.first, interval.end);
  }
  return set;
}

std::string line_of_event(std::string_view text) {
  const auto event = event_from_json(json_from_text(text));
  const auto* issue = std::get_if<Issue>(&event);
  return issue != nullptr ? describe(*issue) : to_line(std::get<Event>(event));
}

TEST(Json, WritesEventsInTheOrderOfTheirMembers) {
  const Event event = WorkersFailed{.job = 1,
                                    .epoch = 2,
                                    .ranks = ranks({{0, 1}, {3, 10}}),
                                    .kind = WorkerFailure::kNodeLost,
                                    .exit_code = -9,
                                    .preempted = true,
                                    .error = "a \"b\"\n"};
  EXPECT_EQ(to_line(event),
            R"({"type":"workers_failed","job":1,"epoch":2,"ranks":[0,[3,9]],"kind":"node_lost",)"
            R"("exit_code":-9,"preempted":true,"error":"a \"b\"\n"})");
}

TEST(Json, WritesDecisionsWithWords) {
  Decision decision;
  Step& step = decision.steps.emplace_back();
  step.to_state = 1;
  step.saw = {0, 2};
  step.budgets.push_back({.budget = 0,
                          .cause = ChargeCause::kNode,
                          .used = 3,
                          .limit = 2,
                          .exempt = false,
                          .exhausted = true});
  step.commands.emplace_back(StartAttempt{.id = 1,
                                          .job = 0,
                                          .epoch = 4,
                                          .workers = 8,
                                          .placement_wait_us = 5,
                                          .from = {},
                                          .report_barrier_timeout_us = {}});
  step.rejected.push_back({"sleep", "no time"});
  EXPECT_EQ(
      to_line(decision, info()),
      R"({"steps":[{"rule":"test.go","from":"CALM","to":"BUSY","saw":[0,2],"budgets":[{"budget":)"
      R"("tries","cause":"node","used":3,"limit":2,"charged":true,"exhausted":true}],"commands":[)"
      R"({"type":"start_attempt","id":1,"job":0,"epoch":4,"workers":8,"placement_wait_us":5,)"
      R"("from":null,"report_barrier_timeout_us":null}],)"
      R"("rejected":[{"what":"sleep","why":"no time"}]}],"watch":{}})");
}

TEST(Json, ReadsItsOwnDecisionsButForTheRejected) {
  Decision decision;
  Step& step = decision.steps.emplace_back();
  step.from_state = 1;
  step.budgets.push_back({.budget = 0,
                          .cause = ChargeCause::kStorage,
                          .used = 1,
                          .limit = {},
                          .exempt = true,
                          .exhausted = false});
  step.commands.emplace_back(DeleteCheckpoints{3, 0, {1, 2}});
  decision.watch = {.poll = PollWatch{1, 2, 3, 4, 5, true},
                    .futures = FuturesWatch{6},
                    .capacity = CapacityWatch{7, 8, 9, 10},
                    .drain = DrainWatch{11, 12},
                    .wake_us = 13,
                    .backoff = Backoff{14, 15, 16}};
  const std::string line = to_line(decision, info());
  const auto read = decision_from_json(json_from_text(line), info());
  ASSERT_TRUE(std::holds_alternative<Decision>(read));
  EXPECT_EQ(to_line(std::get<Decision>(read), info()), line);
}

TEST(Json, RefusesDecisionsWithWordsOfAnotherPolicy) {
  const auto refused = [](std::string_view text) {
    const auto read = decision_from_json(json_from_text(text), info());
    const auto* issue = std::get_if<Issue>(&read);
    return issue != nullptr ? issue->pointer : "accepted";
  };
  EXPECT_EQ(refused(R"({"steps":[{"rule":"test.gone","from":"CALM","to":"CALM"}]})"),
            "/steps/0/rule");
  EXPECT_EQ(refused(R"({"steps":[{"rule":"test.go","from":"CALM","to":"ANGRY"}]})"), "/steps/0/to");
  EXPECT_EQ(refused(R"({"steps":[{"rule":"test.go","from":"CALM","to":"BUSY",)"
                    R"("budgets":[{"budget":"money"}]}]})"),
            "/steps/0/budgets/0/budget");
}

/// One event of every type with nothing at its default.
// NOLINTBEGIN(bugprone-suspicious-missing-comma): one of them takes two lines.
const std::vector<std::string_view> kEvents{
    R"({"type":"job_submitted","job":3,"workers":8})",
    R"({"type":"controller_started","job":3,"durable":"{}","epoch":2,"missing":[5,6]})",
    R"({"type":"attempt_running","job":3,"epoch":2})",
    R"({"type":"attempt_start_failed","job":3,"epoch":2,"stage":"launch","why":"error","ranks":[4]})",
    R"({"type":"workers_failed","job":3,"epoch":2,"ranks":[[0,4294967294]],"kind":"exit",)"
    R"("exit_code":-2147483648,"preempted":true,"error":"x"})",
    R"({"type":"workers_finished","job":3,"epoch":2,"ranks":[[1,2]]})",
    R"({"type":"workers_stopped","job":3,"epoch":2,"unreachable":[5],"error":"x"})",
    R"({"type":"poll_unanswered","job":3,"epoch":2,"ranks":[1],"since_us":9223372036854775807})",
    R"({"type":"controller_error","job":3,"error":"x"})",
    R"({"type":"node_unreachable","node":4,"preempted":true,"ranks":[[0,7]]})",
    R"({"type":"node_joined","node":4})",
    R"({"type":"preemption_notice","job":3,"epoch":2,"nodes":[4,5],"ranks":[[0,7]],"deadline_us":6})",
    R"({"type":"device_fault","node":4,"accelerator":5,"code":"xid:94","severity":"major","ranks":[3]})",
    R"({"type":"hang_suspected","job":3,"epoch":2,"since_us":6})",
    R"({"type":"checkpoint_reported","job":3,"epoch":2,"checkpoint":7,"ranks":[0,2],"score_e6":-5})",
    R"({"type":"command_result","command":18446744073709551615,"error":"stale_epoch","definite":false})",
    R"({"type":"stop_requested","job":3,"nth":2})",
    R"({"type":"capacity_changed","job":3,"workers":8})",
    R"({"type":"timer","job":3})",
    R"({"type":"experiment_submitted","job":3,"trials":8})",
    R"({"type":"trial_started","job":3,"trial":4})",
    R"({"type":"trial_restored","job":3,"trial":4})",
    R"({"type":"trial_result","job":3,"trial":4,"iteration":5,"checkpoint":6,"done":true})",
    R"({"type":"trials_failed","job":3,"trials":[[0,4]],"kind":"node_lost","preempted":true,)"
    R"("restoring":true,"error":"x"})",
    R"({"type":"trials_stopped","job":3,"trials":[0,2]})",
    R"({"type":"self_heal_result","job":3,"command":9,"node":4,"accelerator":5,"healed":true})",
    R"({"type":"checkpoint_durable","job":3,"epoch":2,"checkpoint":7})",
    R"({"type":"metrics_reported","job":3,"epoch":2,"ranks":[[0,7]],"step":40})",
    R"({"type":"agent_ended","job":3,"node":2,"ranks":[[4,5]],"signal":"SIGTERM"})",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

TEST(Json, ReadsEveryEventThatItWrites) {
  ASSERT_EQ(kEvents.size(), std::variant_size_v<AnyEvent>);
  for (std::size_t index = 0; index < kEvents.size(); ++index) {
    EXPECT_EQ(line_of_event(kEvents[index]), kEvents[index]);
    const auto event = std::get<Event>(event_from_json(json_from_text(kEvents[index])));
    EXPECT_EQ(event.index(), index);
    EXPECT_EQ(name_of(event), json_from_text(kEvents[index])["type"].get<std::string>());
  }
}

TEST(Json, ReadsEveryCommandThatItWrites) {
  const std::vector<std::string_view> commands{
      R"({"type":"start_attempt","id":1,"job":2,"epoch":3,"workers":4,"placement_wait_us":5,"from":6,)"
      R"("report_barrier_timeout_us":7,"first_in_queue":true,"env":[{"ranks":[[0,3]],"variables":)"
      R"([{"name":"MA_SCHEDULE_CNT","value":"2"}]}]})",
      R"({"type":"stop_workers","id":1,"job":2,"epoch":3,"grace_us":4,"force":true,"keep_containers":true,)"
      R"("unmount_async_after_us":5})",
      R"({"type":"commit_checkpoint","id":1,"job":2,"checkpoint":3})",
      R"({"type":"delete_checkpoints","id":1,"job":2,"checkpoints":[3,4]})",
      R"({"type":"persist","id":1,"job":2})",
      R"({"type":"complete","id":1,"job":2})",
      R"({"type":"fail","id":1,"job":2,"reason":"x"})",
      R"({"type":"replace_workers","id":1,"job":2,"epoch":3,"ranks":[4],"placement_wait_us":5})",
      R"({"type":"start_trial","id":1,"job":2,"trial":3,"name":"00001_00003","from":4,"dead_references":true})",
      R"({"type":"stop_trials","id":1,"job":2,"trials":[3],"grace_us":4})",
      R"({"type":"delete_trial_checkpoints","id":1,"job":2,"trial":3,"checkpoints":[4]})",
      R"({"type":"restart_processes","id":1,"job":2,"epoch":3,"env":[{"ranks":[4],"variables":[]}]})",
      R"({"type":"recreate_pods","id":1,"job":2,"epoch":3,"ranks":[4],"placement_wait_us":5,"env":[]})",
      R"({"type":"self_heal","id":1,"job":2,"node":3,"accelerator":4,"code":"ascend:80E01801"})",
      R"({"type":"isolate_node","id":1,"job":2,"node":3})",
      R"({"type":"release_node","id":1,"job":2,"node":3})",
      R"({"type":"notify","id":1,"job":2,"text":"x"})",
  };
  ASSERT_EQ(commands.size(), std::variant_size_v<AnyCommand>);
  for (const auto text : commands) {
    const auto command = command_from_json(json_from_text(text));
    ASSERT_TRUE(std::holds_alternative<Command>(command)) << text;
    EXPECT_EQ(to_line(std::get<Command>(command)), text);
  }
}

TEST(Json, ReadsBatchesAndInventories) {
  const std::string batch = R"({"seq":5,"t_us":7,"events":[{"type":"node_joined","node":4}]})";
  EXPECT_EQ(to_line(std::get<Batch>(batch_from_json(json_from_text(batch)))), batch);
  const std::string poll =
      R"({"seq":5,"t_us":7,"poll":true,"events":[{"type":"workers_stopped","job":0,"epoch":1,)"
      R"("unreachable":[],"error":"","released":["request","processes","placement"]}]})";
  EXPECT_EQ(to_line(std::get<Batch>(batch_from_json(json_from_text(poll)))), poll);
  const std::string inventory = R"({"nodes":[{"pool":"gpu","prefix":"gpu-","first":0,"count":16}],)"
                                R"("jobs":[{"name":"llm","max_workers":8}]})";
  EXPECT_EQ(to_line(std::get<Inventory>(inventory_from_json(json_from_text(inventory)))),
            inventory);
}

TEST(Json, GivesAbsentMembersTheStructsDefault) {
  EXPECT_EQ(line_of_event(R"({"type":"stop_requested"})"),
            R"({"type":"stop_requested","job":0,"nth":1})");
  EXPECT_EQ(line_of_event(R"({"type":"workers_finished","ranks":[4,[0,2],3]})"),
            R"({"type":"workers_finished","job":0,"epoch":0,"ranks":[[0,4]]})");
}

TEST(Json, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases{
      {R"([])", "(whole document): got array; expected an object"},
      {R"({})", "(whole document): no \"type\"; expected an object with a \"type\""},
      {R"({"type":3})", "/type: got 3; expected a string"},
      {R"({"type":"node_joined","node":-1})",
       "/node: got -1; expected an integer from 0 to 4294967295"},
      {R"({"type":"node_joined","node":4294967296})",
       "/node: got 4294967296; expected an integer from 0 to 4294967295"},
      {R"({"type":"node_joined","node":1.0})",
       "/node: got 1.0; expected an integer from 0 to 4294967295"},
      {R"({"type":"preemption_notice","deadline_us":9223372036854775808})",
       "/deadline_us: got 9223372036854775808; expected an integer from 0 to 9223372036854775807"},
      {R"({"type":"preemption_notice","nodes":[1,null]})",
       "/nodes/1: got null; expected an integer from 0 to 4294967295"},
      {R"({"type":"preemption_notice","nodes":1})", "/nodes: got 1; expected an array"},
      {R"({"type":"node_joined","nod":1})",
       "/nod: unknown member \"nod\"; expected one of node, alive, ranks; did you mean \"node\"?"},
      {R"({"type":"node_joined","a/b~":1})",
       "/a~1b~0: unknown member \"a/b~\"; expected one of node, alive, ranks"},
      {R"({"type":"node_unreachable","preempted":0})", "/preempted: got 0; expected true or false"},
      {R"({"type":"workers_finished","ranks":[[3,2]]})",
       "/ranks/0: the last rank is before the first; expected [first, last]"},
      {R"({"type":"workers_finished","ranks":[[3]]})",
       "/ranks/0: got array; expected a rank or [first, last]"},
      {R"({"type":"workers_finished","ranks":[4294967295]})",
       "/ranks/0: got 4294967295; expected ranks up to 4294967294"},
      {R"({"type":"workers_finished","ranks":[[-1,2]]})",
       "/ranks/0/0: got -1; expected an integer from 0 to 4294967295"},
      {R"({"type":"workers_finished","ranks":[[0,"2"]]})",
       "/ranks/0/1: got \"2\"; expected an integer from 0 to 4294967295"},
      {R"({"type":"workers_finished","ranks":[null]})",
       "/ranks/0: got null; expected an integer from 0 to 4294967295"},
      {R"({"type":"workers_finished","ranks":3})",
       "/ranks: got 3; expected an array of ranks and [first, last] pairs"},
      {R"({"type":"controller_error","error":null})", "/error: got null; expected a string"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(line_of_event(text), message);
  }
  EXPECT_NE(line_of_event(R"({"type":"worker_failed"})").find("did you mean \"workers_failed\"?"),
            std::string::npos);
  EXPECT_NE(line_of_event(R"({"type":"workers_failed","kind":"exeption"})").find("\"exception\"?"),
            std::string::npos);
  const std::string far_too_long =
      line_of_event(R"({"type":"node_joined","node":")" + std::string(10'000, 'x') + R"("})");
  EXPECT_NE(far_too_long.find("xxx...; expected an integer"), std::string::npos);
  EXPECT_LT(far_too_long.size(), 200U);
  const auto batch =
      batch_from_json(json_from_text(R"({"events":[{"type":"node_joined","node":"x"}]})"));
  EXPECT_EQ(std::get<Issue>(batch).pointer, "/events/0/node");
}

TEST(Json, ParsesStrictly) {
  const auto message = [](std::string_view text) {
    const auto parsed = parse_json(text);
    const auto* issue = std::get_if<Issue>(&parsed);
    return issue != nullptr ? issue->message : "accepted";
  };
  EXPECT_EQ(message(R"({"a":1,"b":{"a":2}})"), "accepted");
  EXPECT_EQ(message(R"({"a":1,"a":2})"), "the member \"a\" is there twice");
  EXPECT_EQ(message(R"([{"b":{"c":1,"d":2,"c":1}}])"), "the member \"c\" is there twice");
  EXPECT_EQ(message("{\"a\":1"), "not JSON from byte 7 on");
  EXPECT_NE(message(""), "accepted");
  EXPECT_NE(message("{} {}"), "accepted");
  EXPECT_NE(message("\"\xFF\""), "accepted");
  EXPECT_NE(message(std::string(100'000, '[')), "accepted");
}

TEST(Json, WritesAnyBytesAsValidJson) {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) {
    text += static_cast<char>(byte);
  }
  text += "\xE4\xB8\xAD\xF0\x9F\x98\x80\xED\xA0\x80\xC0\x80\xF4\x90\x80\x80\xE4\xB8";
  std::string out;
  append_json_string(out, text);
  const auto parsed = json_or_discarded(out);
  ASSERT_TRUE(parsed.is_string());
  const auto& back = parsed.get_ref<const std::string&>();
  EXPECT_EQ(back.substr(0, 128), text.substr(0, 128));
  EXPECT_NE(back.find("\xE4\xB8\xAD\xF0\x9F\x98\x80\xEF\xBF\xBD"), std::string::npos);
}

}  // namespace
}  // namespace aftershock::policies
