"""Parts that Ray 2.49 and all since have in common: coroutines, budgets, the cluster's maximum."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train.v2._internal import exceptions
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.worker_group import worker_group
from ray.train.v2.api.exceptions import ControllerError, WorkerGroupError

from hosting.doubles import put
from ray_train.version import Sleep, Version, in_loop


class Budgeted(Version):
    """A controller that sleeps in a loop, and has a budget for its own failures."""

    budgets = {"max_failures": "_worker_group_failures",
               "controller_failure_limit": "_controller_failures"}
    retry = FailureDecision.RETRY

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, asyncio=SimpleNamespace(sleep=in_loop(sleep, abort)))

    def put_maximum(self, max_workers: int) -> None:
        """Has the cluster say how many workers it can ever have; 0: it does not say."""
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
