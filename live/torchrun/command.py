"""The command line and variables of torchrun, from the scenario's settings of the policy."""
from typing import Any

from live.driver.plan import Plan, Unfit

RUN_ID = "run"
_SHARE = "TORCH_DISABLE_SHARE_RDZV_TCP_STORE"
# LaunchConfig's own; the command line has 0 (torch/distributed/launcher/api.py, run.py).
_RESTARTS_OF_LAUNCH_CONFIG = 3
# Constants of torch that a run at another speed sets, where the scenario does not.
_SCALED = {"join_timeout": 600, "last_call_timeout": 30, "close_timeout": 30}


class Command:
    """What all nodes of a run have in common. Raises Unfit."""

    def __init__(self, plan: Plan) -> None:
        self._config: dict[str, Any] = plan["policy"]["config"]
        self._speed: float = plan["speed"]
        self.each: int = self._config.get("nproc_per_node", 1)
        wanted = plan["job"]["workers"]
        self.most = max(1, wanted // self.each)
        least, _, most = str(self._config.get("nnodes", self.most)).partition(":")
        self.least = min(int(least), self.most) if most else self.most
        elastic = self._config.get("entry") == "elastic_launch"
        self.max_restarts: int = self._config.get(
            "max_restarts", _RESTARTS_OF_LAUNCH_CONFIG if elastic else 0)
        self.monitor_s: float = self._config.get("monitor_interval", 0.1) / self._speed
        self._heartbeat_s: float = plan["cluster"]["heartbeat_s"]
        self._misses: int = plan["cluster"]["misses"]
        self.cycles = 0
        self.static = self._config.get("rdzv_backend", "c10d") == "static"
        if len(plan["cluster"]["nodes"]) + len(plan["cluster"]["spares"]) < self.most:
            raise Unfit("/cluster/nodes", f"{self.most} are wanted by the job")
        shared = plan["policy"].get("profile") == "shared_store"
        self.variables = {_SHARE: "0" if shared else "1", "OMP_NUM_THREADS": "1",
                          "LOGLEVEL": "INFO", "TORCH_CPP_LOG_LEVEL": "ERROR"} \
            | plan["job"]["env"]

    @property
    def shares_store(self) -> bool:
        """Whether workers use the agents' store, as torch has it by default."""
        return bool(self.variables[_SHARE] != "1")

    def line(self, slot: int, address: str, store: str, port: int) -> list[str]:
        """The arguments on the node of that slot."""
        line = ["--nnodes", f"{self.least}:{self.most}" if self.least < self.most
                else str(self.most),
                "--nproc-per-node", str(self.each), "--max-restarts", str(self.max_restarts),
                "--monitor-interval", repr(self.monitor_s), "--rdzv-id", RUN_ID]
        if self.static:
            return [*line, "--node-rank", str(slot), "--master-addr", store,
                    "--master-port", str(port)]
        line += ["--rdzv-backend", "c10d", "--rdzv-endpoint", f"{store}:{port}",
                 "--local-addr", address]
        conf = {name: value for name, value in self._config.get("rdzv_conf", {}).items()
                if name not in ("is_host", "store_type")}
        # The cluster's heartbeat says when a node is given up. Torch reads whole seconds.
        conf["keep_alive_interval"] = max(1, round(self._heartbeat_s))
        conf["keep_alive_max_attempt"] = self._misses
        if self._speed != 1:
            conf |= {name: max(1, round(float(conf.get(name, value)) / self._speed))
                     for name, value in _SCALED.items()}
        conf["is_host"] = "1" if slot == 0 else "0"
        return [*line, "--rdzv-conf", ",".join(f"{name}={value}" for name, value in conf.items())]
