"""Faults as they are done to processes, nodes, links and files."""
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from live.driver import room
from live.driver.memory import MemoryGroups
from live.driver.nodes import Node, Worker
from live.driver.play import Play

Fault = dict[str, Any]

# A rank that is being started is waited for so long.
_PATIENCE_S = 5.0
_LOOK_S = 0.01
_ROOM_BYTES = 64 << 20  # of the checkpoints' file system, where it is to become full


class Missed(Exception):
    """A fault that cannot strike, and why."""


class NotYet(Exception):
    """Its target is not there; it may come."""


class Faults:
    """Strikes faults and ends them."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._memory = MemoryGroups(play.home.token, play.loop)
        if play.home.isolated and any(one["kind"] == "full_disk" for one in play.plan["faults"]):
            room.mount("tmpfs", play.checkpoints, "tmpfs", 0, f"size={_ROOM_BYTES}")
        self._acts: dict[str, Callable[[Fault], str]] = {
            "worker_crash": self._worker_crash,
            "hang": self._hang,
            "node_crash": self._node_crash,
            "preemption": self._preemption,
            "policy_crash": self._policy_crash,
            "partition": self._partition,
            "one_way_partition": self._partition,
            "link_flap": self._link_flap,
            "full_disk": self._full_disk,
            "user_interrupt": self._user_interrupt,
            "straggler": self._straggler,
            "corrupt_checkpoint": self._spoil,
            "torn_checkpoint": self._spoil,
            "deleted_checkpoint": self._spoil,
        }

    def strike(self, fault: Fault) -> None:
        """Strikes now, or as soon as its target is there."""
        self._try(fault, time.monotonic() + _PATIENCE_S)

    def _try(self, fault: Fault, until: float) -> None:
        if self._play.facts.ended:
            return
        now_ns = time.monotonic_ns()
        mark = (now_ns, fault["index"])
        self._play.struck.append(mark)
        try:
            act = self._acts.get(fault["kind"])
            if act is None:
                raise Missed(f"no process of this machine can suffer a {fault['kind']}")
            on = act(fault)
        except NotYet as error:
            self._play.struck.remove(mark)
            if time.monotonic() < until:
                self._play.loop.after(_LOOK_S, lambda: self._try(fault, until))
            else:
                self._miss(fault, str(error))
        except (Missed, OSError) as error:
            self._play.struck.remove(mark)
            self._miss(fault, str(error))
        else:
            self._play.facts.add("fault", now_ns, fault=fault["index"], what="struck", on=on,
                                 why=self._inexact(fault))

    def _inexact(self, fault: Fault) -> str:
        """In which the fault is not as the scenario has it; or nothing."""
        silent = fault["kind"] == "node_crash" and fault.get("connections") == "silent"
        return "its sockets close: without namespaces a node has no link of its own" \
            if silent and not self._play.network.several else ""

    def _miss(self, fault: Fault, why: str) -> None:
        self._play.facts.add("fault", fault=fault["index"], what="missed", on="", why=why)

    def _over(self, fault: Fault, on: str, call: Callable[[], object]) -> None:
        """Ends it after what it lasts."""
        if fault.get("lasts_s") is None:
            return

        def end() -> None:
            call()
            self._play.facts.add("fault", fault=fault["index"], what="over", on=on, why="")

        self._play.loop.after(fault["lasts_s"], end)

    # Targets:

    def _worker(self, fault: Fault) -> tuple[Worker, str]:
        rank = fault["target"].get("rank")
        if rank is None:
            raise Missed("its target is not a rank")
        worker = self._play.workers.get(rank)
        if worker is None or worker.ended:
            raise NotYet(f"rank {rank} does not run")
        return worker, f"job:{self._play.plan['job']['name']}/rank:{rank}"

    def _node(self, fault: Fault) -> Node:
        """The node that is named, or that has the rank which is."""
        if "node" in fault["target"]:
            return self._play.node(str(fault["target"]["node"]))
        if "agent" in fault["target"]:
            return self._play.nodes[int(fault["target"]["agent"])]
        worker, _ = self._worker(fault)
        return self._play.node(worker.node)

    # Processes:

    def _worker_crash(self, fault: Fault) -> str:
        worker, on = self._worker(fault)
        code = fault.get("exit_code") or (0 if fault.get("exit_code") == 0 else 1)
        match fault.get("how") or "exception":
            case "exit" if code == 0:
                worker.line.order("return")
            case "exit" if code > 128:
                worker.kill(code - 128)
            case "exit":
                worker.line.order("exit", code=code)
                worker.code = code
            case "oom":
                self._exhaust_memory(worker)
            case "error_without_exit":
                worker.line.order("hang")
            case _:
                worker.line.order("raise", else_exit_s=0.2, message="raised by the scenario")
        return on

    def _end_agent(self, fault: Fault, number: signal.Signals) -> str:
        node = self._node(fault)
        if node.agent is None or not node.has_agent:
            raise NotYet(f"the agent of {node.name} does not run")
        node.ends_alone = True
        os.kill(node.agent.pid, number)
        return f"job:{self._play.plan['job']['name']}/agent:{node.number}"

    def _policy_crash(self, fault: Fault) -> str:
        """Agents are the controller's processes: those of all nodes, or of the one that is named.
        Whoever starts them anew ends what they have left; an agent alone ends for good."""
        if "agent" in fault["target"]:
            return self._end_agent(fault, signal.Signals[str(fault.get("signal", "SIGKILL"))])
        play = self._play
        nodes = [node for node in play.nodes if node.has_agent and node.up] \
            if "job" in fault["target"] else [self._node(fault)]
        for node in nodes:
            if node.agent is not None and node.has_agent:
                os.kill(node.agent.pid, signal.SIGKILL)
        if fault.get("lasts_s") is not None:
            for node in nodes:
                play.expect_agent(node, fault["lasts_s"])
            self._over(fault, f"job:{play.plan['job']['name']}", lambda: None)
        return f"job:{play.plan['job']['name']}"

    def _exhaust_memory(self, worker: Worker) -> None:
        try:
            self._memory.confine(worker.pid)
        except OSError as error:
            raise Missed(f"a memory cgroup cannot be written: {error}") from error
        worker.line.order("allocate")
        worker.code = -signal.SIGKILL

    def _hang(self, fault: Fault) -> str:
        worker, on = self._worker(fault)
        if fault.get("answers", True):
            worker.line.order("hang")
            self._over(fault, on, lambda: worker.line.order("go_on"))
        else:
            worker.kill(signal.SIGSTOP)
            self._over(fault, on, lambda: worker.kill(signal.SIGCONT))
        return on

    def _straggler(self, fault: Fault) -> str:
        node = self._node(fault)

        def slow(factor: float) -> None:
            for worker in node.workers:
                worker.line.order("slow", factor=factor)

        slow(fault.get("slowdown") or 2.0)
        self._over(fault, f"node:{node.name}", lambda: slow(1.0))
        return f"node:{node.name}"

    def _user_interrupt(self, fault: Fault) -> str:
        for node in self._play.nodes:
            if node.agent is not None and node.has_agent:
                os.kill(node.agent.pid, signal.SIGINT)
        return f"job:{self._play.plan['job']['name']}"

    # Nodes:

    def _node_crash(self, fault: Fault) -> str:
        node = self._node(fault)
        on = f"node:{node.name}"
        if not node.up and fault.get("at_s") == 0:  # it has not been started for that reason
            self._give_back(fault, node)
            return on
        if not node.up:
            raise NotYet(f"{node.name} is not there")
        silent = self._play.network.several and fault.get("connections") == "silent"
        if silent:
            self._play.network.cut(node.name, whole=False)
        self._play.lose(node, fault["index"])

        if silent and fault.get("lasts_s") is not None:
            self._play.loop.after(fault["lasts_s"],
                                  lambda: self._play.network.cut(node.name, whole=True))
        self._give_back(fault, node)
        return on

    def _give_back(self, fault: Fault, node: Node) -> None:
        """The node is healthy again after what the fault lasts."""
        if fault.get("lasts_s") is not None:
            self._over(fault, f"node:{node.name}", lambda: None)
            self._play.expect_node(node, fault["lasts_s"])

    def _preemption(self, fault: Fault) -> str:
        node = self._node(fault)
        on = f"node:{node.name}"
        for worker in self._play.workers.values():
            worker.line.order("notice")
        left_s = (fault.get("notice_s") or 0.0) - (fault.get("early_s") or 0.0)

        def take() -> None:
            if not self._play.facts.ended:
                self._play.lose(node, fault["index"])
                self._give_back(fault, node)

        if left_s > 0:
            self._play.tell_node(node, "draining", fault["index"])
            self._play.loop.after(left_s, take)
        else:
            take()
        return on

    # Links:

    def _cut(self, node: Node, fault: Fault, whole: bool) -> None:
        network = self._play.network
        if fault["kind"] == "one_way_partition":
            outwards = fault.get("direction", "outwards") == "outwards"
            network.cut_one_way(node.name, outwards, whole)
        else:
            network.cut(node.name, whole)
        self._play.tell_node(node, "healed" if whole else "cut", fault["index"])

    def _partition(self, fault: Fault) -> str:
        if not self._play.network.several:
            raise Missed("nodes have no network namespaces of their own here")
        node = self._node(fault)
        self._cut(node, fault, whole=False)
        self._over(fault, f"node:{node.name}", lambda: self._cut(node, fault, whole=True))
        return f"node:{node.name}"

    def _link_flap(self, fault: Fault) -> str:
        if not self._play.network.several:
            raise Missed("nodes have no network namespaces of their own here")
        node = self._node(fault)
        down_s = fault.get("down_s") or 1.0
        self._cut(node, fault, whole=False)
        self._play.loop.after(down_s, lambda: self._cut(node, fault, whole=True))
        return f"node:{node.name}"

    # Files:

    def _full_disk(self, fault: Fault) -> str:
        if not self._play.home.isolated:
            raise Missed("a file system of its own for checkpoints needs a mount namespace")
        filler = self._play.checkpoints / "filler"
        try:
            with filler.open("wb") as file:
                while True:
                    file.write(b"\0" * (1 << 16))
                    file.flush()
        except OSError:
            pass  # it is full
        self._over(fault, "storage", filler.unlink)
        return "storage"

    def _spoil(self, fault: Fault) -> str:
        """Of the newest checkpoint."""
        files = sorted(self._play.checkpoints.glob("*.ckpt"), key=lambda path: int(path.stem))
        if not files:
            raise NotYet("there is not yet a checkpoint")
        match fault["kind"]:
            case "deleted_checkpoint":
                files[-1].unlink()
            case "torn_checkpoint":
                os.truncate(files[-1], files[-1].stat().st_size // 2)
            case _:
                with files[-1].open("r+b") as file:
                    file.seek(1000)
                    file.write(b"\xff" * 16)
        return f"checkpoint:{files[-1].stem}"

    def clean(self) -> None:
        """Removes memory cgroups."""
        self._memory.clean()
