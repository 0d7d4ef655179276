#include "sim/advise/objective_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/advise/cell_runs.h"

namespace aftershock::sim {

bool has_own_column(const Term& term) {
  constexpr std::array<std::string_view, 4> kMeans{"useful_share", "ettr", "lost_us", "cost"};
  return term.kind == Term::Kind::kProbability
             ? term.name == "exhausted"
             : is_mean(term.statistic) &&
                   std::ranges::find(kMeans, std::string_view(term.name)) != kMeans.end();
}

}  // namespace aftershock::sim
