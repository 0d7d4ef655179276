"""Ray 2.60: preemptions, replica groups, elastic scaling."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train import DataConfig
from ray.train.v2._internal import constants, exceptions
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.preemption import merge_preemption_info
from ray.train.v2._internal.execution.scaling_policy import elastic, scaling_policy
from ray.train.v2._internal.execution.training_report import _TrainingReport
from ray.train.v2._internal.execution.worker_group import (
    execution_group,
    placement_group_handle,
    state,
    worker_group,
)
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus
from ray.train.v2.api.exceptions import (
    ControllerError,
    NCCLHangError,
    PreemptionError,
    WorkerGroupError,
)
from ray.train.v2.api.preemption import PreemptionInfo

from hosting.doubles import put
from ray_train.version import ActorClass, Sleep, Version, in_loop


class Installed(Version):
    """Ray 2.60."""

    budgets = {"max_failures": "_worker_group_failures",
               "controller_failure_limit": "_controller_failures",
               "max_preemption_failures": "_preemption_failures"}
    retry = FailureDecision.RETRY
    has_replica_groups = has_elastic_groups = has_preemption = True
    barrier = ("RAY_TRAIN_COLLECTIVE_TIMEOUT_S", constants.DEFAULT_COLLECTIVE_TIMEOUT_S)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run, train_loop_config=None, scaling_config=scaling,
                               backend_config=backend, dataset_config=DataConfig())

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, asyncio=SimpleNamespace(sleep=in_loop(sleep, abort)))

    def shutdown_hook(self, hook: Callable[[Any], None]) -> Callable[[Any], Any]:
        async def before_controller_shutdown(callback: Any) -> None:
            hook(callback)

        return before_controller_shutdown

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        class Group(worker_group.WorkerGroup):
            def replace_replica_group(self, replica_group_index: int) -> None:
                status = self.get_latest_poll_status()
                assert status is not None
                replace(tuple(sorted(status.failing_replica_group_indices)))
                super().replace_replica_group(replica_group_index)

        return Group

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            SynchronizationActor=sync_actor,
            ray_state=SimpleNamespace(get_max_resources_from_cluster_config=lambda: (
                {"GPU": max_workers} if max_workers else {})))
        # Workers of a replica group that failed are ended as they are replaced.
        put(execution_group, ray=cluster, _shutdown_workers=lambda _: None)
        put(placement_group_handle, remove_placement_group=cluster.remove_placement_group)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill)

    def put_coordinator(self, coordinator: Any) -> None:
        put(scaling_policy, TrainAutoscalingCoordinatorClient=lambda _: coordinator)
        put(elastic, ray=SimpleNamespace(get=lambda asked, **_: asked.value))

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_report=report,
                            preemption_info=notice)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingReport(checkpoint=checkpoint, metrics=metrics, validation=False)

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

    def infeasible(self) -> Exception:
        error: Exception = exceptions.InsufficientClusterResourcesError("infeasible")
        return error

    def workers_error(self) -> Exception | None:
        error: Exception = WorkerGroupError("told by the simulator", worker_failures={})
        return error

    def controller_failure(self, error: Any) -> Exception | None:
        return error.controller_failure if isinstance(error, ControllerError) else None

    def is_preemption(self, error: Any) -> bool:
        return isinstance(error, PreemptionError)
