#include "gui/theme/shown_text.h"
#include "gui/timeline/timeline.h"
#include "gui/why/verdict.h"

namespace aftershock::gui {

void Timeline::find_ends() {
  ends_.clear();
  if (scene() == nullptr) {
    return;
  }
  for (const Verdict& verdict : session_->verdicts()) {
    const auto lane = key_of(scene()->directory(), session_->trace().entities[verdict.entity]);
    if (lane && verdict.end_us) {
      const QString sign = verdict.failed() ? QStringLiteral("✗ ") : QStringLiteral("✓ ");
      const QString reason =
          verdict.reason.empty() ? QString() : QStringLiteral(": ") + shown_text(verdict.reason);
      ends_.push_back(
          {*lane, *verdict.end_us, verdict.failed(), sign + shown_text(verdict.outcome) + reason});
    }
  }
}

}  // namespace aftershock::gui
