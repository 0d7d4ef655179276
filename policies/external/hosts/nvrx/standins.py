"""Stands in for what a launcher finds on its node: processes, devices, the store's connection."""
import builtins
import io
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from nvidia_resiliency_ext.fault_tolerance import (
    ft_rendezvous_barrier,
    launcher,
    progress_tracker,
)
from torch.distributed.elastic.agent.server import api
from torch.distributed.elastic.events import record as torch_record
from torch.distributed.elastic.rendezvous import api as rendezvous_api
from torch.distributed.elastic.rendezvous import c10d_rendezvous_backend

from hosting.clocks import threading_module, time_module
from hosting.doubles import put
from hosting.store import Store
from hosting.tasks import Tasks
from nvrx.agents import Agent, Processes, recorded_class
from nvrx.settings import PROGRESS_FILE

# Its first look at a round is put off until its clock shows a second, and a clock that began with
# the machine shows more.
UP_S = 1000.0
_PORT = 29500


class _Silent:
    """Takes calls of any name and does nothing: IPC of ranks, which send nothing here."""

    def __init__(self, *given: Any, **named: Any) -> None:
        pass

    def start_receiving(self) -> None:
        """Nothing comes."""

    def fetch_received(self) -> list[Any]:
        """Requests of ranks: none."""
        return []


class _Memory:
    """GPU memory, which is free as soon as the processes are gone."""

    def get_gpu_memory(self, device_index: int) -> dict[str, int]:
        """The megabytes in use."""
        return {"used_mb": 0}


class Here(SimpleNamespace):
    """The host as the stand-ins ask it, for the launcher that moves."""

    tasks: Tasks
    agent: Callable[[], Agent]
    store: Callable[[Agent], Store]
    sleep: Callable[[str, float], None]  # with the word for where
    progress: Callable[[], str | None]  # the text of the progress file; None: there is none


def _register() -> None:
    put(c10d_rendezvous_backend, create_backend=lambda params: (None, _here.store(_here.agent())))
    launcher._register_ft_rdzv_handler()
    put(ft_rendezvous_barrier, PrefixStore=lambda prefix, store: store.with_prefix(prefix))


_here: Here
_registered = False


def patch(here: Here) -> None:
    """Gives the launcher's modules the time, processes and store of this run."""
    global _here, _registered
    _here = here
    if not _registered:
        _register()
        _registered = True
    _patch_launcher(here)
    _patch_rendezvous(here)


def _clock(here: Here, where: str) -> SimpleNamespace:
    module = time_module(here.tasks)
    since = module.monotonic
    module.monotonic = lambda: since() + UP_S
    module.sleep = lambda seconds: here.sleep(where, seconds)
    return module


def _start(here: Here) -> Callable[..., Processes]:
    def start_processes(envs: dict[int, dict[str, str]], **_: Any) -> Processes:
        agent = here.agent()
        agent.processes = Processes(agent, len(envs))
        agent.restarting = False
        agent.world.starts(agent)
        return agent.processes

    return start_processes


def _open(here: Here) -> Callable[..., Any]:
    def open_file(name: Any, *given: Any, **named: Any) -> Any:
        if name != PROGRESS_FILE:
            return builtins.open(name, *given, **named)
        text = here.progress()
        if text is None:
            raise FileNotFoundError(name)
        return io.StringIO(text)

    return open_file


def _patch_launcher(here: Here) -> None:
    names = SimpleNamespace(gethostname=lambda: here.agent().group, getfqdn=lambda _: "")
    processes = SimpleNamespace(**vars(os))
    processes.getpgid = lambda pid: pid
    put(launcher, time=_clock(here, "monitor"), threading=threading_module(here.tasks),
        start_processes=_start(here), os=processes, socket=names,
        terminate_mp_processes=lambda allowed_pgids: None, GPUMemoryLogger=_Memory,
        record_profiling_event=lambda *_, **__: None,
        events=SimpleNamespace(record=lambda *_: None), LocalElasticAgent=recorded_class(
            here.agent))
    put(api, time=_clock(here, "agent"), record=lambda *_: None,
        _get_fq_hostname=lambda: "node")
    assert callable(torch_record)
    progress_tracker.__dict__["open"] = _open(here)  # in front of the built-in one


def _patch_rendezvous(here: Here) -> None:
    class Devices:
        def __call__(self) -> bool:
            return not here.agent().sick

    put(ft_rendezvous_barrier, time=_clock(here, "rendezvous"), GPUHealthCheck=Devices,
        IpcConnector=_Silent, get_infrastructure_rank=lambda **_: here.agent().number,
        record_profiling_event=lambda *_, **__: 0, set_profiling_cycle=lambda _: None,
        construct_and_record_rdzv_event=lambda **_: None, get_method_name=lambda: "",
        _install_rdzv_signal_handlers=dict, _restore_rdzv_signal_handlers=lambda _: None)
    put(rendezvous_api, get_free_port=lambda: _PORT)
