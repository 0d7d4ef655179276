"""Ray 2.55: elastic scaling, and no catch-all around the control loop."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import ray.actor
from ray.exceptions import AsyncioActorExit
from ray.train.v2._internal.execution.scaling_policy import elastic, scaling_policy
from ray.train.v2._internal.execution.worker_group import worker_group
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus

from hosting.doubles import put
from ray_train.since_2_55 import Since
from ray_train.version import Sleep


class _Actor:
    """The AutoscalingCoordinator's actor, which this version asks itself."""

    def __init__(self, coordinator: Any) -> None:
        self.request_resources = SimpleNamespace(remote=coordinator.send_resource_request)
        self.cancel_request = SimpleNamespace(remote=coordinator.cancel_resource_request)
        self.get_allocated_resources = SimpleNamespace(
            remote=lambda _: list(coordinator.reserved().values()))


class Installed(Since):
    """Ray 2.55."""

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        async def abort_with_driver() -> None:
            try:
                await abort()
            except AsyncioActorExit:
                raise
            except Exception:
                # The driver's handler of the signal raises it, and its controller dies with it.
                ray.actor.exit_actor()

        super().put_sleep(sleep, abort_with_driver)

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        group: type = worker_group.WorkerGroup
        return group

    def put_coordinator(self, coordinator: Any) -> None:
        for module in (scaling_policy, elastic):
            put(module, ray=SimpleNamespace(get=lambda asked, **_: asked))
        put(scaling_policy.ScalingPolicy, _autoscaling_coordinator=_Actor(coordinator))
        put(elastic.ElasticScalingPolicy, GET_ALLOCATED_RESOURCES_INTERVAL_S=0)

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_report=report)

    def has_complete_report(self, controller: Any) -> bool:
        queues = controller._worker_group_callbacks_to_propagate[0]._training_report_queues
        return bool(queues) and all(queues)
