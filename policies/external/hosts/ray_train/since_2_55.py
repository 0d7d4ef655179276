"""Parts that Ray 2.55 and 2.60 have in common: coroutines, reports, handles of reservations."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train import DataConfig
from ray.train.v2._internal import exceptions
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.training_report import _TrainingReport
from ray.train.v2._internal.execution.worker_group import (
    execution_group,
    placement_group_handle,
    state,
    worker_group,
)
from ray.train.v2.api.exceptions import ControllerError, WorkerGroupError

from hosting.doubles import put
from ray_train.version import ActorClass, Sleep, Version, in_loop


class Since(Version):
    """A controller that is a coroutine, as its last hooks are."""

    budgets = {"max_failures": "_worker_group_failures",
               "controller_failure_limit": "_controller_failures"}
    retry = FailureDecision.RETRY
    has_elastic_groups = True
    barrier = ("RAY_TRAIN_COLLECTIVE_TIMEOUT_S", None)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, dataset_config=DataConfig())

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, asyncio=SimpleNamespace(sleep=in_loop(sleep, abort)))

    def shutdown_hook(self, hook: Callable[[Any], None]) -> Callable[[Any], Any]:
        async def before_controller_shutdown(callback: Any) -> None:
            hook(callback)

        return before_controller_shutdown

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            SynchronizationActor=sync_actor,
            ray_state=SimpleNamespace(get_max_resources_from_cluster_config=lambda: (
                {"GPU": max_workers} if max_workers else {})))
        put(execution_group, ray=cluster)
        put(placement_group_handle, remove_placement_group=cluster.remove_placement_group)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingReport(checkpoint=checkpoint, metrics=metrics, validation=False)

    def infeasible(self) -> Exception:
        error: Exception = exceptions.InsufficientClusterResourcesError("infeasible")
        return error

    def workers_error(self) -> Exception | None:
        error: Exception = WorkerGroupError("told by the simulator", worker_failures={})
        return error

    def controller_failure(self, error: Any) -> Exception | None:
        return error.controller_failure if isinstance(error, ControllerError) else None
