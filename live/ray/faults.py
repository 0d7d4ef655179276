"""The kinds of faults that real processes of Ray can suffer."""
from collections.abc import Callable

from live.driver.plan import Unfit
from live.driver.room import mount
from live.ray import node_faults, run_faults, worker_faults
from live.ray.session import Session
from live.ray.striking import Fault, Striking

_KINDS: dict[str, Callable[[Striking, Fault], None]] = {
    "worker_crash": worker_faults.crash,
    "hang": worker_faults.hang,
    "straggler": worker_faults.straggle,
    "node_crash": node_faults.crash,
    "preemption": node_faults.preempt,
    "partition": node_faults.cut,
    "one_way_partition": node_faults.cut_one_way,
    "full_disk": node_faults.fill_disk,
    "head_crash": run_faults.crash_head,
    "policy_crash": run_faults.crash_controller,
    "user_interrupt": run_faults.interrupt,
    "torn_snapshot": run_faults.spoil,
    "torn_checkpoint": run_faults.spoil,
    "corrupt_checkpoint": run_faults.spoil,
    "deleted_checkpoint": run_faults.spoil,
}
_OF_NAMESPACES = ("partition", "one_way_partition", "full_disk")


class Faults:
    """Strikes the faults of one run."""

    def __init__(self, session: Session) -> None:
        self._striking = Striking(session)

    def strike(self, fault: Fault) -> None:
        """The fault is due now."""
        if fault["kind"] == "preemption" and fault["target"].get("head"):
            run_faults.crash_head(self._striking, fault)
        else:
            _KINDS[fault["kind"]](self._striking, fault)


def refuse(faults: list[Fault], linked: bool) -> None:
    """Raises Unfit where one of the faults cannot be played. linked: nodes have own links."""
    for number, fault in enumerate(faults):
        where, kind = f"/faults/{number}", fault["kind"]
        if kind not in _KINDS:
            raise Unfit(f"{where}/kind", f"processes of Ray cannot suffer a {kind}")
        if kind == "worker_crash" and fault.get("during") in ("construction", "backend_setup"):
            raise Unfit(f"{where}/during", "of a start's parts Ray's callbacks show context_init "
                                           "and launch")
        if kind == "full_disk" and fault["target"].get("head"):
            raise Unfit(f"{where}/target", "the head has no disk of its own")
        if kind in _OF_NAMESPACES and not linked:
            raise Unfit(f"{where}/kind", f"a {kind} needs namespaces, which are not to be had")


def limit_disks(session: Session) -> None:
    """Makes the disk of each node a small file system of its own. Raises OSError."""
    for name in session.machines.of:
        mount("tmpfs", session.machines.of[name].disk, "tmpfs", 0, "size=4m")
