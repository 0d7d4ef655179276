"""Ray Train's scaling policies over a coordinator that knows what the simulator has told."""
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ray.train.v2._internal.execution.scaling_policy import (
    NoopDecision,
    ScalingDecision,
    ScalingPolicy,
    create_scaling_policy,
)
from ray.train.v2.api.config import ScalingConfig

from hosting.doubles import put
from ray_train.cluster import Reference
from ray_train.versions import INSTALLED
from ray_train.waits import Sizing


class Coordinator:
    """The AutoscalingCoordinator and its client: `possible` workers have resources; None until the
    simulator has told how many."""

    def __init__(self) -> None:
        self.possible: int | None = None
        self.wait: Callable[[Any], Any] = lambda _: None
        self._autoscaling_coordinator = self
        self.get_reserved_resources = SimpleNamespace(remote=self._reserved)

    def send_resource_request(self, *_: object, **__: object) -> None:
        """The simulator counts requests by the watch of capacity."""

    maybe_send_resource_request = cancel_resource_request = send_resource_request

    def reserved(self) -> dict[str, dict[str, float]]:
        """The resources of each node, a worker's on each."""
        if self.possible is None:
            self.wait(Sizing())
        return {f"node-{index}": {"GPU": 1.0} for index in range(self.possible or 0)}

    def _reserved(self, _: str) -> Reference:
        return Reference(0, self.reserved())


def hosted_policy(config: ScalingConfig, coordinator: Coordinator,
                  wait: Callable[[Any], Any]) -> ScalingPolicy:
    """Ray's policy for the configuration. Where it decides to do nothing without a group, the
    controller would ask again at once, for as long as it takes: there it waits."""
    coordinator.wait = wait
    INSTALLED.put_coordinator(coordinator)
    policy = create_scaling_policy(config)
    decide = policy.make_decision_for_non_running_worker_group

    def decide_or_wait() -> ScalingDecision:
        decision = decide()
        if isinstance(decision, NoopDecision):
            wait(Sizing())
        return decision

    put(policy, make_decision_for_non_running_worker_group=decide_or_wait)
    return policy
