"""The machines of a run: Ray's own test cluster with a raylet for each node of the scenario."""
import contextlib
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from ray import cluster_utils
from ray._private import node as ray_node
from ray._private import ray_constants
from ray._private import services
from ray._private import utils as ray_utils
from ray._raylet import GcsClient
from ray.core.generated import autoscaler_pb2

from live.ray import processes
from live.ray.nets import Net, NoNetworks, make_bridge

_STORE_BYTES = 80 << 20
_PREEMPTION = "DRAIN_NODE_REASON_PREEMPTION"
HEAD = "head"
# A raylet's own answer to SIGTERM takes some tenths of a second.
_SIGN_OFF_S = 5.0

_plain_start = services.start_ray_process
_starting = threading.local()


def _start_in_its_network(command: list[str], *args: Any, **kwargs: Any) -> Any:
    """As Ray's own, in the network of the node that this thread starts."""
    net: Net | None = getattr(_starting, "net", None)
    started = _plain_start([*net.prefix(), *command] if net else command, *args, **kwargs)
    _starting.pids.append(started.process.pid)
    return started


def _start_no_dashboard(node: Any, *_: Any, **__: Any) -> None:
    """In the place of the dashboard's server, which costs a second of each run. Its address is
    looked for, for 40 s, and then asked: nobody answers at this one."""
    node.get_gcs_client().internal_kv_put(
        ray_constants.DASHBOARD_ADDRESS.encode(), b"127.0.0.1:9", True,
        namespace=ray_constants.KV_NAMESPACE_DASHBOARD)


def _write_nothing(*_: Any) -> None:
    """In the place of the file that names the newest cluster of this machine."""


class Machine:
    """A node of the scenario. `node` is its raylet with what belongs to it, while there is one."""

    def __init__(self, name: str, accelerators: int, net: Net | None, address: str,
                 disk: Path) -> None:
        self.name = name
        self.accelerators = accelerators
        self.net = net
        self.address = address
        self.disk = disk
        self.node: Any = None

    @property
    def node_id(self) -> str:
        """The name that Ray has given it; "" while it has none."""
        return str(self.node.node_id) if self.node else ""

    def processes(self) -> list[int]:
        """All that runs on it."""
        if self.net:
            return processes.in_network(self.net.inode)
        if self.node is None:
            return []
        return processes.below([info.process.pid for infos in self.node.all_processes.values()
                                for info in infos])


