"""The callback that tells of the controller, in the controller's own process. It decides nothing.

Counts are read from the failure policy and errors from the frame of the controller that calls it:
Ray hands its callbacks the decision alone.
"""
import inspect
import os
import time
from typing import Any

from ray.train.v2._internal.execution.callback import (
    ControllerCallback,
    ReportCallback,
    WorkerGroupCallback,
)
from ray.train.v2._internal.execution.controller.controller import TrainController
from ray.train.v2._internal.execution.controller.state import (
    AbortedState,
    TrainControllerStateType,
)
from ray.train.v2._internal.execution.failure_handling import FailureDecision

from live.ray.causes import BUDGETS, cause_of, seen_in
from live.ray.meeting import Groups
from live.script.channel import Channel

_PATIENCE_S = 20.0  # the driver starts spares meanwhile
STATES = [state.state_name for state in TrainControllerStateType]


def rules() -> list[dict[str, str]]:
    """The rules of decisions and of states, by the ids that the hosted controller's have."""
    source = "controller/controller.py"
    return [{"id": f"ray.state.{state}", "sentence": f"The controller goes to {state}",
             "source": source} for state in STATES] + [
        {"id": f"ray.failure.{decision.value}",
         "sentence": f"The failure policy decides {decision.value}",
         "source": "failure_handling/default.py"} for decision in FailureDecision]


class Telling(ControllerCallback, ReportCallback, WorkerGroupCallback):
    """Tells the driver of states, decisions, groups and checkpoints."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._channel: Channel | None = None
        self._used = dict.fromkeys(BUDGETS, 0)
        self._next: dict[str, Any] = {}

    def _tell(self, what: str, **members: Any) -> None:
        if self._channel is None:
            self._channel = Channel(self._path, role="controller", node="head")
        self._channel.tell(what, **members)

    def after_controller_start(self, train_run_context: Any) -> None:
        """The controller is there, and about to run."""
        controller = _controller()
        latest = controller._checkpoint_manager.latest_checkpoint_result
        self._tell("controller", pid=os.getpid(),
                   resumes=latest.metrics.get("step") if latest else None)

    def before_controller_execute_failure_decision(self, failure_decision: FailureDecision) -> None:
        """Reads what the failure policy has counted, and of which error."""
        controller, error = _controller(), _local("training_failed_error")
        config = controller._run_config.failure_config
        budgets = []
        for name, member in BUDGETS.items():
            before, used = self._used[name], getattr(controller._failure_policy, member, 0)
            if used == before:
                continue
            self._used[name] = used
            limit = getattr(config, name, -1)
            budgets.append({"name": name, "cause": cause_of(error), "before": before, "used": used,
                            "limit": None if limit == -1 else limit, "charged": True,
                            "exhausted": failure_decision == FailureDecision.RAISE})
        self._next = {"rule": f"ray.failure.{failure_decision.value}",
                      "word": failure_decision.value, "saw": seen_in(error), "budgets": budgets}

    def after_controller_state_update(self, previous_state: Any, current_state: Any) -> None:
        """The controller has gone from one state to another, or to the same."""
        old, new = (state._state_type.state_name for state in (previous_state, current_state))
        if old != new or self._next:
            told, self._next = self._next, {}
            self._tell("decision" if told else "state", **{"from": old, "to": new, **told})
        if isinstance(current_state, AbortedState):
            self._tell("aborted")

    def before_worker_group_start(self, worker_group_context: Any) -> None:
        """A group of workers is about to be placed."""
        Groups.count += 1
        Groups.begun_ns = time.monotonic_ns()
        self._tell("attempt", at_ns=Groups.begun_ns, ranks=worker_group_context.num_workers)

    def before_init_train_context(self, workers: list[Any]) -> dict[str, list[Any]]:
        """The workers' processes are there; they are about to get their context. The driver may
        strike here, and says when it has."""
        self._tell("workers", workers=_listed(workers))
        if self._channel is not None:
            self._channel.heard("proceed", _PATIENCE_S)
        return {}

    def after_worker_group_start(self, worker_group: Any) -> None:
        """The workers are ready, and are about to be told to train."""
        self._tell("placed", workers=_listed(worker_group.get_workers()))
        if self._channel is not None:
            self._channel.heard("proceed", _PATIENCE_S)

    def before_worker_group_shutdown(self, worker_group: Any) -> None:
        """The workers are about to be ended."""
        self._tell("stopping")

    def after_worker_group_shutdown(self, worker_group_context: Any) -> None:
        """The workers are gone."""
        self._tell("stopped")

    def after_report(self, training_report: Any, metrics: list[dict[str, Any]]) -> None:
        """A checkpoint of all ranks is in the snapshot: Ray's own manager hears of it before."""
        if training_report.checkpoint is not None:
            self._tell("checkpoint", did="committed", step=metrics[0]["step"])


def _listed(workers: list[Any]) -> list[dict[str, Any]]:
    return [{"rank": worker.distributed_context.world_rank, "pid": worker.metadata.pid,
             "node_id": worker.metadata.node_id} for worker in workers]


def _frames() -> Any:
    frame = inspect.currentframe()
    while frame is not None:
        yield frame
        frame = frame.f_back


def _controller() -> Any:
    return next(frame.f_locals["self"] for frame in _frames()
                if isinstance(frame.f_locals.get("self"), TrainController))


def _local(name: str) -> Any:
    return next((frame.f_locals[name] for frame in _frames()
                 if name in frame.f_locals
                 and isinstance(frame.f_locals.get("self"), TrainController)), None)
