#include "policies/parts/key_changes.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace aftershock::policies {
namespace {

/// The keys of `from` that are not in `other`, quoted, behind `word`.
std::string only_in(const std::vector<std::string>& from, const std::vector<std::string>& other,
                    std::string_view word) {
  std::vector<std::string> keys;
  std::ranges::set_difference(from, other, std::back_inserter(keys));
  std::string out;
  for (const std::string& key : keys) {
    out += out.empty() ? std::string(word) + " \"" : ", \"";
    out += key + '"';
  }
  return out;
}

}  // namespace

std::string key_changes(const std::vector<std::string>& before,
                        const std::vector<std::string>& now) {
  std::string out = only_in(before, now, "missing");
  const std::string added = only_in(now, before, "new");
  if (!out.empty() && !added.empty()) {
    out += "; ";
  }
  return out + added;
}

}  // namespace aftershock::policies
