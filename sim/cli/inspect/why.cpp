#include "reports/render/why.h"

#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/commands.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::cli {

void add_why(Command app, int& exit_code) {
  Command command = app.add_command("why", "tell from a recording which charges a job died of");
  struct Arguments {
    std::string path;
    std::string job;
  };
  const auto arguments = std::make_shared<Arguments>();
  command
      .add_option("recording", arguments->path,
                  "file that `run --record` wrote; - is standard input")
      .required();
  command.add_option("--job", arguments->job, "only this job or experiment");
  command.callback([arguments, &exit_code] {
    const std::string path = readable_path(arguments->path);
    reports::WhyResult result =
        reports::why(path, {.style = output_style(), .job = arguments->job});
    if (!result.problem.empty()) {
      if (const std::size_t at = result.problem.find(path); at != std::string::npos) {
        result.problem.replace(at, path.size(), scenario::file_title(arguments->path));
      }
      complain(result.problem);
      exit_code = kUnusable;
      return;
    }
    print(result.text);
  });
}

}  // namespace aftershock::sim::cli
