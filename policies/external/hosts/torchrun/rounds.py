"""The state of the rendezvous, as the store has it."""
import base64
import datetime
import pickle
from typing import Any

from hosting.store import Shelf
from torchrun.settings import RUN_ID, address_of

_KEY = f"torch.rendezvous.{RUN_ID}"


def slot_of(address: str) -> int:
    """The slot of the node that has this address."""
    return int(address.rpartition("-")[2])


class Rounds:
    """Reads, and where a node is given up also writes, what agents share."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
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

    @property
    def closed(self) -> bool:
        """Whether nobody can join any more."""
        state = self.state()
        return state is not None and bool(state.closed)

    @property
    def settled(self) -> bool:
        """Whether a complete round stays as it is: nobody waits to join."""
        state = self.state()
        return state is not None and (state.closed or (state.complete and not state.wait_list))

    def spare_moves(self, most: int, alive: set[int]) -> bool:
        """Whether a node on the redundancy list sees a place for itself."""
        state = self.state()
        if state is None or not state.redundancy_list:
            return False
        return len([node for node in state.participants if slot_of(node.addr) in alive]) < most

    def expire(self, slot: int) -> None:
        """Makes the keep-alives of the slot's node those of long ago: they stay away since it was
        lost, and whoever looks next finds them too old."""
        state = self.state()
        if state is None:
            return
        for node in state.last_heartbeats:
            if node.addr == address_of(slot):
                state.last_heartbeats[node] -= datetime.timedelta(days=1)
        self._bits = base64.b64encode(pickle.dumps(state))
        self._shelf.put(_KEY, self._bits)
