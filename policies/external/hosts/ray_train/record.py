"""The decisions of the controller, as steps of the messages."""
from typing import Any

from ray.train.v2._internal.exceptions import (
    WorkerHealthCheckFailedError,
    WorkerHealthCheckTimeoutError,
)
from ray.train.v2._internal.execution.callback import ControllerCallback
from ray.train.v2._internal.execution.controller.state import (
    TrainControllerState,
    TrainControllerStateType,
)
from ray.train.v2._internal.execution.failure_handling import (
    FailureDecision,
    FailurePolicy,
)
from ray.train.v2.api.config import FailureConfig

from hosting.messages import Message
from ray_train.own import OwnCode, place_of
from ray_train.versions import INSTALLED

STATES = [state.state_name for state in TrainControllerStateType]
ACT = "ray.act"
UNHEARD = "ray.unheard"
_CONTROLLER = "controller/controller.py"
BUDGETS = INSTALLED.budgets
_BUDGET_OF = {"controller": "controller_failure_limit", "preemption": "max_preemption_failures"}
_MOST_STEPS = 10_000
_OF_NODES = ("node_lost", "accelerator_fault")


def rules(relaxes: bool) -> list[Message]:
    """The rules that steps name: states of the controller and decisions of its failure policy.

    relaxes: the controller lets collectives go on without ranks that a notice names, once it goes
    to PREEMPTING.
    """
    listed: list[Message] = [
        {"id": f"ray.state.{state}", "sentence": f"The controller goes to {state}",
         "source": _CONTROLLER} for state in STATES]
    if relaxes:
        next(one for one in listed if one["id"] == "ray.state.PREEMPTING")["relaxes"] = True
    listed += [{"id": f"ray.failure.{decision.value}",
                "sentence": f"The failure policy decides {decision.value}",
                "source": "failure_handling/default.py"} for decision in FailureDecision]
    return [*listed,
            {"id": ACT, "sentence": "The controller acts, and stays in its state",
             "source": _CONTROLLER},
            {"id": UNHEARD, "sentence": "Nothing in the controller listens to this event",
             "source": _CONTROLLER}]


class Record(ControllerCallback):
    """Collects the steps of one batch: each change of state is one, with what came before it."""

    def __init__(self) -> None:
        self.state = TrainControllerStateType.INITIALIZING.state_name
        self.exhausted = ""  # the budget that the failure policy last found used up
        self._steps: list[Message] = []
        self._next: Message = {}
        self._commands = 0

    def command(self, kind: str, **members: Any) -> int:
        """Adds a command, and returns its id."""
        self._commands += 1
        self._next.setdefault("commands", []).append(
            {"type": kind, "id": self._commands, **members})
        return self._commands

    def decision(self, decision: FailureDecision, move: Message | None) -> None:
        """Adds a decision of the failure policy and what it charged."""
        self._next["rule"] = f"ray.failure.{decision.value}"
        self._next["decision"] = decision.value
        self.exhausted = ""
        if move:
            self._next.setdefault("budgets", []).append(move)
            self.exhausted = move["budget"] if move["exhausted"] else ""

    def rejected(self, what: str, why: str) -> None:
        """Adds what was not done, to the step that comes next."""
        self._next.setdefault("rejected", []).append({"what": what, "why": why})

    def steps(self) -> int:
        """The number of steps since the last `take`."""
        return len(self._steps)

    def forced(self, state: str) -> None:
        """The controller has gone to this state without telling its callbacks."""
        if state != self.state:
            self._close(state)

    def reason(self, state: str, error: BaseException | None) -> str:
        """The reason why a run that ended in this state has failed."""
        if state == "ABORTED":
            return "stopped_by_user"
        if state == "ERRORED":
            return f"exhausted({self.exhausted})" if self.exhausted else (
                "gave_up(ray.failure.RAISE)")
        return f"unrecoverable({type(error).__name__ if error else 'ended early'})"

    def unheard(self, at: int, why: str) -> None:
        """Says that nothing in the controller listens to the event of this place in its batch."""
        self._steps.append({"rule": UNHEARD, "from": self.state, "to": self.state, "saw": [at],
                            "rejected": [{"what": "restart", "why": why}]})

    def after_controller_state_update(self, previous_state: TrainControllerState,
                                      current_state: TrainControllerState) -> None:
        """The controller has gone from one state to another, or to the same."""
        self.forced(previous_state._state_type.state_name)
        name = current_state._state_type.state_name
        if name == self.state and not self._next:
            return
        self._close(name)

    def take(self) -> list[Message]:
        """All steps since the last time."""
        if self._next:
            self._close(self.state)
        steps, self._steps = self._steps, []
        return steps

    def _close(self, state: str) -> None:
        moved = state != self.state
        rule = self._next.pop("rule", f"ray.state.{state}" if moved else ACT)
        self._steps.append({"rule": rule, "from": self.state, "to": state, **self._next})
        self._next = {}
        self.state = state


