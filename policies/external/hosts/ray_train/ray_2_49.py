"""Ray 2.49: a budget for failed starts, a check of the cluster's maximum, an abort."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train import DataConfig
from ray.train.v2._internal import exceptions
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.worker_group import worker_group
from ray.train.v2.api.exceptions import ControllerError, WorkerGroupError

from hosting.doubles import put
from ray_train.before_2_60 import Before
from ray_train.version import ActorClass, Sleep, in_loop


class Installed(Before):
    """Ray 2.49."""

    budgets = {"max_failures": "_worker_group_failures",
               "controller_failure_limit": "_controller_failures"}
    retry = FailureDecision.RETRY

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, datasets={}, dataset_config=DataConfig())

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, asyncio=SimpleNamespace(sleep=in_loop(sleep, abort)))

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        super().patch(cluster, sync_actor, max_workers)
        put(worker_group, ray_state=SimpleNamespace(get_max_resources_from_cluster_config=lambda: (
            {"GPU": max_workers} if max_workers else {})))

    def infeasible(self) -> Exception:
        error: Exception = exceptions.InsufficientClusterResourcesError("infeasible")
        return error

    def workers_error(self) -> Exception | None:
        error: Exception = WorkerGroupError("told by the simulator", worker_failures={})
        return error

    def controller_failure(self, error: Any) -> Exception | None:
        return error.controller_failure if isinstance(error, ControllerError) else None
