"""Parts that Ray 2.55 and 2.60 have in common: reports, handles of reservations, last hooks."""
from collections.abc import Callable
from typing import Any

from ray.train import DataConfig
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.training_report import _TrainingReport
from ray.train.v2._internal.execution.worker_group import (
    execution_group,
    placement_group_handle,
    state,
    worker_group,
)

from hosting.doubles import put
from ray_train.since_2_49 import Budgeted
from ray_train.version import ActorClass


class Since(Budgeted):
    """A controller that is a coroutine, as its last hooks are."""

    has_elastic_groups = True
    barrier = ("RAY_TRAIN_COLLECTIVE_TIMEOUT_S", None)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, dataset_config=DataConfig())

    def shutdown_hook(self, hook: Callable[[Any], None]) -> Callable[[Any], Any]:
        async def before_controller_shutdown(callback: Any) -> None:
            hook(callback)

        return before_controller_shutdown

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            SynchronizationActor=sync_actor)
        self.put_maximum(max_workers)
        put(execution_group, ray=cluster)
        put(placement_group_handle, remove_placement_group=cluster.remove_placement_group)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingReport(checkpoint=checkpoint, metrics=metrics, validation=False)
