#include "sim/cli/inspect/conform.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "reports/ledger/summary.h"
#include "sim/cli/command.h"
#include "sim/cli/inspect/conform_record.h"
#include "sim/cli/inspect/conform_request.h"
#include "sim/cli/inspect/conform_runs.h"
#include "sim/cli/inspect/conform_text.h"
#include "sim/cli/output_format.h"

namespace aftershock::sim::cli {
namespace {

int conform_policies(const ConformArguments& arguments) {
  auto understanding = understood(arguments);
  if (const int* code = std::get_if<int>(&understanding)) {
    return *code;
  }
  const auto& request = std::get<ConformRequest>(understanding);
  ConformRuns made = run_both(request);
  if (made.code != kOk) {
    return made.code;
  }
  if (!arguments.record.empty() && !write_record(arguments.record, request, made)) {
    return kUnusable;
  }
  ToldComparison told{
      .request = &request,
      .comparison = conform::compare_runs(request.list.cases, made.runs, request.whole),
      .runs = {},
      .fits = {}};
  if (!told.comparison.beyond.empty()) {
    auto fits = try_profiles(request, made, told.comparison.beyond);
    if (!fits) {
      return reports::exit_code(reports::Verdict::kInconclusive);
    }
    told.fits = *std::move(fits);
  }
  told.runs = std::move(made.runs);
  print_unless_quiet(arguments.source, {.text = [&told] { return conform_text(told); },
                                        .markdown = [&told] { return conform_markdown(told); },
                                        .rows = [&told] { return conform_rows(told); },
                                        .json = [&told] { return conform_json(told); }});
  return told.comparison.as_listed() ? kOk : reports::exit_code(reports::Verdict::kWorse);
}

}  // namespace

void add_conform(Command policies, int& exit_code) {
  const auto arguments = std::make_shared<ConformArguments>();
  Command command = policies.add_command(
      "conform", "run a port and the installed code that it follows, and say where they differ");
  command
      .add_option("policy", arguments->words,
                  "NAME[@PROFILE], and scenario files; without these the shipped list of it")
      .required();
  command.add_option("--list", arguments->list,
                     "a file of scenarios, seeds and documented differences, as those beside the "
                     "hosts");
  command.add_option("--seeds", arguments->seeds, "seeds 1 to N of every scenario");
  command.add_option(
      "--sequences", arguments->sequences,
      "N sequences of random faults on the first job of every scenario, as `explore` "
      "draws them");
  command.add_flag("--matrix", arguments->matrix,
                   "the cells of the matrix of every scenario's first job, as `matrix` runs them");
  command.add_option("--record", arguments->record,
                     "keep what the installed code gave, in this folder");
  command.add_option("--recorded", arguments->recorded,
                     "compare with what --record kept in this folder, in the place of the "
                     "installed code");
  add_source_options(command, arguments->source);
  command.add_option("-j,--jobs", arguments->jobs, "worker processes (default: a processor each)");
  add_format(command, arguments->source.format);
  command.add_flag("--quiet", arguments->source.quiet, "print nothing but errors");
  command.callback([arguments, &exit_code] {
    exit_code = in_one_process("policies conform") ? conform_policies(*arguments) : kUnusable;
  });
}

}  // namespace aftershock::sim::cli
