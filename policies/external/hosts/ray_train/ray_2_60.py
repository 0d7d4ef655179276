"""Ray 2.60: preemptions and replica groups."""
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ray.train.v2._internal.execution.preemption import merge_preemption_info
from ray.train.v2._internal.execution.scaling_policy import elastic, scaling_policy
from ray.train.v2._internal.execution.worker_group import execution_group, worker_group
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus
from ray.train.v2.api.exceptions import NCCLHangError, PreemptionError
from ray.train.v2.api.preemption import PreemptionInfo

from hosting.doubles import put
from ray_train.since_2_55 import Since
from ray_train.version import ActorClass


class Installed(Since):
    """Ray 2.60."""

    budgets = Since.budgets | {"max_preemption_failures": "_preemption_failures"}
    has_replica_groups = has_preemption = True

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        class Group(worker_group.WorkerGroup):
            def replace_replica_group(self, replica_group_index: int) -> None:
                status = self.get_latest_poll_status()
                assert status is not None
                replace(tuple(sorted(status.failing_replica_group_indices)))
                super().replace_replica_group(replica_group_index)

        return Group

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        super().patch(cluster, sync_actor, max_workers)
        # Workers of a replica group that failed are ended as they are replaced.
        put(execution_group, _shutdown_workers=lambda _: None)

    def put_coordinator(self, coordinator: Any) -> None:
        put(scaling_policy, TrainAutoscalingCoordinatorClient=lambda _: coordinator)
        put(elastic, ray=SimpleNamespace(get=lambda asked, **_: asked.value))
        put(elastic.ElasticScalingPolicy, GET_RESERVED_RESOURCES_INTERVAL_S=0)

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_report=report,
                            preemption_info=notice)

    def has_complete_report(self, controller: Any) -> bool:
        handler = controller._report_handler
        queues = handler._training_report_queues
        return bool(queues) and all(queues[rank] for rank in handler._get_required_ranks())

    def notice(self, known: Any, deadline_ms: float | None, ranks: dict[str, list[int]]) -> Any:
        told = PreemptionInfo(deadline_ms=deadline_ms, preempted_node_to_ranks=ranks)
        return told if known is None else merge_preemption_info(known, told)

    def hang(self) -> Exception:
        hung: Exception = NCCLHangError("told by the simulator", worker_failures={})
        return hung

    def is_preemption(self, error: Any) -> bool:
        return isinstance(error, PreemptionError)
