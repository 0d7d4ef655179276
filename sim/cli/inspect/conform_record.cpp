#include "sim/cli/inspect/conform_record.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "reports/baseline/baseline.h"
#include "reports/recording/hash.h"
#include "sim/cli/command.h"
#include "sim/hosts/hosts.h"

namespace aftershock::sim::cli {
namespace {

namespace fs = std::filesystem;

fs::path record_path(const fs::path& folder, const std::string& name) {
  return folder / (name + ".ndjson");
}

/// The sources in a folder and below it, sorted; no pages, nor what an interpreter leaves there.
std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error)) {
    if (file->is_regular_file(error) && file->path().extension() != ".pyc" &&
        file->path().extension() != ".md") {
      found.push_back(file->path());
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

std::string host_digest(const std::string& name) {
  fs::path programs = hosts::programs_folder();
  const hosts::Family* host = hosts::find_host(name);
  std::vector<std::string> folders{name, "hosting"};
  if (!programs.empty() && host != nullptr && host->language == hosts::Language::kGo) {
    programs /= host->environment;
    folders = {"."};  // hosts of one module share its rooms
  }
  std::error_code ignored;
  if (programs.empty() || !fs::is_directory(programs / name, ignored)) {
    return {};
  }
  reports::RollingHash hash;
  for (const std::string& folder : folders) {
    for (const fs::path& file : sources_in(programs / folder)) {
      std::ifstream in(file, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      hash.add(file.lexically_relative(programs).native());
      hash.add(bytes);
    }
  }
  return fmt::format("{:016x}", hash.value());
}

std::optional<conform::Record> recorded_runs(const std::string& folder, const std::string& name) {
  const std::string path = record_path(folder, name).string();
  std::string text;
  if (!read_text_file(path, text)) {
    return std::nullopt;
  }
  auto read = conform::read_record(text);
  if (const auto* problem = std::get_if<std::string>(&read)) {
    complain(fmt::format("{}: {}", path, *problem));
    return std::nullopt;
  }
  auto& record = std::get<conform::Record>(read);
  if (record.policy != name) {
    complain(fmt::format("{}: is of {}, and {} is compared", path,
                         scenario::in_quotes(record.policy), scenario::in_quotes(name)));
    return std::nullopt;
  }
  const std::string host = host_digest(name);
  if (!record.host.empty() && !host.empty() && record.host != host) {
    complain(
        fmt::format("warning: {}: is older than the host that is here; `aftershock policies "
                    "conform {} --record {}` records it anew",
                    path, name, folder));
  }
  return std::move(record);
}

bool write_record(const std::string& folder, const ConformRequest& request,
                  const ConformRuns& made) {
  conform::Record record{.policy = request.list.policy,
                         .installed = request.installed_title,
                         .host = request.hosted ? host_digest(request.list.policy) : "",
                         .runs = {}};
  for (std::size_t i = 0; i < made.runs.size(); ++i) {
    const conform::ComparedRun& run = made.runs[i];
    record.runs.push_back({.scenario = request.list.cases[run.of].scenario,
                           .seed = run.seed,
                           .digest = made.digests[i],
                           .view = made.installed[i]});
  }
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path = record_path(folder, request.list.policy).string();
  if (const auto problem = reports::write_whole(path, conform::record_text(record))) {
    complain(*problem);
    return false;
  }
  return true;
}

}  // namespace aftershock::sim::cli
