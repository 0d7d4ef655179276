"""The scenario's settings of the policy as the command line of torchrun."""
import contextlib
import copy
import difflib
import io
import json
import os
import random
from collections.abc import Callable
from typing import Any

from torch.distributed import run
from torch.distributed.launcher.api import LaunchConfig

import hosting.messages
from hosting.messages import Message, Refused, issue

RUN_ID = "run"
_PORT = 29400
_SHARE = "TORCH_DISABLE_SHARE_RDZV_TCP_STORE"
# LaunchConfig's own; the command line has 0 (torch/distributed/launcher/api.py, run.py).
_RESTARTS_OF_LAUNCH_CONFIG = 3
_LONGEST_S = 10**9
# Of the rendezvous; the last ones of the store.
_CONF = ("join_timeout", "last_call_timeout", "close_timeout", "heartbeat_timeout",
         "keep_alive_interval", "keep_alive_max_attempt", "cas_backoff_max_seconds",
         "read_timeout", "timeout", "is_host", "store_type")
_OF_NO_EFFECT = ("rdzv_endpoint", "rdzv_id", "start_method", "log_dir", "redirects", "tee", "role")


def address_of(slot: int) -> str:
    """The address of a slot's node: the order of addresses is that of slots."""
    return f"node-{slot:06}"


def _whole(least: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and least <= value <= _LONGEST_S


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _LONGEST_S


def _period(value: Any) -> bool:
    return _seconds(value) and value >= 1e-3


def _nnodes(value: Any) -> bool:
    try:
        least, most = run.parse_min_max_nnodes(str(value))
    except (RuntimeError, ValueError):
        return False
    return type(value) in (int, str) and 1 <= least <= most


def _one_of(*words: str) -> Callable[[Any], bool]:
    return lambda value: value in words


_SECONDS = "seconds, from 0 to 10^9"
_SETTINGS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "entry": (_one_of("torchrun", "elastic_launch"), '"torchrun" or "elastic_launch"'),
    "max_restarts": (_whole(0), "an integer of at least 0"),
    "nnodes": (_nnodes, 'a number of nodes, or "MIN:MAX"'),
    "nproc_per_node": (_whole(1), "an integer of at least 1"),
    "monitor_interval": (_period, "seconds, from 0.001 to 10^9"),
    "rdzv_backend": (_one_of("c10d", "static"), '"c10d" or "static"; etcd is not hosted'),
    "rdzv_conf": (lambda value: isinstance(value, dict), "an object"),
    "exit_barrier_timeout": (_seconds, _SECONDS),
}


class Settings:
    """The settings of one run. Raises Refused where torchrun could not have them."""

    def __init__(self, policy: Message, seed: int) -> None:
        given: dict[str, Any] = policy["config"]
        issues = [row for name in given if (row := _wrong(name, given[name]))]
        if not issues:
            issues = [row for name in given.get("rdzv_conf", {}) if (row := _wrong_conf(name))]
        if issues:
            raise Refused(issues)
        self._given = given
        self.variables: dict[str, str] = {_SHARE: "1"} | policy.get("env", {})
        self.random = random.Random(seed)
        self.static = given.get("rdzv_backend", "c10d") == "static"
        self.ranks_each: int = given.get("nproc_per_node", 1)
        otherwise = _RESTARTS_OF_LAUNCH_CONFIG if given.get("entry") == "elastic_launch" else 0
        self.max_restarts: int = given.get("max_restarts", otherwise)
        self.monitor_interval_s: float = given.get("monitor_interval", 0.1)
        self.exit_barrier_s: float = given.get("exit_barrier_timeout", 300)

    @property
    def shares_store(self) -> bool:
        """Whether workers use the agents' store, and MASTER_PORT stays: torch's own default, here
        where the variable is 0."""
        return self.variables.get(_SHARE, "0") != "1"

    def sizes(self, workers: int) -> tuple[int, int]:
        """The least and the most nodes of a job of so many workers."""
        most = max(1, workers // self.ranks_each)
        if "nnodes" not in self._given:
            return most, most
        least, _ = run.parse_min_max_nnodes(str(self._given["nnodes"]))
        return (min(least, most), most) if ":" in str(self._given["nnodes"]) else (most, most)

    def apply(self) -> None:
        """Makes the environment that of the run; what an earlier run has set is gone."""
        for name in [name for name in os.environ if name.startswith(("TORCH", "PET_"))]:
            del os.environ[name]
        os.environ.update(self.variables)

    def launch_configs(self, workers: int) -> Callable[[int], tuple[LaunchConfig, Any, list[str]]]:
        """Torchrun's reading of its command line on the node of a slot: its configuration,
        entry point and arguments."""
        least, most = self.sizes(workers)
        line = ["--nnodes", f"{least}:{most}" if least < most else str(most),
                "--nproc-per-node", str(self.ranks_each),
                "--max-restarts", str(self.max_restarts),
                "--monitor-interval", repr(self.monitor_interval_s),
                "--rdzv-id", RUN_ID, "--log-dir", os.devnull]
        if self.static:
            line += ["--node-rank", "0", "--master-addr", address_of(0),
                     "--master-port", str(_PORT)]
        else:
            line += ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"{address_of(0)}:{_PORT}"]
        conf = {name: value for name, value in self._given.get("rdzv_conf", {}).items()
                if name not in ("is_host", "store_type")}
        if conf:
            line += ["--rdzv-conf", ",".join(f"{name}={value}" for name, value in conf.items())]
        with contextlib.redirect_stderr(io.StringIO()):
            given = run.parse_args([*line, "train.py"])
            config, entrypoint, arguments = run.config_from_args(given)

        def of(slot: int) -> tuple[LaunchConfig, Any, list[str]]:
            own = copy.copy(config)
            own.local_addr = address_of(slot)
            own.rdzv_configs = dict(config.rdzv_configs)
            if self.static:
                own.rdzv_configs["rank"] = slot
            else:
                own.rdzv_configs["is_host"] = slot == 0
            return own, entrypoint, list(arguments)

        return of


def _wrong(name: str, value: Any) -> Message | None:
    pointer = hosting.messages.pointer("config", name)
    if name in _OF_NO_EFFECT:
        return None
    if name not in _SETTINGS:
        near = difflib.get_close_matches(name, _SETTINGS, 1)
        return issue(pointer, "no such setting", "an option of torchrun", *near)
    right, expected = _SETTINGS[name]
    return None if right(value) else issue(pointer, f"got {json.dumps(value)}", expected)


def _wrong_conf(name: str) -> Message | None:
    if name in _CONF:
        return None
    near = difflib.get_close_matches(name, _CONF, 1)
    return issue(hosting.messages.pointer("config", "rdzv_conf", name), "no such setting",
                 "a setting of the rendezvous", *near)
