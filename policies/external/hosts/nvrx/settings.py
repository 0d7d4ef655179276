"""The scenario's settings of the policy as ft_launcher's own configuration objects."""
import dataclasses
import difflib
import json
from collections.abc import Callable
from typing import Any

from nvidia_resiliency_ext.fault_tolerance import launcher
from nvidia_resiliency_ext.fault_tolerance.config import FaultToleranceConfig

import hosting.messages
from hosting.messages import Message, Refused, issue

_LARGEST = 2**31 - 1
_LONGEST_S = 1e9
# Defaults of the command line where LaunchConfig has others.
_COMMAND_LINE = {"max_restarts": 0, "monitor_interval": 0.3}
PROGRESS_FILE = "latest_checkpointed_iteration.txt"


def _count(value: Any) -> bool:
    return type(value) is int and 0 <= value <= _LARGEST


def _positive(value: Any) -> bool:
    return type(value) is int and 1 <= value <= _LARGEST


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= _LONGEST_S


def _period(value: Any) -> bool:
    return _seconds(value) and value >= 1e-3


def _longest(value: Any) -> bool:
    return value is None or (_seconds(value) and value > 0)


@dataclasses.dataclass(frozen=True)
class Setting:
    """The values that a setting may have, in words, too."""

    right: Callable[[Any], bool]
    expected: str


_SECONDS = "seconds, from 0 to 10^9"
_PERIOD = "seconds, from 0.001 to 10^9"

SETTINGS = {
    "entry": Setting(lambda value: value in ("ft_launcher", "launch_config"),
                     "ft_launcher or launch_config"),
    "max_restarts": Setting(_count, "an integer of at least 0"),
    "max_no_progress_cycles": Setting(_count, "an integer of at least 0"),
    "checkpoint_iteration_file": Setting(
        lambda value: value is None or (isinstance(value, str) and value != ""),
        "the path of a file, or null"),
    "nproc_per_node": Setting(_positive, "an integer of at least 1"),
    "monitor_interval": Setting(_period, _PERIOD),
    "workers_stop_timeout": Setting(_seconds, _SECONDS),
    "rdzv_join_timeout": Setting(lambda value: _count(value) and value > 0,
                                 "whole seconds, more than 0: ft_launcher reads an integer"),
    "store_host": Setting(lambda value: value in ("rank_0", "outside"), "rank_0 or outside"),
    "rank_heartbeat_timeout": Setting(_longest, "seconds, more than 0, or null"),
    "workload_check_interval": Setting(_period, _PERIOD),
    "node_health_check_interval": Setting(_period, _PERIOD),
}
# They are ft_launcher's, and nothing of a scenario depends on them.
_WITHOUT_EFFECT = {
    "initial_rank_heartbeat_timeout", "rank_section_timeouts", "rank_out_of_section_timeout",
    "safety_factor", "num_warmup_iterations", "gpu_memory_reclaim_timeout",
    "gpu_memory_tolerance_mb", "gpu_memory_poll_interval", "term_timeout",
    "restart_check_interval", "restart_policy", "min_progress_iterations"}
_NOT_HOSTED = {"in_process": "the wrapper runs in the processes of ranks, of which a host has none"}
_OUTSIDE = "is not hosted: the store is the first launcher's, and no nvrx-control runs"


def _wrong(name: str, value: Any) -> Message | None:
    pointer = hosting.messages.pointer("config", name)
    if name in _WITHOUT_EFFECT:
        return None
    if name in _NOT_HOSTED:
        return issue(pointer, f"is not hosted: {_NOT_HOSTED[name]}", "no such setting")
    if name == "store_host" and value == "outside":
        return issue(pointer, _OUTSIDE, "rank_0")
    setting = SETTINGS.get(name)
    if setting is None:
        near = difflib.get_close_matches(name, SETTINGS, 1)
        return issue(pointer, "no such setting", "an option of ft_launcher", *near)
    if not setting.right(value):
        return issue(pointer, f"got {json.dumps(value)}", setting.expected)
    return None


class Settings:
    """The settings of one run."""

    def __init__(self, policy: Message) -> None:
        self._given: dict[str, Any] = policy["config"]
        issues = [row for name in self._given if (row := _wrong(name, self._given[name]))]
        if issues:
            raise Refused(issues)
        command = self._given.get("entry", "ft_launcher") == "ft_launcher"
        fields = {field.name: field.default for field in dataclasses.fields(launcher.LaunchConfig)}
        self._defaults = fields | (_COMMAND_LINE if command else {})
        self.ranks_each: int = self._given.get("nproc_per_node", 1)
        self.max_restarts = int(self._launch("max_restarts"))
        self.heartbeat_timeout_s: float | None = self._given.get("rank_heartbeat_timeout")
        fault_tolerance = self._fault_tolerance()
        self.workload_check_s: float = fault_tolerance.workload_check_interval
        self.health_check_s: float = fault_tolerance.node_health_check_interval
        self.max_no_progress_cycles: int = fault_tolerance.max_no_progress_cycles
        self.monitor_interval_s = float(self._launch("monitor_interval"))
        self.join_timeout_s: int = self.launch(1, 1, 0, True).rdzv_configs["join_timeout"]

    def launch(self, least: int, most: int, number: int, hosts_store: bool) -> Any:
        """LaunchConfig of the launcher of that number; `hosts_store`: it is the store's host."""
        rendezvous: dict[str, Any] = {"is_host": hosts_store}
        if "rdzv_join_timeout" in self._given:
            rendezvous["join_timeout"] = self._given["rdzv_join_timeout"]
        return launcher.LaunchConfig(
            min_nodes=least, max_nodes=most, nproc_per_node=self.ranks_each,
            fault_tol_cfg=self._fault_tolerance(), run_id="job", role="default",
            rdzv_endpoint="node-0:29400", rdzv_backend="c10d", rdzv_configs=rendezvous,
            max_restarts=self.max_restarts, monitor_interval=self.monitor_interval_s,
            workers_stop_timeout=float(self._launch("workers_stop_timeout")),
            local_addr=f"node-{number}")

    def _launch(self, name: str) -> Any:
        return self._given.get(name, self._defaults[name])

    def _fault_tolerance(self) -> FaultToleranceConfig:
        names = {field.name for field in dataclasses.fields(FaultToleranceConfig)}
        of = {name: value for name, value in self._given.items()
              if name in names and name in SETTINGS}
        if of.get("checkpoint_iteration_file"):
            of["checkpoint_iteration_file"] = PROGRESS_FILE
        return FaultToleranceConfig(**of)
