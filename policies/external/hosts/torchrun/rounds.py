"""The state of the rendezvous, as the store has it."""
import base64
import datetime
import pickle
from collections.abc import Callable
from typing import Any

from hosting.clocks import START
from hosting.store import Shelf
from hosting.tasks import NEVER_US, microseconds
from torchrun.agents import Node
from torchrun.settings import RUN_ID, address_of

_KEY = f"torch.rendezvous.{RUN_ID}"


def slot_of(address: str) -> int:
    """The slot of the node that has this address."""
    return int(address.rpartition("-")[2])


def essence(state: Any) -> tuple[Any, ...]:
    """The state without keep-alives."""
    return (state.round, state.complete, state.deadline, state.closed, state.participants,
            state.wait_list, state.redundancy_list, state.last_heartbeats.keys())


class Rounds:
    """Reads, and where a node is given up also writes, what agents share. `nodes` are those that
    there are by now."""

    def __init__(self, shelf: Shelf, nodes: Callable[[], list[Node]]) -> None:
        self._shelf = shelf
        self._nodes = nodes
        self._bits = b""
        self._state: Any = None

    def state(self) -> Any:
        """PyTorch's own _RendezvousState; None before anybody has joined."""
        bits = self._shelf.values.get(_KEY, b"")
        if bits != self._bits:
            self._bits = bits
            try:
                self._state = pickle.loads(base64.b64decode(bits, validate=True))
            except (pickle.PickleError, EOFError, ValueError):
                self._state = None  # nobody has written a state yet
        return self._state

    def complete(self) -> tuple[int, list[int]] | None:
        """The number of the round that is complete, and its slots by rank."""
        state = self.state()
        if state is None or not state.complete:
            return None
        ranked = sorted(state.participants, key=lambda node: int(state.participants[node]))
        return state.round, [slot_of(node.addr) for node in ranked]

    def somebody_waits(self, node: Node) -> bool:
        """Whether a look of the agent finds that nodes wait to join, now or once it reads anew."""
        state, own = self.state(), node.read_state()
        return any(one is not None and one.wait_list for one in (state, own))

    def all_are_up(self, state: Any) -> bool:
        """Whether all whose keep-alives the state has are agents that run."""
        up = {node.descriptor() for node in self._nodes() if node.up}
        return bool(state.last_heartbeats.keys() <= up)

    def joins_until_us(self, node: Node) -> int | None:
        """How long the agent, which waits in a round, finds it as it is; None: its next look finds
        something else."""
        state, own = self.state(), node.read_state()
        if state is None or own is None or state.closed or essence(state) != essence(own):
            return None
        if node.descriptor() in state.redundancy_list:
            return NEVER_US
        if state.complete and node.descriptor() in state.participants:
            return None
        until_us = node.joins_us + microseconds(node.join_timeout_s())
        if state.deadline is not None:
            shown = (state.deadline - START) // datetime.timedelta(microseconds=1)
            until_us = min(until_us, shown - shown // 1_000_001)
        return until_us

    def is_read_by(self, node: Node) -> bool:
        """Whether the agent knows all but keep-alives of the state."""
        state, own = self.state(), node.read_state()
        return state is not None and own is not None and (
            node.holder()._token == self._bits or essence(state) == essence(own))

    def copy(self) -> tuple[Any, bytes]:
        """The state as somebody reads it now, and the token of it."""
        self.state()
        return pickle.loads(base64.b64decode(self._bits)), self._bits

    def write(self, state: Any) -> None:
        """Stores the state."""
        self._bits = base64.b64encode(pickle.dumps(state))
        self._state = state
        self._shelf.put(_KEY, self._bits)

    def expire(self, slot: int) -> None:
        """Makes the keep-alives of the slot's node those of long ago: they stay away since it was
        lost, and whoever looks next finds them too old."""
        state = self.state()
        if state is None:
            return
        for node in state.last_heartbeats:
            if node.addr == address_of(slot):
                state.last_heartbeats[node] -= datetime.timedelta(days=1)
        self.write(state)
