#include "sim/engine/isolate.h"

#include <utility>

#include "sim/engine/sharing.h"
#include "sim/processes/file.h"
#include "sim/processes/process.h"
#include "sim/processes/process_end.h"

namespace aftershock::sim::engine {

std::optional<std::string> run_isolated(const std::function<std::string()>& work) {
  load_sharing();
  auto pipe = processes::make_pipe();
  if (!pipe) {
    return std::nullopt;
  }
  const pid_t child = processes::start_process({}, [&] {
    pipe->read.close();
    return processes::write_all(pipe->write, work()) ? 0 : 1;
  });
  if (child < 0) {
    return std::nullopt;
  }
  pipe->write.close();
  std::string bytes = processes::read_all(pipe->read);
  pipe->read.close();
  return processes::wait_for(child) == processes::ProcessEnd{} ? std::optional(std::move(bytes))
                                                               : std::nullopt;
}

}  // namespace aftershock::sim::engine
