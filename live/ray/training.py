"""The training function of a worker of Ray Train: the common script over Ray's own calls."""
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from ray import train
from ray.train import collective

from live.ray.meeting import disk_of, line_of
from live.script.checkpoints import Files, Unreadable
from live.script.core import Alone, Training


class _Together(Alone):
    """Ranks meet once, by Ray Train's own barrier, and go by themselves after that."""

    def join(self) -> None:
        """Waits for all ranks."""
        collective.barrier()


class _Reported:
    """Checkpoints as Ray Train keeps them. The disk of a node is a folder of its own."""

    def __init__(self, disk: Path, rank: int) -> None:
        self._disk = disk
        self._rank = rank

    def steps(self) -> list[int]:
        """The step of the checkpoint that Ray Train hands out, if there is one."""
        latest = train.get_checkpoint()
        if latest is None:
            return []
        with latest.as_directory() as folder:
            found: list[int] = Files(Path(folder)).steps()
        return found[:1]

    def load(self, step: int) -> None:
        """Reads it. Raises Unreadable."""
        latest = train.get_checkpoint()
        if latest is None:
            raise Unreadable(step, "it is gone")
        with latest.as_directory() as folder:
            Files(Path(folder)).load(step)

    def save(self, step: int) -> None:
        """Reports it, of all ranks at once: each waits in there for the others."""
        if self._rank != 0:
            train.report({"step": step}, checkpoint=None)
            return
        folder = Path(tempfile.mkdtemp(dir=self._disk))
        try:
            Files(folder).save(step)
            train.report({"step": step}, checkpoint=train.Checkpoint(str(folder)))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class _OfRay(Training):
    """The common training, of which each rank saves, and which asks Ray for notices."""

    def _meet(self, launched_ns: int) -> None:
        """The group has met when it was started."""
        self._transport.join()

    def _commit(self, step: int) -> None:
        self._saved = step
        self._store.save(step)

    def _take_step(self) -> None:
        self._channel.noticed = train.get_preemption_info() is not None
        super()._take_step()


def train_function(config: dict[str, Any]) -> None:
    """Trains as the plan's job says. config: job, path (of the channel), disks, names of nodes."""
    rank = train.get_context().get_world_rank()
    channel = line_of(config)
    disk = disk_of(config)
    store = _Reported(disk if disk.is_dir() else Path(tempfile.gettempdir()), rank)
    job = dict(config["job"])
    if not job["checkpoint"]:
        job["checkpoint"] = None
    try:
        _OfRay(job, rank, channel, _Together(), store).run(0)
        channel.tell("returned", pid=os.getpid())
    except BaseException as error:
        channel.tell("raised", error=type(error).__name__, pid=os.getpid())
        raise
