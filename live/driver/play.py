"""A run: nodes with agents, what their processes tell, and what becomes of the nodes."""
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from live.driver import room
from live.driver.facts import Fact, Facts
from live.driver.loop import Line, Loop, Message
from live.driver.network import Network
from live.driver.nodes import Node, Processes, Worker
from live.driver.plan import Plan
from live.driver.triggers import Triggers

# Faults that need links of their own.
_CUTS = ("partition", "one_way_partition", "link_flap")


class Controller(Protocol):
    """The knowledge that a backend has of its controller."""

    def start(self, node: Node) -> None:
        """Starts the agent of a node."""

    def hear(self, node: Node, message: Message) -> None:
        """An agent has told something."""

    def attempt_of(self, node: Node) -> tuple[int, int]:
        """The attempt that the workers of a node belong to, and when it began."""

    def agent_ended(self, node: Node, code: int) -> None:
        """The agent of a node that is up has ended."""


def needs_links(plan: Plan) -> bool:
    """Whether nodes have to fall silent without closing their connections."""
    return any(fault["kind"] in _CUTS or fault["kind"] == "node_crash"
               and fault.get("connections") == "silent" for fault in plan["faults"])


class Play:
    """The state of a run. `most` nodes are wanted by the job."""

    def __init__(self, plan: Plan, facts: Facts, home: room.Room, most: int) -> None:
        self.plan = plan
        self.facts = facts
        self.home = home
        self.controller: Controller
        self.strike: Callable[[dict[str, Any]], None]
        self.processes = Processes(home)
        self.loop = Loop(home.folder / "line", self._hear, self._reaped)
        self.network = Network(home.isolated and needs_links(plan), self.processes.environment)
        names = [node["name"] for node in plan["cluster"]["nodes"] + plan["cluster"]["spares"]]
        self.nodes = [Node(name, number) for number, name in enumerate(names)]
        self.most = most
        self.workers: dict[int, Worker] = {}  # by rank, of the newest attempt that has it
        self.checkpoints = home.folder / "checkpoints"
        self.checkpoints.mkdir()
        self.struck: list[tuple[int, int]] = []  # times and indices of faults
        self.triggers = Triggers(self.loop, plan["faults"], lambda fault: self.strike(fault))
        self._returning = 0  # nodes that are to come back
        self._ends: dict[int, tuple[Fact | None, int | None]] = {}  # by pid: facts and codes
        for node in self.nodes:
            self.network.add(node.name)

    # Nodes:

    def node(self, name: str) -> Node:
        """By its name."""
        return next(node for node in self.nodes if node.name == name)

    def tell_node(self, node: Node, what: str, fault: int | None = None) -> None:
        """The fact of what became of a node."""
        self.facts.add("node", node=node.name, what=what, fault=fault)

    def bring_up(self, node: Node) -> None:
        """The node is there, and somebody starts the agent on it."""
        if self.loop.stopped or node.up:
            return
        node.up = True
        node.workers = []
        self.tell_node(node, "up")
        self.controller.start(node)

    def lose(self, node: Node, fault: int) -> None:
        """All processes of a node are gone. Where somebody has a node to replace it, that one is
        brought up when the loss has been noticed."""
        node.up = False
        self.tell_node(node, "lost", fault)
        self.processes.kill(node)
        cluster = self.plan["cluster"]
        noticed_s = cluster["heartbeat_s"] * cluster["misses"]
        free = next((other for other in self.nodes[self.most:] if not other.up
                     and not other.workers and other is not node), None)
        if free is not None:
            self.expect_node(free, noticed_s)
        elif cluster["replacement"] != "none":
            wait_s = cluster["provision_s"] if cluster["replacement"] == "provision" else 0.0
            self.expect_node(node, noticed_s + wait_s)

    def expect_node(self, node: Node, seconds: float) -> None:
        """The node comes so much later."""
        self._returning += 1

        def come() -> None:
            self._returning -= 1
            self.bring_up(node)

        self.loop.after(seconds, come)

    def expect_agent(self, node: Node, seconds: float) -> None:
        """A new agent is started on the node so much later; what is left there is ended first."""
        self._returning += 1

        def come() -> None:
            self._returning -= 1
            if node.up and not self.loop.stopped:
                self.processes.kill(node)
                node.workers = []
                self.controller.start(node)

        self.loop.after(seconds, come)

    @property
    def nodes_to_come(self) -> bool:
        """Whether a node is expected."""
        return self._returning > 0

    # The run:

    def run(self, begin: Fact, submit: Callable[[], None]) -> None:
        """From the submission to the end. `begin` has the members of the first fact."""
        self.loop.watch(0, self._input)
        self.facts.begin(isolation="namespaces" if self.home.isolated else "guardian",
                         clock="CLOCK_MONOTONIC",
                         addresses="several" if self.network.several else "one", **begin)
        self.triggers.begin(self.facts.start_ns)
        self.loop.at(self.facts.start_ns + round(self.plan["until_s"] * 1e9), self._time_is_up)
        self._beat()
        submit()
        self.loop.run()

    def end(self, outcome: str, state: str, reason: str = "", at_ns: int | None = None) -> None:
        """The job has ended."""
        self._miss_faults()
        self.facts.end(outcome, state, reason, at_ns)
        self.loop.stop()
        if outcome != "completed" and os.environ.get("AFTERSHOCK_LIVE_LOGS"):
            self.show_logs()

    def show_logs(self) -> None:
        """The output of the processes of nodes, where a reason is looked for."""
        for node in self.nodes:
            log = self.processes.log(node)
            if log.exists():
                print(f"--- {node.name}\n{log.read_text(errors='replace')[-8000:]}",
                      file=sys.stderr)

    def _miss_faults(self) -> None:
        for fault in self.triggers.waiting():
            self.facts.add("fault", fault=fault["index"], what="missed", on="",
                           why="the run ended before it was due")

    def _time_is_up(self) -> None:
        self.end("running", "", "until_s")

    def _input(self) -> None:
        if not os.read(0, 4096):
            self.loop.stop()  # nobody wants the run any more

    def _beat(self) -> None:
        self.facts.flush()
        self.loop.after(0.25, self._beat)

    # What is told:

    def newest_fault(self, at_ns: int, since_ns: int) -> int | None:
        """The fault that has struck last before that moment, if not before the other one."""
        return next((fault for when, fault in reversed(self.struck)
                     if since_ns <= when <= at_ns), None)

    def ended_with(self, pid: int, code: int) -> None:
        """Somebody knows the exit code of a worker, perhaps before its end has been seen."""
        fact, known = self._ends.get(pid, (None, None))
        self._ends[pid] = (fact, code if known is None else known)
        if fact is not None and fact["code"] is None:
            fact["code"] = code

    def _reaped(self, pid: int, code: int) -> None:
        for node in self.nodes:
            if node.agent is not None and node.agent.pid == pid \
                    and node.agent.returncode is None:
                node.agent.returncode = code
                self._agent_ends(node, code)
                return
        self.ended_with(pid, code)  # an orphan

    def _agent_ends(self, node: Node, code: int) -> None:
        if node.up and not self.facts.ended:
            # What it has told last is read first.
            self.loop.after(0.02, lambda: self.controller.agent_ended(node, code))

    def _hear(self, line: Line, message: Message) -> None:
        if self.facts.ended or not line.hello:
            return
        node = self.node(line.hello["node"])
        if line.hello["role"] == "agent":
            self.controller.hear(node, message)
            return
        if message["what"] == "hello":
            self._worker_begins(line, node, message)
            return
        worker = next((one for one in node.workers if one.line is line), None)
        if worker is not None:
            self._hear_worker(worker, message)

    def _worker_begins(self, line: Line, node: Node, hello: Message) -> None:
        attempt, began_ns = self.controller.attempt_of(node)
        worker = Worker(line, attempt)
        node.workers.append(worker)
        self.workers[worker.rank] = worker
        # The kernel counts starts in ticks of 10 ms.
        self.facts.add("worker", max(hello["started_ns"], began_ns), attempt=attempt,
                       rank=worker.rank, node=node.name, what="launched", code=None)

    def _hear_worker(self, worker: Worker, message: Message) -> None:
        now_ns = message["t_ns"]
        base = {"attempt": worker.attempt, "rank": worker.rank}
        match message["what"]:
            case "phase":
                self.facts.add("phase", now_ns, **base, phase=message["phase"],
                               step=message["step"])
                self.triggers.phase(worker.attempt, worker.rank, message["phase"], now_ns)
            case "step":
                self.facts.add("step", now_ns, **base, step=message["step"])
                if worker.rank == 0:
                    self.triggers.step(worker.attempt, message["step"], now_ns)
            case "checkpoint":
                self.facts.add("checkpoint", now_ns, attempt=worker.attempt, what=message["did"],
                               step=message["step"])
            case "returns":
                worker.code = 0
            case "raises":
                worker.code = 1
                worker.why = f"{message['error']}: {message['text']}"
            case "gone":
                worker.ended = True
                known = self._ends.get(worker.pid, (None, None))[1]
                code = worker.code if worker.code is not None else known
                fact = self.facts.add("worker", now_ns, **base, node=worker.node, what="ended",
                                      code=code)
                self._ends[worker.pid] = (fact, code)


def version(package: str) -> str:
    """The installed version of a package."""
    import importlib.metadata
    return importlib.metadata.version(package).partition("+")[0]


def free_port() -> int:
    """A port of the loopback that nobody has at the moment."""
    import socket
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def script() -> Path:
    """The training script."""
    return Path(__file__).resolve().parent.parent / "script" / "train.py"
