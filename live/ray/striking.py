"""What all faults share: their targets, and what is told of them."""
from collections.abc import Callable
from typing import Any

from live.ray.session import Session
from live.ray.workers import Worker

Fault = dict[str, Any]


class Striking:
    """The faults of one run. `run` is what they strike."""

    def __init__(self, session: Session) -> None:
        self.run = session
        self.job = f"job:{session.plan['job']['name']}"

    def struck(self, fault: Fault, on: str, at_ns: int | None = None, why: str = "") -> None:
        """The fault has struck. `why` says where that is not quite as the scenario has it."""
        self.run.latest_fault = fault["index"]
        self.run.facts.add("fault", at_ns, fault=fault["index"], what="struck", on=on, why=why)

    def missed(self, fault: Fault, why: str) -> None:
        """The fault was due, and there was nothing to strike."""
        self.run.facts.add("fault", fault=fault["index"], what="missed", on="", why=why)

    def node_is(self, fault: Fault, name: str, what: str, at_ns: int | None = None) -> None:
        """Tells of a node."""
        self.run.node_is(name, what in ("up", "added", "healed"))
        self.run.facts.add("node", at_ns, node=name, what=what, fault=fault["index"])

    def later(self, fault: Fault, call: Callable[[], object], on: str) -> None:
        """Ends the fault when it has lasted; one without a length stays."""
        def over() -> None:
            self.run.facts.add("fault", fault=fault["index"], what="over", on=on, why="")
            call()

        if fault.get("lasts_s") is not None:
            self.run.loop.after(fault["lasts_s"], over)

    def worker(self, fault: Fault) -> Worker | None:
        """Its target. None: it has been missed, or strikes once the group is placed."""
        attempt, target = self.run.attempt, fault["target"]
        if "node" in target:
            found = next(iter(attempt.on(target["node"])), None)
        else:
            found = attempt.workers.get(target.get("rank", 0))
        early = not attempt.settled and (found is None or fault.get("during") == "launch")
        if early:
            self.run.until_launched(fault)
            return None
        if found is None:
            self.missed(fault, "its worker is not there")
        return found

    def machine(self, fault: Fault) -> str:
        """The node that is its target or has the rank which is; "" where none is there."""
        if "node" in fault["target"]:
            name = str(fault["target"]["node"])
        else:
            worker = self.worker(fault)
            if worker is None:
                return ""
            name = worker.node
        if self.run.machines.of[name].node is None:
            self.missed(fault, "the node is not there")
            return ""
        return name

    def on(self, worker: Worker) -> str:
        """The words for a rank."""
        return f"{self.job}/rank:{worker.rank}"
