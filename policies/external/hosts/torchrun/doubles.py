"""Doubles in the place of clocks, stores and processes that PyTorch's agents call by name."""
import datetime
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import torch.distributed
from torch.distributed.elastic.agent.server import api as agent
from torch.distributed.elastic.rendezvous import api as rendezvous
from torch.distributed.elastic.rendezvous import (
    c10d_rendezvous_backend,
    dynamic_rendezvous,
    static_tcp_rendezvous,
)
from torch.distributed.elastic.rendezvous import utils as rendezvous_utils
from torch.distributed.launcher import api as launcher

from hosting import clocks
from hosting.doubles import put
from hosting.store import Key, Shelf, Store
from hosting.tasks import Event, Tasks

_FIRST_FREE_PORT = 40000


class Reach:
    """The way from one node to the store: open, cut off for now, or ended with the store."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._open = Event(tasks)
        self._open.set()
        self.store_lost = False

    @property
    def cut(self) -> bool:
        """Whether nothing comes through."""
        return not self._open.is_set()

    def close(self) -> None:
        """From now on nothing comes through, and nobody says so."""
        self._open.clear()

    def open(self) -> None:
        """The call that waited for an answer has it."""
        self._open.set()

    def answer(self, limit_s: float | None) -> Exception | None:
        """Waits for the answer of the store; the error of one that came later than the limit, for
        those calls that have one (TCPStore::doWait), or never will."""
        since_us = self._tasks.now_us
        self._open.wait()
        if self.store_lost:
            lost: Exception = torch.distributed.DistNetworkError("Connection reset by peer")
            return lost
        waited_s = (self._tasks.now_us - since_us) / 1_000_000
        if limit_s is not None and waited_s > limit_s:
            late: Exception = torch.distributed.DistStoreError(f"wait timeout after {limit_s:g}s")
            return late
        return None


class TcpStore(Store):
    """A TCPStore's client on one node."""

    def __init__(self, shelf: Shelf, reach: Reach, timeout_s: float, prefix: str = "") -> None:
        super().__init__(shelf, timeout_s, prefix, lambda: reach.answer(None),
                         torch.distributed.DistStoreError)
        self._reach = reach
        self.port = _FIRST_FREE_PORT - 1

    def with_prefix(self, prefix: str) -> "TcpStore":
        """As a PrefixStore over it."""
        return TcpStore(self._shelf, self._reach, self._timeout_s, f"{self._prefix}{prefix}/")

    def wait(self, keys: Sequence[Key],
             timeout: datetime.timedelta | float | None = None) -> None:
        """As a TCPStore's: the limit is also that of the answer."""
        limit_s = self._timeout_s
        if timeout is not None:
            limit_s = (timeout.total_seconds() if isinstance(timeout, datetime.timedelta)
                       else timeout)
        error = self._reach.answer(limit_s)
        if error is not None:
            raise error
        super().wait(keys, timeout)


def _nothing(*_: Any, **__: Any) -> None:
    return None


def patch(tasks: Tasks, connect: Callable[[float], TcpStore],
          make_agent: Callable[..., agent.SimpleElasticAgent]) -> None:
    """Gives PyTorch's modules the time of the tasks, `connect` with a timeout in seconds in the
    place of TCPStore, and `make_agent` in that of LocalElasticAgent."""
    time = clocks.time_module(tasks)
    threading = clocks.threading_module(tasks)
    ports = iter(range(_FIRST_FREE_PORT, 2**16))

    def tcp_store(*_: Any, timeout: datetime.timedelta = datetime.timedelta(seconds=300),
                  **__: Any) -> TcpStore:
        return connect(timeout.total_seconds())

    def static_store(address: str, port: int, world_size: int, is_master: bool,
                     timeout: datetime.timedelta, **_: Any) -> TcpStore:
        return connect(timeout.total_seconds())

    def prefix_store(prefix: str, store: TcpStore) -> TcpStore:
        return store.with_prefix(prefix)

    # Recording an event looks through the stack, which takes longer than all else.
    put(agent, time=time, record=_nothing, _get_fq_hostname=lambda: "node")
    put(dynamic_rendezvous, time=time, datetime=clocks.datetime_class(tasks), threading=threading,
        dist=SimpleNamespace(PrefixStore=prefix_store, TCPStore=tcp_store),
        construct_and_record_rdzv_event=_nothing, get_method_name=lambda depth=2: "")
    put(dynamic_rendezvous.DynamicRendezvousHandler,
        _node_desc_generator=dynamic_rendezvous._NodeDescGenerator())
    # Delays that are drawn are the shortest: agents of one moment join in the order of slots.
    put(rendezvous_utils, time=time, Event=threading.Event, Thread=threading.Thread,
        random=SimpleNamespace(uniform=lambda least, most: least))
    put(c10d_rendezvous_backend, TCPStore=tcp_store, construct_and_record_rdzv_event=_nothing)
    put(static_tcp_rendezvous, TCPStore=static_store, PrefixStore=prefix_store)
    put(rendezvous, get_free_port=lambda: next(ports))
    put(launcher, LocalElasticAgent=make_agent, events=SimpleNamespace(record=_nothing))
