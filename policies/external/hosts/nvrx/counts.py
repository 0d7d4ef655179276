"""Budgets of the job, from what each launcher counts for itself."""
from typing import Any

from hosting.messages import Message
from nvrx import record as words
from nvrx.agents import Agent, Choice
from nvrx.record import Record
from nvrx.settings import Settings

RESTARTS = "max_restarts"
CYCLES = "max_no_progress_cycles"
_RULE = {Choice.RESTART: words.RESTART, Choice.JOIN: words.JOIN,
         Choice.EXHAUSTED: words.EXHAUSTED, Choice.NO_PROGRESS: words.NO_PROGRESS}


class Counts:
    """The launchers' counts as the job's: each counts every restart, those of one round are one."""

    def __init__(self, settings: Settings, record: Record) -> None:
        self._record = record
        cycles = settings.max_no_progress_cycles
        self._limits: dict[str, int | None] = {RESTARTS: settings.max_restarts,
                                               CYCLES: cycles - 1 if cycles else None}
        self._used = dict.fromkeys(self._limits, 0)
        self._round = -1  # the last whose end has been charged
        self.exhausted = ""  # the budget by which a launcher has given up

    def described(self) -> list[Message]:
        """The budgets, for `ready`."""
        return [{"name": name, "limit": limit, "in_a_row": name == CYCLES}
                for name, limit in self._limits.items()]

    def memory(self) -> dict[str, int]:
        """The counts that a launch needs to go on."""
        return {"used": self._used[RESTARTS], "no_progress": self._used[CYCLES]}

    def recall(self, memory: dict[str, Any]) -> None:
        """As `memory` gave it."""
        self._used = {RESTARTS: memory["used"], CYCLES: memory["no_progress"]}

    def decided(self, agent: Agent, choice: Choice, counted: bool, cause: str) -> None:
        """A launcher has decided at the end of a cycle; one charge for all of them."""
        moves: list[Message] = []
        tracker = agent.elastic._progress_tracker if agent.elastic is not None else None
        round_number = agent.state()._round
        first = round_number != self._round
        if counted and first and tracker is not None:
            self._record.step(
                words.SCORED, "FAILED" if choice == Choice.NO_PROGRESS else "",
                [self._move(CYCLES, tracker.no_progress_count, cause,
                            exempt=tracker.no_progress_count == 0)])
        if choice == Choice.NO_PROGRESS:
            self.exhausted = CYCLES
        elif choice == Choice.EXHAUSTED:
            if self.exhausted != RESTARTS:
                moves.append(self._move(RESTARTS, self._used[RESTARTS] + 1, cause))
            self.exhausted = self.exhausted or RESTARTS
        elif first:
            moves.append(self._move(RESTARTS, self._used[RESTARTS] + 1, cause))
        self._round = round_number
        stops = choice in (Choice.RESTART, Choice.JOIN)
        self._record.step(_RULE[choice], "STOPPED" if stops else "", moves)

    def _move(self, budget: str, used: int, cause: str, exempt: bool = False) -> Message:
        limit = self._limits[budget]
        self._used[budget] = used
        return {"budget": budget, "cause": cause, "used": used, "limit": limit,
                "charged": not exempt,
                "exhausted": not exempt and limit is not None and used > limit}


_CAUSES = {"node_lost": "node", "accelerator_fault": "device", "collective_timeout": "hang"}


def cause_of(failed: Message) -> str:
    """The word of the messages for why workers failed. Launchers themselves do not ask."""
    if failed["preempted"]:
        return "preemption"
    return _CAUSES.get(failed["kind"], "application")
