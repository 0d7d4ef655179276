#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policies/api/boxed.h"
#include "policies/api/issue.h"
#include "policies/api/pod_terms.h"
#include "policies/api/policy.h"
#include "policies/api/view.h"

namespace aftershock::policies {

/// Something wrong or odd in a policy's configuration. `pointer` is "/config/NAME", "/env/NAME",
/// "/profile" or "/name".
using ConfigIssue = Issue;

/// The request that a policy is built from. `profile` empty: the family's default.
struct PolicyRequest {
  std::string name{};
  std::string profile{};
  Boxed<nlohmann::json> config = empty_object();
  std::map<std::string, std::string> env;  ///< the job's environment; it wins over `config`
  std::uint64_t seed = 0;                  ///< of a run, for what the policy draws
};

/// A kind of manifest, such as "batch" and "Job".
struct ManifestKind {
  std::string_view group;
  std::string_view kind;
};

/// The number of pods that a configuration speaks of. The job has as many, or it contradicts them.
struct SaidPods {
  /// A number that the job's pods may not pass; 0: none.
  struct Bound {
    std::uint32_t pods = 0;
    std::string pointer{};
  };
  std::uint64_t pods = 0;        ///< a sum; 0: not said
  std::uint32_t ranks_each = 0;  ///< 0: not said
  std::string pointer{};
  Bound least{};
  Bound most{};
};

/// A policy whose configuration was accepted.
struct ConfiguredPolicy {
  std::unique_ptr<Policy> policy;
  std::vector<ConfigIssue> warnings{};  ///< accepted, but not what it may look like
  PodTerms terms{};                     ///< of a policy of pods
  std::optional<SaidPods> pods{};       ///< none: it leaves that to the job
  /// Parts of a document that is pasted whole which nothing reads. They say nothing there; one that
  /// somebody sets by itself was meant to change something.
  std::vector<ConfigIssue> unread{};
};

/// Either the policy, or everything that is wrong with the request (never empty then).
using MakeResult = std::variant<ConfiguredPolicy, std::vector<ConfigIssue>>;

/// A maker of policies in place of the library, e.g. from processes.
class PolicySource {
 public:
  virtual ~PolicySource() = default;

  /// The setting that a policy is told before its first batch.
  struct Setting {
    Inventory inventory;
    std::uint64_t seed = 0;  ///< for what it wants to draw
  };
  /// Makes one. `setting` empty: it is only asked whether it takes the request, and what it is.
  virtual MakeResult make(const PolicyRequest& request, const std::optional<Setting>& setting) = 0;
  /// Where they come from, e.g. "python3 mine.py".
  [[nodiscard]] virtual std::string title() const = 0;

 protected:
  PolicySource() = default;
  PolicySource(const PolicySource&) = default;
  PolicySource& operator=(const PolicySource&) = default;
};

/// The nearest of `known` to `word` by edit distance, empty when none is near enough to be meant.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> known);

}  // namespace aftershock::policies
