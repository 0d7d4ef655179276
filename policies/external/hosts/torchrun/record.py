"""The decisions of the agents, as steps of the messages."""
from typing import Any

from torch.distributed.elastic.agent.server.api import WorkerState
from torch.distributed.elastic.rendezvous import api as rendezvous

from hosting.messages import Message

BUDGET = "max_restarts"
# Of the group: the words of WorkerState, and one for agents that end by SignalException, which
# leaves the state of workers as it was.
STATES = [WorkerState.INIT.value, WorkerState.HEALTHY.value, WorkerState.STOPPED.value,
          WorkerState.SUCCEEDED.value, WorkerState.FAILED.value, "SIGNAL"]
INIT, HEALTHY, STOPPED, SUCCEEDED, FAILED, SIGNALLED = STATES
_AGENT = "torch/distributed/elastic/agent/server/api.py"
_RENDEZVOUS = "torch/distributed/elastic/rendezvous/dynamic_rendezvous.py"
_ERRORS = sorted(name for name, value in vars(rendezvous).items()
                 if isinstance(value, type) and issubclass(value, rendezvous.RendezvousError))

RESTARTS = "torchrun.FAILED.will_restart"
GIVES_UP = "torchrun.FAILED.no_attempts_left"
MEMBERS = "torchrun.HEALTHY.new_nodes"
COMPLETE = "torchrun.rendezvous.complete"
BARRIER = "torchrun.SUCCEEDED.exit_barrier"
SIGNAL = "torchrun.SignalException"
DEAD = "torchrun.rendezvous.dead_node"
ACT = "torchrun.act"
UNHEARD = "torchrun.unheard"


def error_rule(error: BaseException) -> str:
    """The rule for an agent that ends by this error."""
    name = type(error).__name__
    return f"torchrun.rendezvous.{name}" if name in _ERRORS else ACT


def rules() -> list[Message]:
    """The rules that steps name: branches of the agent's loop, and ends of a rendezvous."""
    listed = [(RESTARTS, "A worker group FAILED with attempts left; the agent will restart it",
               _AGENT),
              (GIVES_UP, "A worker group FAILED and no attempts are left: the agent ends", _AGENT),
              (MEMBERS, "New nodes are waiting: the agent will restart its worker group", _AGENT),
              (COMPLETE, "A round of the rendezvous is complete: the agents start their workers",
               _RENDEZVOUS),
              (BARRIER, "A worker group SUCCEEDED, and its agent waits for the others", _AGENT),
              (SIGNAL, "A signal ends an agent and its workers", _AGENT),
              (DEAD, "A node whose keep-alives stay away is removed from the rendezvous",
               _RENDEZVOUS)]
    listed += [(f"torchrun.rendezvous.{name}", f"An agent ends by a {name}",
                "torch/distributed/elastic/rendezvous/api.py") for name in _ERRORS]
    listed += [(f"torchrun.state.{state}", f"The worker groups are {state}", _AGENT)
               for state in STATES]
    listed += [(ACT, "The agents act, and stay in their state", _AGENT),
               (UNHEARD, "No agent listens to this event", _AGENT)]
    return [{"id": name, "sentence": sentence, "source": source}
            for name, sentence, source in listed]


class Record:
    """Collects the steps of one batch. Agents of one moment that do the same are one step."""

    def __init__(self) -> None:
        self.state = INIT
        self._steps: list[Message] = []
        self._commands = 0

    def step(self, rule: str, to: str = "", **members: Any) -> Message:
        """Adds a step by that rule, or takes the last one where that has it, too."""
        to = to or self.state
        if self._steps and self._steps[-1]["rule"] == rule and self._steps[-1]["to"] == to \
                and "saw" not in members:
            return self._steps[-1]
        self._steps.append({"rule": rule, "from": self.state, "to": to, **members})
        self.state = to
        return self._steps[-1]

    def command(self, kind: str, **members: Any) -> int:
        """Adds a command to the last step, and returns its id."""
        if not self._steps:
            self.step(ACT)
        self._commands += 1
        self._steps[-1].setdefault("commands", []).append(
            {"type": kind, "id": self._commands, **members})
        return self._commands

    def charge(self, step: Message, cause: str, used: int, limit: int, exhausted: bool) -> None:
        """Notes what agents counted by that step; of one step it is one move."""
        step["budgets"] = [{"budget": BUDGET, "cause": cause, "used": used, "limit": limit,
                            "exhausted": exhausted}]

    def take(self) -> list[Message]:
        """All steps since the last time."""
        steps, self._steps = self._steps, []
        return steps
