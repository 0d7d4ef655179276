"""The waits of the controller, as watches of the messages."""
from typing import Any

from ray.train.v2._internal import constants
from ray.train.v2._internal.execution.controller.controller import TrainController
from ray.train.v2._internal.execution.controller.state import RunningState

from hosting.messages import Message
from ray_train.clock import Clock, microseconds
from ray_train.scaling import Coordinator
from ray_train.settings import Settings
from ray_train.versions import INSTALLED
from ray_train.waits import Asleep, Blocked
from ray_train.workers import Workers

_SECOND_US = 1_000_000
# States in which nothing but the end of the workers is waited for.
ENDING = ("SHUTTING_DOWN", "FINISHED", "ERRORED")
# The coordinator renews its list of nodes, and a request is sent again, at this beat:
# data/_internal/cluster_autoscaler/default_autoscaling_coordinator.py, TICK_INTERVAL_S.
_COORDINATOR_US = 20 * _SECOND_US


class Watches:
    """Watches of one run. Polls of an attempt are at `anchor_us` and whole intervals behind it."""

    def __init__(self, settings: Settings, clock: Clock, coordinator: Coordinator) -> None:
        self._settings = settings
        self._clock = clock
        self._coordinator = coordinator
        self._interval_us = microseconds(settings.number(
            "RAY_TRAIN_HEALTH_CHECK_INTERVAL_S", constants.DEFAULT_HEALTH_CHECK_INTERVAL_S))
        self._submitted_us = 0
        self._elastic_most = 0
        self.anchor_us: int | None = None
        self._started_us = 0

    def submitted(self, workers: int) -> None:
        """The job asks for so many workers, now."""
        self._submitted_us = self._clock.now_us
        scaling = self._settings.scaling(workers)
        elastic = INSTALLED.has_elastic_groups and scaling.elasticity_enabled
        self._elastic_most = scaling.max_workers if elastic else 0

    def before(self) -> Message:
        """Those of a controller that is still being made."""
        watch: Message = {}
        if self._elastic_most:
            watch["capacity"] = {"anchor_us": self._submitted_us, "workers": self._elastic_most,
                                 "query_period_us": _COORDINATOR_US,
                                 "request_period_us": _COORDINATOR_US}
        return watch

    def of(self, wait: Any, epoch: int, controller: TrainController, workers: Workers) -> Message:
        """Those of a controller that waits for this."""
        if isinstance(wait, Blocked):
            return {"wake_us": wait.until_us}
        if name_of_state(controller) in ENDING:
            return {}
        watch = self.before()
        if isinstance(wait, Asleep):
            self._watch_polls(watch, wait, epoch)
            watch["poll"]["again"] = _polls_again(controller, workers)
            wakes = [self._drain_ends_us(controller)]
            if self._coordinator.possible not in (None, 0, workers.count):
                wakes.append(self.considers_us(controller))
            if known := [at_us for at_us in wakes if at_us is not None]:
                watch["wake_us"] = min(known)
        return watch

    def considers_now(self, controller: TrainController | None) -> bool:
        """Whether an elastic policy considers another size at a poll that is due now."""
        now_us = self._clock.now_us
        return controller is not None and self.considers_us(controller, now_us) == now_us

    def considers_us(self, controller: TrainController, from_us: int | None = None) -> int | None:
        """The next poll at which an elastic policy considers another size: after now, or from
        then on."""
        group = controller.get_worker_group()
        if not self._elastic_most or group is None \
                or not isinstance(controller.get_state(), RunningState):
            return None
        policy: Any = controller._scaling_policy
        last_s = max(group.get_worker_group_state().start_time, policy._latest_monitor_time)
        due_us = microseconds(last_s + policy.scaling_config.elastic_resize_monitor_interval_s)
        return self._tick(due_us, from_us)

    def _watch_polls(self, watch: Message, wait: Asleep, epoch: int) -> None:
        if self.anchor_us is None:
            self.anchor_us = wait.until_us - self._interval_us
            self._started_us = self._clock.now_us
        limit_s = self._settings.number("RAY_TRAIN_WORKER_HEALTH_CHECK_TIMEOUT_S",
                                        constants.DEFAULT_WORKER_HEALTH_CHECK_TIMEOUT_S)
        watch["poll"] = {"epoch": epoch, "anchor_us": self.anchor_us,
                         "period_us": self._interval_us, "answer_wait_us": self._interval_us,
                         "unanswered_limit_us": microseconds(limit_s)}
        if self._settings.watches_drains():
            period_s = self._settings.number("RAY_TRAIN_PREEMPTION_POLL_INTERVAL_S",
                                             constants.DEFAULT_PREEMPTION_POLL_INTERVAL_S)
            watch["drain"] = {"anchor_us": self._started_us, "period_us": microseconds(period_s)}
        if self._settings.raises_hangs():
            period_s = self._settings.number(constants.NCCL_RAS_MIN_POLL_INTERVAL_S_ENV_VAR,
                                             constants.DEFAULT_NCCL_RAS_MIN_POLL_INTERVAL_S)
            after_s = self._settings.number(constants.NCCL_RAS_CONFIRM_DURATION_S_ENV_VAR,
                                            constants.DEFAULT_NCCL_RAS_CONFIRM_DURATION_S)
            watch["hang"] = {"anchor_us": self._started_us, "period_us": microseconds(period_s),
                             "after_us": microseconds(after_s)}

    def last_poll_us(self) -> int | None:
        """The last poll before now, also where it showed nothing and was not played."""
        if self.anchor_us is None:
            return None
        behind = max(0, self._clock.now_us - 1 - self.anchor_us)
        return self.anchor_us + behind // self._interval_us * self._interval_us

    def began_us(self, at_us: int) -> int:
        """When the poll began that shows something now: one that waits for an answer is longer."""
        if self.anchor_us is None or at_us < self.anchor_us:
            return at_us
        return at_us - (at_us - self.anchor_us) % self._interval_us

    def _tick(self, at_us: int, from_us: int | None = None) -> int:
        """The first poll at or behind `at_us`, after now, or from then on."""
        assert self.anchor_us is not None
        earliest_us = self._clock.now_us + 1 if from_us is None else from_us
        ahead = max(at_us, earliest_us) - self.anchor_us
        return self.anchor_us + -(-ahead // self._interval_us) * self._interval_us

    def _drain_ends_us(self, controller: TrainController) -> int | None:
        state = controller.get_state()
        if name_of_state(controller) != "PREEMPTING":
            return None
        deadline_ms: float | None = state.preemption_info.deadline_ms
        if deadline_ms is None:
            deadline_ms = (state.detected_at_s + constants.DEFAULT_PREEMPTION_DEADLINE_S) * 1000
        grace_ms = self._settings.failure().preemption_grace_s * 1000
        return self._tick(round((deadline_ms + grace_ms) * 1000))


def name_of_state(controller: TrainController) -> str:
    """The name of the state that the controller is in."""
    name: str = controller.get_state()._state_type.state_name
    return name


def _polls_again(controller: TrainController, workers: Workers) -> bool:
    """Whether the next poll does something although nothing new happens."""
    complete = INSTALLED.has_complete_report(controller)
    if workers.has_reports() or complete or workers.all_stopped() or workers.hung:
        return True
    if isinstance(controller.get_state(), RunningState):
        return workers.has_failed() or workers.notice is not None
    return workers.has_failed() and not workers.preempted()
