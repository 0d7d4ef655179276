"""The command line and variables of ft_launcher, from the scenario's settings of the policy."""
from typing import Any

from live.driver.plan import Plan, Unfit

PROGRESS_FILE = "latest_checkpointed_iteration.txt"
_RESTARTS_OF_LAUNCH_CONFIG = 3
# Settings by their names on the command line.
_OPTIONS = {"workers_stop_timeout": "--workers-stop-timeout",
            "rank_heartbeat_timeout": "--ft-rank-heartbeat-timeout",
            "workload_check_interval": "--ft-workload-check-interval",
            "node_health_check_interval": "--ft-node-health-check-interval",
            "max_no_progress_cycles": "--ft-max-no-progress-cycles"}
# Those that are times, and the default of one that a run at another speed sets.
_TIMES = ("workers_stop_timeout", "rank_heartbeat_timeout", "workload_check_interval",
          "node_health_check_interval")
_SCALED = {"workers_stop_timeout": 15}


class Command:
    """What all nodes of a run have in common. Raises Unfit."""

    def __init__(self, plan: Plan, folder: str) -> None:
        self._config: dict[str, Any] = plan["policy"]["config"]
        self._folder = folder
        self._speed: float = plan["speed"]
        self.each: int = self._config.get("nproc_per_node", 1)
        self.least = max(1, plan["job"]["workers"] // self.each)
        # All nodes that there are beyond those are hot spares.
        self.most = len(plan["cluster"]["nodes"]) + len(plan["cluster"]["spares"])
        if self.most < self.least:
            raise Unfit("/cluster/nodes", f"{self.least} are wanted by the job")
        library = self._config.get("entry") == "launch_config"
        self.max_restarts: int = self._config.get(
            "max_restarts", _RESTARTS_OF_LAUNCH_CONFIG if library else 0)
        self.cycles: int = self._config.get("max_no_progress_cycles", 0)
        self.variables = {
            "NVRX_ENABLE_MULTI_LAUNCHERS_PER_NODE": "1", "LOGLEVEL": "INFO",
            "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1", "OMP_NUM_THREADS": "1",
            "TORCH_CPP_LOG_LEVEL": "ERROR",
            "AFTERSHOCK_LIVE_PROGRESS": f"{folder}/{PROGRESS_FILE}"} | plan["job"]["env"]

    def line(self, slot: int, address: str, store: str, port: int) -> list[str]:
        """The arguments on the node of that slot."""
        nodes = f"{self.least}:{self.most}" if self.least < self.most else str(self.least)
        line = ["--nnodes", nodes, "--nproc-per-node", str(self.each),
                "--max-restarts", str(self.max_restarts),
                "--monitor-interval",
                repr(self._config.get("monitor_interval", 0.3) / self._speed),
                "--rdzv-backend", "c10d", "--rdzv-endpoint", f"{store}:{port}",
                "--rdzv-id", "job", "--local-addr", address]
        conf = {"is_host": "1" if slot == 0 else "0"}
        if "rdzv_join_timeout" in self._config:
            conf["join_timeout"] = str(max(1, round(self._config["rdzv_join_timeout"]
                                                    / self._speed)))
        line += ["--rdzv-conf", ",".join(f"{name}={value}" for name, value in conf.items())]
        for name, option in _OPTIONS.items():
            value = self._config.get(name, _SCALED.get(name) if self._speed != 1 else None)
            if value is not None:
                timed = name in _TIMES and self._speed != 1
                line += [option, str(value / self._speed if timed else value)]
        if self._config.get("checkpoint_iteration_file"):
            line += ["--ft-checkpoint-iteration-file", f"{self._folder}/{PROGRESS_FILE}"]
        return line
