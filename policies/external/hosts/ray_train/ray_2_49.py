"""Ray 2.49: a budget for failed starts, a check of the cluster's maximum, an abort."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train import DataConfig
from ray.train._internal.session import _TrainingResult
from ray.train.v2._internal import constants, exceptions, util
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.worker_group import state, worker_group
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus
from ray.train.v2.api.exceptions import ControllerError, WorkerGroupError

from hosting.doubles import put
from ray_train.version import ActorClass, Sleep, Version, in_loop


class Installed(Version):
    """Ray 2.49."""

    budgets = {"max_failures": "_worker_group_failures",
               "controller_failure_limit": "_controller_failures"}
    retry = FailureDecision.RETRY
    barrier = (constants.REPORT_BARRIER_TIMEOUT_S_ENV_VAR,
               constants.DEFAULT_REPORT_BARRIER_TIMEOUT_S)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, datasets={}, dataset_config=DataConfig())

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, asyncio=SimpleNamespace(sleep=in_loop(sleep, abort)))

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        group: type = worker_group.WorkerGroup
        return group

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            remove_placement_group=cluster.remove_placement_group,
            SynchronizationActor=sync_actor,
            ray_state=SimpleNamespace(get_max_resources_from_cluster_config=lambda: (
                {"GPU": max_workers} if max_workers else {})))
        put(util, ray=cluster)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill,
            remove_placement_group=cluster.remove_placement_group)

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_result=report)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingResult(checkpoint=checkpoint, metrics=metrics)

    def infeasible(self) -> Exception:
        error: Exception = exceptions.InsufficientClusterResourcesError("infeasible")
        return error

    def workers_error(self) -> Exception | None:
        error: Exception = WorkerGroupError("told by the simulator", worker_failures={})
        return error

    def controller_failure(self, error: Any) -> Exception | None:
        return error.controller_failure if isinstance(error, ControllerError) else None
