"""The decisions of launchers, as steps of the messages."""
from typing import Any

from torch.distributed.elastic.agent.server.api import WorkerState

from hosting.messages import Message

_LAUNCHER = "fault_tolerance/launcher.py"
_BARRIER = "fault_tolerance/ft_rendezvous_barrier.py"
_TRACKER = "fault_tolerance/progress_tracker.py"
SIGNAL = "SIGNAL"  # launchers end by SignalException, which leaves the state of workers as it was
STATES = [*(state.name for state in WorkerState if state != WorkerState.UNKNOWN), SIGNAL]
ACT = "nvrx.act"
UNHEARD = "nvrx.unheard"
RESTART = "nvrx.launcher.restart"
JOIN = "nvrx.launcher.join"
EXHAUSTED = "nvrx.launcher.exhausted"
NO_PROGRESS = "nvrx.launcher.no_progress"
SCORED = "nvrx.tracker.scored"
ROUND = "nvrx.rendezvous.round"
UNHEALTHY = "nvrx.rendezvous.unhealthy_node"
TIMEOUT = "nvrx.rendezvous.timeout"
CLOSED = "nvrx.rendezvous.closed"
STORE_LOST = "nvrx.rendezvous.store_lost"
EXITED = "nvrx.launcher.exited"
_RULES = {
    RESTART: ("Worker group UNHEALTHY or FAILED, attempts are left: will restart worker group",
              _LAUNCHER),
    JOIN: ("Joining cluster restart: another launcher has opened the next round", _LAUNCHER),
    EXHAUSTED: ("No more restarts: the launcher stops its own workers and fails", _LAUNCHER),
    NO_PROGRESS: ("EARLY TERMINATION: consecutive training cycles without progress", _TRACKER),
    SCORED: ("The cycle that is over is scored by the number of the newest checkpoint", _TRACKER),
    ROUND: ("The store host has closed the round; those with an active rank start workers",
            _BARRIER),
    UNHEALTHY: ("UnhealthyNodeException: the launcher leaves before it joins", _BARRIER),
    TIMEOUT: ("RendezvousTimeoutError: the round was not complete within join_timeout", _BARRIER),
    CLOSED: ("RendezvousClosedError, or TerminalWorkerGroupFailure: the rendezvous was permanently "
             "closed", _BARRIER),
    STORE_LOST: ("DistNetworkError: the store's host is gone", _BARRIER),
    EXITED: ("The launcher has exited", _LAUNCHER),
    ACT: ("The launchers act, and their workers' state stays", _LAUNCHER),
    UNHEARD: ("No launcher listens to this event", _LAUNCHER),
}


def rules() -> list[Message]:
    """The rules that steps name: states of worker groups, and what launchers decide."""
    listed = [{"id": f"nvrx.state.{state}", "sentence": f"The worker groups go to {state}",
               "source": _LAUNCHER} for state in STATES]
    return listed + [{"id": name, "sentence": sentence, "source": source}
                     for name, (sentence, source) in _RULES.items()]


class Record:
    """Collects the steps of one batch."""

    def __init__(self) -> None:
        self.state = WorkerState.INIT.name
        self._steps: list[Message] = []
        self._commands = 0

    def command(self, kind: str, **members: Any) -> int:
        """Adds a command to the last step, and returns its id."""
        self._commands += 1
        if not self._steps:
            self.step(ACT)
        self._steps[-1].setdefault("commands", []).append(
            {"type": kind, "id": self._commands, **members})
        return self._commands

    def step(self, rule: str, to: str = "", budgets: list[Message] | None = None) -> None:
        """A rule applied; the state goes to `to`, or stays."""
        step: Message = {"rule": rule, "from": self.state, "to": to or self.state}
        if budgets:
            step["budgets"] = budgets
        self._steps.append(step)
        self.state = to or self.state

    def go(self, state: str) -> None:
        """The state changes, where it does."""
        if state != self.state:
            self.step(f"nvrx.state.{state}", state)

    def unheard(self, at: int, what: str, why: str) -> None:
        """Says that no launcher listens to the event of this place in its batch."""
        self._steps.append({"rule": UNHEARD, "from": self.state, "to": self.state, "saw": [at],
                            "rejected": [{"what": what, "why": why}]})

    def take(self) -> list[Message]:
        """All steps since the last time."""
        steps, self._steps = self._steps, []
        return steps
