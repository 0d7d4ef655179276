"""Ray 2.43, the first with Ray Train V2: no coroutines, no abort, no budget for failed starts."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train._internal.session import _TrainingResult
from ray.train.v2._internal import constants, util
from ray.train.v2._internal.exceptions import (
    TrainingFailedError,
    WorkerGroupStartupTimeoutError,
)
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.controller.controller import TrainController
from ray.train.v2._internal.execution.failure_handling import FailureDecision
from ray.train.v2._internal.execution.worker_group import state, worker_group
from ray.train.v2._internal.execution.worker_group.poll import WorkerStatus

from hosting.doubles import put
from ray_train.version import ActorClass, Sleep, Version


class Installed(Version):
    """Ray 2.43."""

    budgets = {"max_failures": "_total_failures"}
    retry = FailureDecision.RESTART
    hears_interrupts = False
    barrier = (constants.REPORT_BARRIER_TIMEOUT_S_ENV_VAR,
               constants.DEFAULT_REPORT_BARRIER_TIMEOUT_S)

    def controller(self, **given: Any) -> TrainController:
        return TrainController(train_fn=None, **given)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run)

    async def run(self, controller: TrainController) -> None:
        controller.run()

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, time=SimpleNamespace(sleep=sleep),
            configure_controller_logger=lambda _: None)

    def worker_group(self, replace: Callable[[tuple[int, ...]], None]) -> type:
        group: type = worker_group.WorkerGroup
        return group

    def patch(self, cluster: Any, sync_actor: ActorClass, max_workers: int) -> None:
        put(worker_group, ray=cluster, placement_group=cluster.placement_group,
            remove_placement_group=cluster.remove_placement_group,
            SynchronizationActor=sync_actor)
        put(util, ray=cluster)
        put(state, _shutdown_workers=cluster.shut_down, _shutdown_sync_actor=cluster.kill,
            remove_placement_group=cluster.remove_placement_group)

    def status(self, running: bool, error: Exception | None, report: Any, notice: Any) -> Any:
        return WorkerStatus(running=running, error=error, training_result=report)

    def report(self, checkpoint: Any, metrics: dict[str, float]) -> Any:
        return _TrainingResult(checkpoint=checkpoint, metrics=metrics)

    def infeasible(self) -> Exception:
        # Nothing looks at the cluster's maximum: the wait for resources ends without them.
        late: Exception = WorkerGroupStartupTimeoutError(num_workers=0)
        return late

    def workers_error(self) -> Exception | None:
        error: Exception = TrainingFailedError(worker_failures={})
        return error

    def worker_failures(self, error: Any) -> dict[int, Exception]:
        failures: dict[int, Exception] = error.errors  # of the poll itself
        return failures
