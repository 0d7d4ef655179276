#include "policies/modelarts/config.h"

namespace aftershock::policies::modelarts {

const std::array<ReadingOption, 20>& reading_options() {
  static constexpr std::array<ReadingOption, 20> kOptions{{
      {"chip_window", "sliding", "strict_run", R"("sliding" or "strict_run")",
       "A1: any three faults of one code on one chip within 24 h, or three with no other fault of "
       "that chip between them",
       &Readings::strict_run},
      {"third_fault", "degrade", "heal_first", R"("degrade" or "heal_first")",
       "A2: the third fault isolates at once, or only when it cannot be healed",
       &Readings::heal_third_fault},
      {"chip_history", "job", "schedule", R"("job" or "schedule")",
       "A3: faults are counted over the job's life, or anew after each rescheduling",
       &Readings::history_per_schedule},
      {"count_after_degrade", "cleared", "kept", R"("cleared" or "kept")",
       "A4: the count begins anew after it has isolated a node, or every further fault in 24 h "
       "does so too",
       &Readings::count_kept},
      {"user_fault_reschedule", "own", "unconditional", R"("own" or "unconditional")",
       "A5: rescheduling for a fault that users cause is a thing of its own, or unconditional "
       "rescheduling with its switch and limit",
       &Readings::user_as_unconditional},
      {"user_faults", "listed", "extended", R"("listed" or "extended")",
       "A6: users cause 80C98002 and 80CB8002, or 80C98003 too, and any code that hits two chips "
       "of the job within 30 s",
       &Readings::user_faults_extended},
      {"same_problem", "any_exit", "same_exit", R"("any_exit" or "same_exit")",
       "A7: any exit counts towards three in a row, or only exits that look the same",
       &Readings::same_exit_only},
      {"unconditional_reset", "hardware_fault", "progress", R"("hardware_fault" or "progress")",
       "A8: three in a row are interrupted by a hardware fault, or by a new checkpoint as well",
       &Readings::progress_resets},
      {"hang_limit", "three_restarts", "third_hang", R"("three_restarts" or "third_hang")",
       "A10: the fourth hang in a row ends the job, or the third", &Readings::third_hang_ends},
      {"hang_reset", "recovery_or_progress", "never", R"("recovery_or_progress" or "never")",
       "A11: another recovery or a new checkpoint interrupts hangs in a row, or nothing does",
       &Readings::hangs_never_reset},
      {"pod_budget", "own", "both", R"("own" or "both")",
       "A12: pod rescheduling spends pod-retry-num, or job-retry-num as well",
       &Readings::pod_spends_both},
      {"schedule_count", "pod", "job", R"("pod" or "job")",
       "A13: MA_SCHEDULE_CNT grows in the pods that are made anew, or in all",
       &Readings::schedule_counts_job},
      {"survivors_start_count", "counted", "reset", R"("counted" or "reset")",
       "A14: MA_PROC_START_CNT of pods that pod rescheduling keeps goes on, or is 1 again",
       &Readings::survivors_reset},
      {"second_fault", "fails", "joins", R"("fails" or "joins")",
       "A16: another node at fault makes pod rescheduling fail, or its pod is made anew, too",
       &Readings::second_fault_joins},
      {"failed_pod_recovery", "always", "flag", R"("always" or "flag")",
       "A17: pod rescheduling that fails becomes unconditional rescheduling, or only where that is "
       "switched on",
       &Readings::failed_pod_needs_flag},
      {"pod_retry_unit", "action", "pod", R"("action" or "pod")",
       "A18: pods that are made anew together cost one of pod-retry-num, or one each",
       &Readings::unit_per_pod},
      {"no_pod_retry", "isolated", "unconditional", R"("isolated" or "unconditional")",
       "A19: without pod-retry-num left the job is rescheduled with isolation, or without",
       &Readings::no_pod_retry_keeps_node},
      {"isolation", "until_repaired", "48h_without_fault",
       R"("until_repaired" or "48h_without_fault")",
       "A26: a node stays isolated until it is repaired, or for 48 h",
       &Readings::released_after_48h},
      {"hang_at_start", "restart", "ignore", R"("restart" or "ignore")",
       "A30: a hang before the first checkpoint of an attempt is one like any other, or ignored",
       &Readings::start_hangs_ignored},
      {"unhealed_user_fault", "isolate", "reschedule", R"("isolate" or "reschedule")",
       "A32: a chip that does not heal is isolated whatever caused it, or not where users did",
       &Readings::unhealed_user_kept},
  }};
  return kOptions;
}

}  // namespace aftershock::policies::modelarts
