"""Hooks of the controller that may fail, as the simulator tells."""
from collections.abc import Callable
from typing import Any

from ray.train.v2._internal.execution.callback import (
    ControllerCallback,
    WorkerGroupCallback,
)
from ray.train.v2._internal.execution.worker_group import (
    WorkerGroup,
    WorkerGroupContext,
)

from ray_train.cluster import Cluster
from ray_train.versions import INSTALLED
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
