"""Hooks of the controller that may fail, as the simulator tells."""
from collections.abc import Callable
from typing import Any

from ray.train.v2._internal.execution.callback import (
    ControllerCallback,
    WorkerGroupCallback,
)
from ray.train.v2._internal.execution.controller.state import TrainControllerState
from ray.train.v2._internal.execution.worker_group import (
    WorkerGroup,
    WorkerGroupContext,
)

from ray_train.cluster import Cluster
from ray_train.versions import INSTALLED
from ray_train.waits import Sizing
from ray_train.workers import Workers


class Hooks(WorkerGroupCallback, ControllerCallback):
    """Stands where the backend's set-up, the detector of hung collectives and a user's hooks are,
    which may fail. The host starts a group in the first hook of a start."""

    def __init__(self, cluster: Cluster, pending: list[Exception],
                 workers: Callable[[], Workers], start_limit_s: float) -> None:
        self._cluster = cluster
        self._pending = pending
        self._workers = workers
        self._start_limit_s = start_limit_s
        self._raises: Exception | None = None  # the next hook

    def wait(self, what: Any, baton_wait: Callable[[Any], Any]) -> Any:
        """Waits for this, and raises an error that is the answer. While nodes are waited for the
        controller calls nothing of a user's but the hook of its state, which raises it then."""
        if self._raises is not None and isinstance(what, Sizing):
            return None
        answer = baton_wait(what)
        if not isinstance(answer, Exception):
            return answer
        if not isinstance(what, Sizing):
            raise answer
        self._raises = answer
        return None

    def after_controller_state_update(self, previous_state: TrainControllerState,
                                      current_state: TrainControllerState) -> None:
        """Raises what a wait for nodes was answered by."""
        raised, self._raises = self._raises, None
        if raised is not None:
            raise raised

    def before_worker_group_start(self, worker_group_context: WorkerGroupContext) -> None:
        self._cluster.begin(worker_group_context.num_workers, self._start_limit_s)

    def after_worker_group_poll_status(self, worker_group_status: Any) -> None:
        if self._workers().hung:
            self._workers().hung = False
            raise INSTALLED.hang()

    def after_worker_group_start(self, worker_group: WorkerGroup) -> None:
        self._cluster.fail_backend()

    def _shut_down(self) -> None:
        self._cluster.give_back()
        if self._pending:
            raise self._pending.pop(0)

    before_controller_shutdown = INSTALLED.shutdown_hook(_shut_down)
