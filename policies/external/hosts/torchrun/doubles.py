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
from torchrun.leaps import LateClock, Leaps, TimerEvent
from torchrun.reach import Reach

_FIRST_FREE_PORT = 40000


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


def patch(leaps: Leaps, connect: Callable[[float], TcpStore],
          make_agent: Callable[..., agent.SimpleElasticAgent]) -> None:
    """Gives PyTorch's modules the time of the tasks, `connect` with a timeout in seconds in the
    place of TCPStore, and `make_agent` in that of LocalElasticAgent."""
    tasks = leaps.tasks
    time = clocks.time_module(tasks)
    time.sleep = leaps.sleep_of_agent
    late = LateClock(tasks)
    joining = clocks.time_module(tasks)
    joining.sleep = leaps.sleep_of_join
    joining.monotonic = lambda: late.now_us / 1_000_000
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
    put(dynamic_rendezvous, time=joining, datetime=clocks.datetime_class(late), threading=threading,
        dist=SimpleNamespace(PrefixStore=prefix_store, TCPStore=tcp_store),
        construct_and_record_rdzv_event=_nothing, get_method_name=lambda depth=2: "")
    put(dynamic_rendezvous.DynamicRendezvousHandler,
        _node_desc_generator=dynamic_rendezvous._NodeDescGenerator())
    # Delays that are drawn are the shortest: agents of one moment join in the order of slots.
    put(rendezvous_utils, time=joining, Event=lambda: TimerEvent(leaps), Thread=threading.Thread,
        random=SimpleNamespace(uniform=lambda least, most: least))
    put(c10d_rendezvous_backend, TCPStore=tcp_store, construct_and_record_rdzv_event=_nothing)
    put(static_tcp_rendezvous, TCPStore=static_store, PrefixStore=prefix_store)
    put(rendezvous, get_free_port=lambda: next(ports))
    put(launcher, LocalElasticAgent=make_agent, events=SimpleNamespace(record=_nothing))
