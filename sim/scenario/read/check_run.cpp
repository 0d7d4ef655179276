#include "sim/scenario/read/check_run.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "sim/scenario/keys/keys.h"

namespace aftershock::sim::scenario {
namespace {

/// The storage that a custom file system or a protocol reaches.
enum class Reaches : std::uint8_t { kObjects, kFiles };

struct FileSystem {
  std::string_view name;
  Reaches reaches;
};

/// Of pyarrow and of fsspec, the two that Ray takes (guides, persistent storage).
constexpr std::array<FileSystem, 8> kFileSystems{
    {{"pyarrow.fs.S3FileSystem", Reaches::kObjects},
     {"pyarrow.fs.GcsFileSystem", Reaches::kObjects},
     {"pyarrow.fs.AzureFileSystem", Reaches::kObjects},
     {"pyarrow.fs.LocalFileSystem", Reaches::kFiles},
     {"s3fs.S3FileSystem", Reaches::kObjects},
     {"gcsfs.GCSFileSystem", Reaches::kObjects},
     {"adlfs.AzureBlobFileSystem", Reaches::kObjects},
     {"fsspec.implementations.local.LocalFileSystem", Reaches::kFiles}}};

constexpr std::array<FileSystem, 9> kProtocols{{{"s3", Reaches::kObjects},
                                                {"gs", Reaches::kObjects},
                                                {"gcs", Reaches::kObjects},
                                                {"abfs", Reaches::kObjects},
                                                {"abfss", Reaches::kObjects},
                                                {"az", Reaches::kObjects},
                                                {"oss", Reaches::kObjects},
                                                {"obs", Reaches::kObjects},
                                                {"file", Reaches::kFiles}}};

template <std::size_t kCount>
std::optional<Reaches> reach_of(const std::array<FileSystem, kCount>& known,
                                std::string_view name) {
  const auto found = std::ranges::find(known, name, &FileSystem::name);
  return found == known.end() ? std::nullopt : std::optional(found->reaches);
}

std::string_view word_of(StorageKind kind) {
  constexpr std::array<std::string_view, 3> kWords{"object", "nfs", "local"};
  return kWords[static_cast<std::size_t>(kind)];
}

bool fits(Reaches reaches, StorageKind kind) {
  return (reaches == Reaches::kObjects) == (kind == StorageKind::kObject);
}

/// pyarrow's calls it endpoint_override, those of fsspec endpoint_url.
void check_endpoint(const Fields& filesystem, std::string_view name, ErrorList& errors) {
  const bool pyarrow = name.starts_with("pyarrow.");
  const bool fsspec = name.starts_with("s3fs.") || name.starts_with("fsspec.") ||
                      name.starts_with("gcsfs.") || name.starts_with("adlfs.");
  if (fsspec && filesystem.has("endpoint_override")) {
    errors.warn(*filesystem.written("endpoint_override"),
                fmt::format("is pyarrow's spelling, which {} does not know: endpoint_url", name));
  }
  if (pyarrow && filesystem.has("endpoint_url")) {
    errors.warn(
        *filesystem.written("endpoint_url"),
        fmt::format("is fsspec's spelling, which {} does not know: endpoint_override", name));
  }
}

std::string_view thing(Reaches reaches) {
  return reaches == Reaches::kObjects ? "an object store" : "files";
}

/// A job or an experiment as one that writes into a run's folder.
struct Writer {
  const std::string* name = nullptr;
  const RunSpec* run = nullptr;
  std::int64_t submit_us = 0;
  std::optional<std::int64_t> least_us{};  ///< the time that it takes with nothing that holds it up
};

bool may_live_at(const Writer& writer, std::int64_t at_us) {
  return writer.submit_us <= at_us &&
         (!writer.least_us || *writer.least_us > at_us - writer.submit_us);
}

bool under_one_name(const Writer& left, const Writer& right) {
  const auto path = [](const Writer& writer) {
    std::string_view text = writer.run->storage_path;
    while (text.ends_with('/')) text.remove_suffix(1);
    return text;
  };
  return left.run->name == right.run->name && path(left) == path(right);
}

/// `what` they are; `list` is what they were read from.
void check_names(std::string_view what, const LocatedValue& list,
                 const std::vector<Writer>& writers, ErrorList& errors) {
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const Writer& writer = writers[i];
    const std::string& name = writer.run->name;
    if (name.empty() || name.find("{uuid}") != std::string::npos) continue;
    const auto end = writers.begin() + static_cast<std::ptrdiff_t>(i);
    const auto other = std::find_if(writers.begin(), end, [&](const Writer& earlier) {
      const std::int64_t both_us = std::max(earlier.submit_us, writer.submit_us);
      return under_one_name(earlier, writer) && may_live_at(earlier, both_us) &&
             may_live_at(writer, both_us);
    });
    if (other == end) continue;
    const LocatedValue& written = std::get<LocatedValue::List>(list.data)[i];
    errors.warn(*written.find("run")->find("name"),
                fmt::format("{} {} runs under the same path and name at the same time: each "
                            "overwrites what the other has stored",
                            what, in_quotes(*other->name)));
  }
}

}  // namespace

