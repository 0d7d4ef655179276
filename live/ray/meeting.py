"""The rendezvous of a group, as torch's backend has its own: Ray Train runs it on all workers at
once, in the start of the group, and waits for all of them.
"""
import dataclasses
import time
from pathlib import Path
from typing import Any

import ray
from ray import train
from ray.train.backend import Backend, BackendConfig

from live.script.channel import Channel

Config = dict[str, Any]

_lines: dict[str, Channel] = {}  # of a worker's process, its own


class Groups:
    """Of the controller's process: the groups that it has begun to start."""

    count = 0
    begun_ns = 0


def line_of(config: Config) -> Channel:
    """The worker's line to the driver. config: path (of the channel), names of nodes."""
    path = config["path"]
    if path not in _lines:
        node = config["names"].get(ray.util.get_node_ip_address(), "")
        rank = train.get_context().get_world_rank()
        _lines[path] = Channel(path, role="worker", rank=rank, node=node)
    return _lines[path]


def disk_of(config: Config) -> Path:
    """The folder of the node's disk. config: disks, names of nodes."""
    node = config["names"].get(ray.util.get_node_ip_address(), "")
    return Path(config["disks"]) / (node or "head")


def _meet(config: Config, phases: dict[str, float | None], begun_ns: int) -> None:
    """Launching and the rendezvous take as long as the scenario says, or as they really take."""
    line = line_of(config)
    launched_ns = begun_ns + round((phases.get("launching_s") or 0.0) * 1e9)
    line.wait(max(0.0, (launched_ns - time.monotonic_ns()) / 1e9))
    line.tell("phase", phase="rendezvous", step=0)
    line.wait(phases.get("rendezvous_s") or 0.0)


class Meeting(Backend):
    """The backend whose start is `_meet`."""

    def on_start(self, worker_group: Any, backend_config: BackendConfig) -> None:
        """Returns once all workers have met. Raises if one of them is gone."""
        assert isinstance(backend_config, MeetingConfig)
        told = backend_config.told
        phases = told["job"].get("phases" if Groups.count == 1 else "restart_phases", {})
        worker_group.execute(_meet, told, phases, Groups.begun_ns)


@dataclasses.dataclass
class MeetingConfig(BackendConfig):
    """`told` is what the training function is told, too."""

    told: Config

    @property
    def backend_cls(self) -> type[Meeting]:
        """The backend."""
        return Meeting
