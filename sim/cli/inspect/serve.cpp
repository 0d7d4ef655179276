#include "sim/cli/inspect/serve.h"

#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "policies/external/messages.h"
#include "policies/external/server.h"
#include "policies/registry.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {
namespace {

/// `name`: decides whatever the world names; empty: what the world names decides.
int serve(const std::string& name, const std::string& protocol) {
  if (!policies::wire::minor_of(protocol)) {
    complain(fmt::format("--protocol {}: expected {} or {}", scenario::in_quotes(protocol),
                         policies::wire::kProtocol, policies::wire::kNewestProtocol));
    return kUnusable;
  }
  policies::Server server(
      "aftershock",
      [&name](policies::PolicyRequest request) {
        if (!name.empty()) {
          request.name = name.substr(0, name.find('@'));
          request.profile =
              name.find('@') == std::string::npos ? "" : name.substr(name.find('@') + 1);
        }
        return policies::make_policy(request);
      },
      protocol);
  for (std::string line; !server.over() && std::getline(std::cin, line);) {
    std::string answer(server.answer(line));
    answer += '\n';
    print_bytes(answer);
    if (!flush_output()) {
      return kUnusable;
    }
  }
  return kOk;
}

}  // namespace

void add_serve(Command policies, int& exit_code) {
  Command command = policies.add_command(
      "serve", "be a policy's process for --policy-cmd: answer messages on standard input");
  const auto name = std::make_shared<std::string>();
  command.add_option("policy", *name, "NAME[@PROFILE], whatever is asked for (default: that)");
  const auto protocol = std::make_shared<std::string>(policies::wire::kProtocol);
  command.add_option("--protocol", *protocol, "the messages' version: 1.0 (default) or 1.1");
  command.callback([name, protocol, &exit_code] { exit_code = serve(*name, *protocol); });
}

}  // namespace aftershock::sim::cli