void check_run(const Fields& run, const RunSpec& spec, const ClusterSpec& cluster,
               ErrorList& errors) {
  const StorageSpec* storage = spec.storage ? &cluster.storage[*spec.storage] : nullptr;
  if (const LocatedValue* written = run.written("filesystem")) {
    const Fields filesystem(keys::filesystem(), *written);
    const std::string name = filesystem.text("class");
    check_endpoint(filesystem, name, errors);
    const auto reaches = reach_of(kFileSystems, name);
    if (storage != nullptr && reaches && !fits(*reaches, storage->kind)) {
      errors.warn(*filesystem.written("class"),
                  fmt::format("reaches {}, and storage {} is of kind {}", thing(*reaches),
                              in_quotes(storage->name), word_of(storage->kind)));
    }
    return;
  }
  if (storage == nullptr || spec.storage_path.empty()) return;
  const auto end = spec.storage_path.find("://");
  if (end != std::string::npos) {
    const auto reaches = reach_of(kProtocols, std::string_view(spec.storage_path).substr(0, end));
    if (reaches && !fits(*reaches, storage->kind)) {
      errors.warn(run.blame("storage_path"),
                  fmt::format("{}:// is a path of {}, and storage {} is of kind {}",
                              spec.storage_path.substr(0, end), thing(*reaches),
                              in_quotes(storage->name), word_of(storage->kind)));
    }
  } else if (storage->kind == StorageKind::kObject) {
    errors.warn(run.blame("storage_path"),
                fmt::format("without a protocol it is a path of files, and storage {} is of kind "
                            "object: such as s3://bucket, or a filesystem beside it",
                            in_quotes(storage->name)));
  }
}

// Lengths that nobody lives to see are refused elsewhere; here they are only not to wrap.
std::int64_t no_overflow(std::int64_t count, std::int64_t each_us) {
  constexpr std::int64_t kLongest = std::int64_t{1} << 60U;
  return each_us > 0 && count > kLongest / each_us ? kLongest : count * each_us;
}

void check_run_names(const LocatedValue& list, const std::vector<JobSpec>& jobs,
                     ErrorList& errors) {
  std::vector<Writer> writers;
  writers.reserve(jobs.size());
  for (const JobSpec& job : jobs) {
    std::optional<std::int64_t> least_us;
    if (job.steps) least_us = no_overflow(*job.steps - job.initial_steps, job.step_us);
    writers.push_back({&job.name, &job.run, job.submit_us, least_us});
  }
  check_names("job", list, writers, errors);
}

void check_run_names(const LocatedValue& list, const std::vector<ExperimentSpec>& experiments,
                     ErrorList& errors) {
  std::vector<Writer> writers;
  writers.reserve(experiments.size());
  for (const ExperimentSpec& experiment : experiments) {
    // All trials at once, and a random step may be as short as it likes.
    std::int64_t step_us = experiment.step.min_us.value_or(0);
    if (const auto* fixed = std::get_if<Distribution::Constant>(&experiment.step.shape)) {
      step_us = fixed->value_us;
    }
    const std::int64_t steps = experiment.steps - experiment.initial_steps;
    writers.push_back({&experiment.name, &experiment.run, experiment.submit_us,
                       std::max<std::int64_t>(no_overflow(steps, step_us), 1)});
  }
  check_names("experiment", list, writers, errors);
}

}  // namespace aftershock::sim::scenario
