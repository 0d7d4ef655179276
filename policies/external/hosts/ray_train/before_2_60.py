"""Parts that Ray 2.43 and 2.49 have in common, and 2.60 otherwise."""
from collections.abc import Callable
from typing import Any

from ray.train._internal.session import _TrainingResult
from ray.train.v2._internal import constants, util
from ray.train.v2._internal.execution.worker_group import state, worker_group
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus

from hosting.doubles import put
from ray_train.version import ActorClass, Version


class Before(Version):
    """A group that reports what it has itself: no replicas, notices, or further fields."""

    barrier = (constants.REPORT_BARRIER_TIMEOUT_S_ENV_VAR,
               constants.DEFAULT_REPORT_BARRIER_TIMEOUT_S)

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        group: type = worker_group.WorkerGroup
        return group

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            remove_placement_group=cluster.remove_placement_group,
            SynchronizationActor=sync_actor)
        put(util, ray=cluster)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill,
            remove_placement_group=cluster.remove_placement_group)

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_result=report)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingResult(checkpoint=checkpoint, metrics=metrics)
