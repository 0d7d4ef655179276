"""Runs under torchrun: decisions are read from what its agents log."""
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any, Protocol

from live.driver import play as driver
from live.driver.facts import Fact, Facts
from live.driver.faults import Faults
from live.driver.loop import Message
from live.driver.nodes import Node
from live.driver.plan import Plan
from live.driver.room import Room
from live.torchrun import words
from live.torchrun.command import Command

_ATTEMPT_WAIT_S = 1.5  # agents look for the end of a round once a second


class Launch(Protocol):
    """The part of a backend's command line that all nodes share."""

    each: int
    most: int
    max_restarts: int
    cycles: int
    variables: dict[str, str]

    def line(self, slot: int, address: str, store: str, port: int) -> list[str]:
        """The arguments on the node of that slot."""


class Attempt:
    """A round of the rendezvous whose agents start their workers."""

    def __init__(self, number: int, key: str, world: int) -> None:
        self.number = number
        self.key = key
        self.world = world
        self.nodes: dict[int, str] = {}  # by group rank
        self.began_ns = 0
        self.told = False


class Agent:
    """An agent as far as it has told. `used` are the restarts that it has counted."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.used = 0
        self.round = ""
        self.attempt: Attempt | None = None
        self.failures: list[str] = []
        self.gave_up = False
        self.signalled = False
        self.finished = False
        self.error: str | None = None
        self.reason = ""


class Torchrun:
    """The agents of one job."""

    complete = (words.COMPLETE, "rendezvous")  # the rule and word for a round that is complete

    def __init__(self, play: driver.Play, command: Launch) -> None:
        self._play = play
        self._command = command
        self._port = driver.free_port()
        self._agents: dict[str, Agent] = {}
        self._attempts: list[Attempt] = []
        self._state = words.INIT
        self._total = 0  # restarts that all agents have counted
        self._launcher = Path(__file__).resolve().parent / "agent.py"

    # As the driver's controller:

    def submit(self) -> None:
        """Somebody starts an agent on each node of the job."""
        self._bring_up(self._play.nodes[:self._command.most])

    def _bring_up(self, nodes: list[Node]) -> None:
        for node in nodes:
            if not self._is_away(node):
                self._play.bring_up(node)

    def _is_away(self, node: Node) -> bool:
        """Whether a fault of the first moment takes the node, so that it joins later."""
        return any(fault["kind"] == "node_crash" and fault.get("at_s") == 0
                   and fault["target"].get("node") == node.name
                   for fault in self._play.plan["faults"])

    def start(self, node: Node) -> None:
        """Starts torchrun there."""
        import json
        network = self._play.network
        self._agents[node.name] = Agent(node)
        if self._state != words.INIT \
                and not any(one.node.has_agent for one in self._agents.values()):
            self._play.facts.add("state", None, by="controller", **{"from": self._state},
                                 to=words.INIT)
            self._state = words.INIT
        slot = node.number
        line = self._command.line(slot, network.address(node.name),
                                  network.address(self._play.nodes[0].name), self._port)
        variables = self._command.variables | {
            "GLOO_SOCKET_IFNAME": network.device,
            "AFTERSHOCK_LIVE_JOB": json.dumps(self._play.plan["job"]),
            "AFTERSHOCK_LIVE_FOLDER": str(self._play.checkpoints)}
        self._play.processes.start(
            node, [*network.enter(node.name), sys.executable, str(self._launcher), *line,
                   str(driver.script())], variables)

    def attempt_of(self, node: Node) -> tuple[int, int]:
        """As its agent has told."""
        attempt = self._agents[node.name].attempt
        return (0, 0) if attempt is None else (attempt.number, attempt.began_ns)

    def hear(self, node: Node, message: Message) -> None:
        """A record, an event, or the end of an agent."""
        agent = self._agents[node.name]
        match message["what"]:
            case "log":
                self._log(agent, message["form"], message["args"], message["t_ns"])
            case "event":
                self._event(agent, message["event"], message["t_ns"])
            case "ends":
                if not agent.error:  # a launcher may have told of it before it exits
                    agent.error = message["error"]

    def agent_ended(self, node: Node, code: int) -> None:
        """Where it has closed the rendezvous, as all do but those that a signal ends, whoever
        started the others ends them."""
        agent = self._agents[node.name]
        if code > 0 and not agent.signalled:
            name = agent.error or ""
            reason = f"exhausted({words.BUDGET})"
            if not agent.gave_up:
                rule = words.error_rule(name)
                reason = f"gave_up({rule})" if rule != words.ACT else f"unrecoverable({name})"
                self._decide(agent, rule, words.FAILED, "fail", time.monotonic_ns(), [name])
            self._play.end("failed", words.FAILED, reason)
            return
        if any(one.node.up and one.node.has_agent for one in self._agents.values()):
            return
        ended = [one for one in self._agents.values() if one.node.up and not one.node.ends_alone]
        if any(one.signalled for one in ended):
            self._play.end("aborted", words.SIGNALLED, "stopped_by_user")
        elif ended and all(one.error == "" for one in ended):
            self._decide(agent, f"torchrun.state.{words.SUCCEEDED}", words.SUCCEEDED, "complete",
                         time.monotonic_ns(), [], commands=["complete"])
            self._play.end("completed", words.SUCCEEDED)
        elif not self._play.nodes_to_come:
            self._play.end("failed", words.FAILED, "unrecoverable(no agents)")

    # What agents say:

    def _event(self, agent: Agent, event: dict[str, Any], at_ns: int) -> None:
        text = event.get("message", "")
        if found := re.search(r"joined round (\d+)", text):
            agent.round = found[1]
        elif "had no heartbeat" in text:
            self._decide(agent, words.DEAD, self._state, "dead_node", at_ns, [text])

    def _log(self, agent: Agent, form: str, args: Any, at_ns: int) -> None:
        if form.startswith("[%(role)s] Rendezvous complete"):
            self._joined(agent, args)
        elif form.startswith("[%s] Starting worker group"):
            self._begins(agent, at_ns)
        elif form.startswith("[%s] Stopping worker group"):
            if agent.attempt is not None:
                self._play.triggers.phase(agent.attempt.number, -1, "tearing_down", at_ns)
        elif form.startswith("[%s] Worker group %s. "):
            self._charge(agent, words.RESTARTS, words.STOPPED, "will_restart", at_ns)
            agent.used += 1
        elif form.startswith("[%s] Detected %s "):
            self._decide(agent, words.MEMBERS, words.STOPPED, "new_nodes", at_ns,
                         [f"{args[1]} new nodes"])
        elif form.startswith("[%s] worker group successfully finished"):
            agent.finished = True
            if not self._all_returned(agent):
                self._decide(agent, words.BARRIER, self._state, "exit_barrier", at_ns, [])
        elif form.startswith("failed (exitcode: %s)"):
            self._play.ended_with(args[2], args[0])
            agent.failures = [f"local rank {args[1]} exit code {args[0]}"]
            if agent.used >= self._command.max_restarts:
                self._charge(agent, words.GIVES_UP, words.FAILED, "no_attempts_left", at_ns)
                agent.gave_up = True
        elif form.startswith("Sending process %s closing signal %s"):
            self._play.ended_with(args[0], -signal.Signals[args[1]])
        elif form.startswith("Received %s death signal"):
            agent.signalled = True
            # The others of one that ends alone go on.
            to = self._state if agent.node.ends_alone else words.SIGNALLED
            self._decide(agent, words.SIGNAL, to, "signal", at_ns, [f"{args[0]}"])

    def _all_returned(self, agent: Agent) -> bool:
        """Whether all ranks of the attempt have ended well."""
        workers = [worker for worker in self._play.workers.values()
                   if agent.attempt is not None and worker.attempt == agent.attempt.number]
        return agent.attempt is not None and all(worker.code == 0 for worker in workers) \
            and len(workers) == agent.attempt.world * self._command.each

    # Attempts:

    def _joined(self, agent: Agent, args: dict[str, Any]) -> None:
        newest = self._attempts[-1] if self._attempts else None
        if newest is None or newest.key != agent.round or len(newest.nodes) == newest.world \
                or agent.node.name in newest.nodes.values():
            newest = Attempt(len(self._attempts) + 1, agent.round, args["group_world_size"])
            self._attempts.append(newest)
        newest.nodes[args["group_rank"]] = agent.node.name
        agent.attempt = newest
        agent.finished = False
        agent.failures = []

    def _begins(self, agent: Agent, at_ns: int) -> None:
        """The first of its agents starts its workers."""
        attempt = agent.attempt
        if attempt is None:
            return
        if not attempt.began_ns:
            attempt.began_ns = at_ns
            before = next((one for one in reversed(self._attempts) if one is not attempt), None)
            since_ns = 0 if before is None else before.began_ns
            self._play.loop.after(_ATTEMPT_WAIT_S, lambda: self._tell(attempt))
            rule, word = self.complete
            decision = self._decide(agent, rule, words.HEALTHY, word, at_ns, [], by="controller")
            decision["fault"] = self._play.newest_fault(at_ns, since_ns)
            decision["commands"] = ["start_attempt" if before is None else "restart_processes"]
        if len(attempt.nodes) == attempt.world:
            self._tell(attempt)

    def _tell(self, attempt: Attempt) -> None:
        """Once all its nodes are known, or have been waited for."""
        if attempt.told or self._play.facts.ended:
            return
        attempt.told = True
        nodes = [attempt.nodes[rank] for rank in sorted(attempt.nodes)]
        if len(nodes) < attempt.world == self._command.most:  # it cannot be others
            nodes += [node.name for node in self._play.nodes[:attempt.world]
                      if node.name not in nodes and node.up]
        self._play.facts.add("attempt", attempt.began_ns - 1, attempt=attempt.number,
                             ranks=attempt.world * self._command.each, nodes=nodes)

    # Decisions:

    def _decide(self, agent: Agent, rule: str, to: str, word: str, at_ns: int, saw: list[str],
                by: str = "", budgets: list[Fact] | None = None,
                commands: list[str] | None = None) -> Fact:
        since_ns = agent.attempt.began_ns if agent.attempt is not None else 0
        # A job that is done is so of itself.
        fault = None if commands == ["complete"] else self._play.newest_fault(at_ns, since_ns)
        fact = self._play.facts.add(
            "decision", at_ns, by=by or f"agent:{agent.node.number}", rule=rule, word=word,
            **{"from": self._state}, to=to, saw=saw,
            fault=fault, budgets=budgets or [], commands=commands or [])
        self._state = to
        return fact

    def _charge(self, agent: Agent, rule: str, to: str, word: str, at_ns: int) -> None:
        """Counts are those of all agents together, limits so that what is left is what the agent
        has left that has least, as the hosted agents' are."""
        before = self._total
        self._total += 1
        used = {name: one.used for name, one in self._agents.items()}
        used[agent.node.name] += 1
        fullest = max(used.values())
        limit = self._total - fullest + self._command.max_restarts
        self._decide(agent, rule, to, word, at_ns, agent.failures, budgets=[
            {"name": words.BUDGET, "cause": self._cause(agent), "before": before,
             "used": self._total, "limit": limit, "charged": True,
             "exhausted": fullest > self._command.max_restarts}])

    def _cause(self, agent: Agent) -> str:
        """A collective that gave up waiting is a hang, as its worker has said."""
        own = [worker for worker in agent.node.workers
               if agent.attempt is not None and worker.attempt == agent.attempt.number]
        said = " ".join(worker.why for worker in own)
        return "hang" if re.search(r"[Tt]imed out", said) else "application"


def run(plan: Plan, facts: Facts, home: Room) -> None:
    """One run."""
    command = Command(plan)
    play = driver.Play(plan, facts, home, command.most)
    faults = Faults(play)
    play.strike = faults.strike
    controller = Torchrun(play, command)
    play.controller = controller
    torch = driver.version("torch")
    python = ".".join(str(part) for part in sys.version_info[:3])
    profile = "shared_store" if command.shares_store else torch.rpartition(".")[0]

    def submit() -> None:
        facts.rules(words.rules(torch), words.STATES, [words.BUDGET])
        controller.submit()

    try:
        play.run({"backend": "torchrun", "versions": {"torch": torch, "python": python},
                  "policy": f"torchrun@{profile}"}, submit)
    finally:
        faults.clean()
