"""The words for what went wrong, as the hosted controller's recording has them."""
from typing import Any

from ray.exceptions import RayActorError
from ray.train.v2._internal.exceptions import (
    WorkerHealthCheckFailedError,
    WorkerHealthCheckTimeoutError,
)
from ray.train.v2.api.exceptions import ControllerError, PreemptionError, WorkerGroupError

BUDGETS = {"max_failures": "_worker_group_failures",
           "controller_failure_limit": "_controller_failures",
           "max_preemption_failures": "_preemption_failures"}
# Of the message of a dead actor, of which Ray keeps the reason in words only.
_NODE_WORDS = ("its node has died", "node has died", "node was", "raylet has died",
               "node died", "Node died", "the node is dead")


def cause_of(error: Any) -> str:
    """The cause that a failure is charged for. Ray itself does not ask."""
    if isinstance(error, ControllerError):
        return "controller"
    if isinstance(error, PreemptionError):
        return "preemption"
    failures = error.worker_failures if isinstance(error, WorkerGroupError) else {}
    causes = [_of_worker(failures[rank]) for rank in sorted(failures)]
    return next((cause for cause in ("preemption", "node") if cause in causes), "application")


def _of_worker(failure: Exception) -> str:
    if isinstance(failure, WorkerHealthCheckTimeoutError):
        return "node"
    if isinstance(failure, WorkerHealthCheckFailedError):
        died = failure.health_check_failure
        if isinstance(died, RayActorError) and died.preempted:
            return "preemption"
        if any(words in str(died) for words in _NODE_WORDS):
            return "node"
    return "application"


def seen_in(error: Any) -> list[str]:
    """A line for each failed rank, or for the controller's own error."""
    if isinstance(error, ControllerError):
        return [f"controller: {type(error.controller_failure).__name__}"]
    if isinstance(error, PreemptionError):
        nodes = error.preemption_info.preempted_node_to_ranks
        ranks = sorted({rank for named in nodes.values() for rank in named})
        return [f"rank {rank}: its node is to go" for rank in ranks]
    failures = error.worker_failures if isinstance(error, WorkerGroupError) else {}
    return [f"rank {rank}: {_line(failures[rank])}" for rank in sorted(failures)]


def _line(failure: Exception) -> str:
    if isinstance(failure, WorkerHealthCheckFailedError):
        died = failure.health_check_failure
        return f"{type(died).__name__}: {' '.join(str(died).split())}"[:400]
    return type(failure).__name__
