"""The backend `ray`: Ray Train V2 on a cluster of Ray's own."""
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

from live.driver.facts import Facts
from live.driver.plan import Unfit
from live.driver.room import TOKEN, Room

_CURRENT = Path(tempfile.gettempdir(), "ray", "ray_current_cluster")


def run(plan: dict[str, Any], facts: Facts, room: Room) -> None:
    """Plays the plan, and returns when the run has ended or standard input has. Raises Unfit."""
    if not room.isolated:
        refuse_beside(_CURRENT)
    # Before Ray is imported: it reads some of it once.
    environment(room, Path(__file__).resolve().parents[2])
    from live.ray.faults import Faults, limit_disks, refuse
    from live.ray.session import Session
    (room.folder / "ray").mkdir()
    session = Session(plan, facts, room)
    refuse(plan["faults"], session.machines.linked)
    if session.machines.linked:
        limit_disks(session)
    try:
        session.run(Faults(session).strike)
    finally:
        session.machines.end()
        for call in session.at_end:
            call()


def refuse_beside(current: Path) -> None:
    """Raises Unfit where that file names a cluster which lives."""
    if not current.exists():
        return
    host, _, port = current.read_text(encoding="utf-8").strip().rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=2.0).close()
    except (OSError, ValueError):
        return
    raise Unfit("isolated", f"{current} names a cluster that lives: without namespaces "
                            "a run does not start beside it")


def environment(room: Room, package_root: Path) -> None:
    """Makes this process's environment that of the cluster's processes: no cluster of the user's
    is joined, and nothing is told to anybody outside."""
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        del os.environ[name]
    os.environ.update({
        TOKEN: room.token, "PYTHONPATH": str(package_root), "RAY_ENABLE_AUTO_CONNECT": "0",
        "RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_enable_metrics_collection": "0", "RAY_TRAIN_V2_ENABLED": "1",
        "RAY_TRAIN_METRICS_ENABLED": "0",
        # Titles of processes leave the environment alone, by which a guardian finds them.
        "SPT_NOENV": "1"})