class Machines:
    """All nodes of a run, and the head. Names are those of the scenario, and HEAD."""

    def __init__(self, plan: dict[str, Any], folder: Path, isolated: bool) -> None:
        self._plan = plan["cluster"]
        self._folder = folder
        self._cluster: Any = None
        self._lock = threading.Lock()
        self._one_by_one = threading.Lock()
        self._count = 0
        # Whether nodes have links of their own; all of 127.0.0.0/8 is on the loopback otherwise.
        self.linked = isolated and self._can_have_networks()
        listed = [(HEAD, 0)] + [(row["name"], row["accelerators"]) for row in
                                [*self._plan["nodes"], *self._plan.get("spares", [])]]
        self.of: dict[str, Machine] = {}
        for number, (name, accelerators) in enumerate(listed):
            disk = folder / "disk" / name
            disk.mkdir(parents=True)
            net = Net(number) if self.linked else None
            address = net.address if net else f"127.0.{number // 200}.{number % 200 + 1}"
            self.of[name] = Machine(name, accelerators, net, address, disk)
        services.start_ray_process = _start_in_its_network
        ray_node.Node.start_api_server = _start_no_dashboard
        # Programs beside this one are not to find this cluster.
        ray_utils.write_ray_address = _write_nothing

    @staticmethod
    def _can_have_networks() -> bool:
        try:
            make_bridge()
        except NoNetworks:
            return False
        return True

    def address(self) -> str:
        """Where the head is found."""
        return str(self._cluster.address)

    def start_head(self) -> None:
        """Starts the head with a cluster of its own."""
        heartbeat_ms = max(100, round(self._plan.get("heartbeat_s", 3.0) * 1000))
        # The head asks again after a period, and a silent node costs the timeout, too.
        timeout_ms = (round(self._plan.get("heartbeat_timeout_s", 0.0) * 1000)
                      or heartbeat_ms - heartbeat_ms // 3)
        config = {"health_check_initial_delay_ms": 2 * heartbeat_ms,
                  "health_check_period_ms": heartbeat_ms - timeout_ms,
                  "health_check_timeout_ms": timeout_ms,
                  "health_check_failure_threshold": self._plan.get("misses", 5)}
        self._add(self.of[HEAD], num_cpus=1, num_gpus=0, include_dashboard=False,
                  no_monitor=True, include_log_monitor=False, _system_config=config)

    def start(self, name: str) -> None:
        """Starts the raylet of a node."""
        machine = self.of[name]
        self._add(machine, num_cpus=1, num_gpus=machine.accelerators)

    def _add(self, machine: Machine, **words: Any) -> None:
        """Ray gives a node 30 s to start, which a busy machine exceeds: then once more, and again,
        one node after the other."""
        try:
            self._try(machine, **words)
            return
        except Exception as error:
            print(f"{machine.name} is started once more: {error}", file=sys.stderr)
        with self._one_by_one:
            try:
                self._try(machine, **words)
            except Exception:
                self._try(machine, **words)

    def _try(self, machine: Machine, **words: Any) -> None:
        _starting.net, _starting.pids = machine.net, []
        if machine.name == HEAD:
            self._cluster = cluster_utils.Cluster(shutdown_at_exit=False)
        try:
            self._add_once(machine, **words)
        except Exception:
            processes.kill(processes.below(_starting.pids))
            raise
        finally:
            _starting.net = None

    def _add_once(self, machine: Machine, **words: Any) -> None:
        with self._lock:  # Ray looks for names that are free, and nodes start side by side
            self._count += 1
            sockets = self._folder / f"s{self._count}"
        sockets.mkdir()
        machine.node = self._cluster.add_node(
            wait=True, object_store_memory=_STORE_BYTES, node_ip_address=machine.address,
            temp_dir=str(self._folder / "ray"), raylet_socket_name=str(sockets / "raylet"),
            plasma_store_socket_name=str(sockets / "store"), **words)

    def name_by_ranks(self, in_order: list[str]) -> None:
        """Gives the nodes the names of the scenario in the order of the ranks that they have. Ray
        places a group where it likes, and a fault of a node is meant for that of certain ranks."""
        own = [row["name"] for row in self._plan["nodes"]]
        having = [name for name in in_order if name in own]
        having += [name for name in own if name not in having]
        machines = [self.of[name] for name in having]
        for name, machine in zip(own, machines, strict=True):
            machine.name = name
            self.of[name] = machine

    def lose(self, name: str, silent: bool) -> int:
        """Kills all processes of a node, and returns when. silent: its link goes down before."""
        machine = self.of[name]
        doomed = machine.processes()
        at_ns = time.monotonic_ns()
        if silent and machine.net:
            machine.net.cut()
        processes.kill(doomed)
        processes.kill(machine.processes())  # started meanwhile
        if machine.node is not None and name != HEAD:
            self._cluster.worker_nodes.discard(machine.node)
        machine.node = None
        return at_ns

    def shut_down(self, name: str) -> None:
        """Ends a node as the shutdown of its machine does: the raylet is asked to end, and signs
        off at the head, before all that is left is killed."""
        machine = self.of[name]
        raylet = machine.node.all_processes.get("raylet") if machine.node else None
        if raylet:
            with contextlib.suppress(ProcessLookupError):
                raylet[0].process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                raylet[0].process.wait(_SIGN_OFF_S)
        self.lose(name, silent=False)

    def come_back(self, name: str) -> None:
        """Starts a node again that was lost or that has ended itself."""
        machine = self.of[name]
        if machine.net:
            machine.net.heal()
        processes.kill(machine.processes())
        self.start(name)

    def ended_itself(self, name: str) -> bool:
        """Whether the raylet is gone, as after the head has given the node up."""
        machine = self.of[name]
        if machine.node is None:
            return True
        raylet = machine.node.all_processes.get("raylet")
        return not raylet or raylet[0].process.poll() is not None

    def drain(self, name: str, deadline_ms: int) -> None:
        """Tells the head that the node will be taken away. 0 is without a deadline."""
        client = GcsClient(address=self.address())
        reason = autoscaler_pb2.DrainNodeReason.Value(_PREEMPTION)
        accepted, why = client.drain_node(self.of[name].node_id, reason, "the scenario",
                                          deadline_ms)
        if not accepted:
            raise RuntimeError(f"the drain of {name} was refused: {why}")

    def name_of(self, node_id: str) -> str:
        """The scenario's name of one of Ray's; "" where no node has it."""
        return next((name for name, machine in self.of.items()
                     if node_id and machine.node_id == node_id), "")

    def end(self) -> None:
        """Kills everything."""
        for name in self.of:
            with contextlib.suppress(OSError):
                self.lose(name, silent=False)