class Spins(BaseException):
    """The controller decides again and again while no time passes, as it would for ever."""


class Recorded(FailurePolicy):
    """Ray's failure policy, or a user's, with its decisions written down. It decides nothing."""

    def __init__(self, inner: FailurePolicy, config: FailureConfig, own: OwnCode,
                 record: Record) -> None:
        super().__init__(config)
        self._inner = inner
        self._own = own
        self._record = record
        self.raised = ""  # what has gone wrong last in the user's code, and where

    def used(self) -> dict[str, int]:
        """The count of each budget."""
        return {budget: getattr(self._inner, name, 0) for budget, name in BUDGETS.items()}

    def limit(self, budget: str) -> int | None:
        """The limit of the budget; None where there is none."""
        limit = getattr(self.failure_config, budget, -1)
        return None if limit == -1 else limit

    def make_decision(self, training_failed_error: Any) -> FailureDecision:
        """As the policy within."""
        if self._record.steps() > _MOST_STEPS:
            raise Spins(f"{type(self._inner).__name__} decides {_MOST_STEPS} times at one moment")
        if (failure := INSTALLED.controller_failure(training_failed_error)) is not None:
            self._tell_of(failure, "go on")
        before = self.used()
        try:
            decision = self._inner.make_decision(training_failed_error)
        except Exception as error:
            self._tell_of(error, "decide")
            raise
        if not isinstance(decision, FailureDecision):  # Ray takes it for an error when it acts
            self.raised = f"{type(self._inner).__name__} decided {decision!r}"
            self._record.rejected("decide", self.raised)
            return decision
        moved = [budget for budget, used in self.used().items() if used != before[budget]]
        move = None
        if moved:
            move = {"budget": moved[0], "cause": cause_of(training_failed_error),
                    "used": self.used()[moved[0]], "limit": self.limit(moved[0]),
                    "exhausted": decision == FailureDecision.RAISE}
        elif decision == INSTALLED.retry:  # a user's policy that counts by itself
            cause = cause_of(training_failed_error)
            budget = _BUDGET_OF.get(cause, "max_failures")
            move = {"budget": budget, "cause": cause, "used": self.used()[budget],
                    "limit": self.limit(budget), "charged": False, "exhausted": False}
        self._record.decision(decision, move)
        return decision

    def _tell_of(self, error: Exception, what: str) -> None:
        """Notes where code of the user's raised the error, which no message has a place for."""
        if place := place_of(error, self._own.files):
            self.raised = f"{type(error).__name__} at {place}"
            self._record.rejected(what, f"{place}: {type(error).__name__}: {error}")


def cause_of(error: Any) -> str:
    """The word of the messages for what went wrong. Ray itself does not ask."""
    if INSTALLED.controller_failure(error) is not None:
        return "controller"
    if INSTALLED.is_preemption(error):
        return "preemption"
    causes = [_cause_of_worker(failure) for failure in INSTALLED.worker_failures(error).values()]
    return next((cause for cause in ("preemption", "node") if cause in causes), "application")


def _cause_of_worker(failure: Exception) -> str:
    if isinstance(failure, WorkerHealthCheckTimeoutError):
        return "node"
    if isinstance(failure, WorkerHealthCheckFailedError):
        died = failure.health_check_failure
        if getattr(died, "preempted", False):
            return "preemption"
        return "node" if getattr(died, "kind", "") in _OF_NODES else "application"
    return "application"
