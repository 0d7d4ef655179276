"""Runs under NVRx: decisions are read from what its launchers log."""
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

from live.driver import play as driver
from live.driver.facts import Fact, Facts
from live.driver.faults import Faults
from live.driver.nodes import Node
from live.driver.plan import Plan
from live.driver.room import Room
from live.nvrx import words
from live.nvrx.command import Command
from live.torchrun.backend import Agent, Torchrun


class Nvrx(Torchrun):
    """The launchers of one job: torch's agents but for their restarts, which all of them count at
    once, and for spares."""

    complete = (words.ROUND, "round")

    def __init__(self, play: driver.Play, command: Command) -> None:
        super().__init__(play, command)
        self._command: Command = command
        self._launcher = Path(__file__).resolve().parent / "agent.py"
        self._charged = 0  # the last attempt whose end has been charged
        self._reason = ""  # why the job has failed

    def submit(self) -> None:
        """The launchers that meet first have the ranks, in the order of their addresses. So that
        the spares are those that the scenario calls so, they come when the others have met."""
        self._bring_up(self._play.nodes[:self._command.least])

    def _begins(self, agent: Agent, at_ns: int) -> None:
        super()._begins(agent, at_ns)
        if agent.attempt is self._attempts[0]:
            self._bring_up(self._play.nodes[self._command.least:self._command.most])

    def agent_ended(self, node: Node, code: int) -> None:
        """A launcher that ends otherwise than well has failed the job, but for one that a signal
        ends. The others look for the next round only, and train on until their own ranks fail."""
        agent = self._agents[node.name]
        if code > 0 and not agent.signalled:
            if not agent.gave_up:
                rule = words.end_rule(agent.error or "")
                self._decide(agent, rule, "FAILED", "fail", time.monotonic_ns(),
                             [agent.error or f"exit code {code}"])
                agent.reason = f"gave_up({rule})"
            self._reason = self._reason or agent.reason
        running = [one for one in self._agents.values() if one.node.up and one.node.has_agent]
        if self._reason and not any(one.attempt is agent.attempt for one in running):
            self._play.end("failed", "FAILED", self._reason)
            return
        if running:
            return
        ended = [one for one in self._agents.values() if one.node.up]
        if any(one.signalled for one in ended):
            self._play.end("aborted", "SIGNAL", "stopped_by_user")
        elif ended and any(one.finished for one in ended):
            self._decide(agent, words.EXITED, "SUCCEEDED", "complete", time.monotonic_ns(), [],
                         commands=["complete"])
            self._play.end("completed", "SUCCEEDED")
        elif not self._play.nodes_to_come:
            self._play.end("failed", "FAILED", "unrecoverable(no launchers)")

    def _log(self, agent: Agent, form: str, args: Any, at_ns: int) -> None:
        if form.startswith("[%(role)s] Rendezvous complete"):
            self._joined(agent, args)
        elif form.startswith("[%s] Starting worker group"):
            self._begins(agent, at_ns)
        elif form.startswith("[%s] Stopping worker group"):
            if agent.attempt is not None:
                self._play.triggers.phase(agent.attempt.number, -1, "tearing_down", at_ns)
        elif form.startswith("[%s] Worker group "):
            self._counts(agent, words.RESTART, "STOPPED", "restart", at_ns)
        elif form.startswith("[%s] Joining cluster restart"):
            self._counts(agent, words.JOIN, "STOPPED", "join", at_ns)
        elif form.startswith("[%s] worker group successfully finished"):
            agent.finished = True
        elif form.startswith("failed (exitcode: %s)"):
            self._play.ended_with(args[2], args[0])
            agent.failures = [f"local rank {args[1]} exit code {args[0]}"]
        elif form.startswith("Sending process %s closing signal %s"):
            self._play.ended_with(args[0], -signal.Signals[args[1]])
        elif form.startswith("Received %s death signal"):
            agent.signalled = True
            self._decide(agent, words.SIGNAL, "SIGNAL", "signal", at_ns, [f"{args[0]}"])
        else:
            self._ends(agent, form, at_ns)

    def _ends(self, agent: Agent, form: str, at_ns: int) -> None:
        if form.startswith("Some rank(s) exited with non-zero"):
            agent.gave_up = True
            agent.reason = f"exhausted({words.RESTARTS})"
            self._counts(agent, words.EXHAUSTED, "FAILED", "exhausted", at_ns)
        elif form.startswith("[%s] Progress tracker detected no progress"):
            agent.gave_up = True
            agent.reason = f"exhausted({words.CYCLES})"
            cycles = self._command.cycles
            self._decide(agent, words.NO_PROGRESS, "FAILED", "no_progress", at_ns, [], budgets=[
                {"name": words.CYCLES, "cause": self._cause(agent), "before": cycles - 1,
                 "used": cycles, "limit": cycles - 1, "charged": True, "exhausted": True}])
        elif form.startswith("NVRx decided the job must not be restarted") and not agent.gave_up:
            agent.gave_up = True
            agent.reason = f"exhausted({words.CYCLES})"
        elif found := re.match(r"Agent run ended with exception, e=(\w+)", form):
            agent.error = found[1]

    def _counts(self, agent: Agent, rule: str, to: str, word: str, at_ns: int) -> None:
        """Each launcher counts every restart; those of one round are one charge."""
        number = agent.attempt.number if agent.attempt is not None else 0
        budgets: list[Fact] = []
        if number > self._charged:
            self._charged = number
            self._total += 1
            limit = self._command.max_restarts
            budgets = [{"name": words.RESTARTS, "cause": self._cause(agent),
                        "before": self._total - 1, "used": self._total, "limit": limit,
                        "charged": True, "exhausted": self._total > limit}]
        self._decide(agent, rule, to, word, at_ns, agent.failures, budgets=budgets)


def run(plan: Plan, facts: Facts, home: Room) -> None:
    """One run."""
    command = Command(plan, str(home.folder / "checkpoints"))
    play = driver.Play(plan, facts, home, command.most)
    faults = Faults(play)
    play.strike = faults.strike
    controller = Nvrx(play, command)
    play.controller = controller
    own = driver.version("nvidia-resiliency-ext")
    versions = {"nvidia-resiliency-ext": own, "torch": driver.version("torch"),
                "python": ".".join(str(part) for part in sys.version_info[:3])}

    def submit() -> None:
        facts.rules(words.rules(own), words.STATES, [words.RESTARTS, words.CYCLES])
        controller.submit()

    try:
        play.run({"backend": "nvrx", "versions": versions, "policy": f"nvrx@{own}"}, submit)
    finally:
        faults.clean()
