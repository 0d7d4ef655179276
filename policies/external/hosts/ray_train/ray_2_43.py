"""Ray 2.43, the first with Ray Train V2: no coroutines, no abort, no budget for failed starts."""
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from ray.train.v2._internal.exceptions import (
    TrainingFailedError,
    WorkerGroupStartupTimeoutError,
)
from ray.train.v2._internal.execution.context import TrainRunContext
from ray.train.v2._internal.execution.controller import controller
from ray.train.v2._internal.execution.controller.controller import TrainController
from ray.train.v2._internal.execution.failure_handling import FailureDecision

from hosting.doubles import put
from ray_train.before_2_60 import Before
from ray_train.version import Sleep


class Installed(Before):
    """Ray 2.43."""

    budgets = {"max_failures": "_total_failures"}
    retry = FailureDecision.RESTART
    hears_interrupts = False

    def controller(self, **given: Any) -> TrainController:
        return TrainController(train_fn=None, **given)

    def run_context(self, run: Any, scaling: Any, backend: Any) -> Any:
        return TrainRunContext(run_config=run)

    async def run(self, controller: TrainController) -> None:
        controller.run()

    def put_sleep(self, sleep: Sleep, abort: Callable[[], Awaitable[None]]) -> None:
        put(controller, time=SimpleNamespace(sleep=sleep),
            configure_controller_logger=lambda _: None)

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
